"""How far the sets separate: `outcome` of models on the rows that a strong reader answered without seeing gold.

    python recipes/calibration.py [--jobs N]     # scores stored answers and writes the table of docs/validity.md

The reader's answers are in records/answers/readers, those of models in records/answers/results, and to hard sets in
records/answers/ways, which go first; no model is asked.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from results import ANSWERS, OFFICIAL, ROOT, read_index
from results_runs import Scored, score_packs
from results_summary import ENOUGH, OTHER_TRAINING
from results_tables import facts
from statsmodels.stats.proportion import proportion_confint

from toolyard.benchmarks import load_benchmark
from toolyard.core.errors import CONTEXT_OVERFLOW
from toolyard.lines import read_lines
from toolyard.report.compare.compared_runs import ComparedRun, load_compared
from toolyard.run.store.packs import Pack, read_pack

READERS, WAYS = ANSWERS.parent / "readers", ANSWERS.parent / "ways"
PAGE = ROOT / "docs" / "validity.md"
PLACE = re.compile(r"(<!-- calibration:start -->\n).*?(<!-- calibration:end -->)", re.DOTALL)
TOO_LONG = "too long"
OWN_SETS, HARD = ("starter", "hard"), ("hard",)
Outcomes = Mapping[str, float]


def outcomes(scored: Scored) -> Outcomes:
    """`outcome` of every sample that has one."""
    values = {
        line["sample"]: line["profiles"]["paper"]["values"].get("outcome")
        for line in read_lines(scored.folder / "scores.jsonl")
    }
    return {sample: value for sample, value in values.items() if value is not None}


def score_folder(folder: Path, work: Path, jobs: int | None, sets: Sequence[str] = OWN_SETS) -> list[Scored]:
    """The stored answers to our own sets in their first style, scored."""
    packs = {folder / name: sha256 for name, sha256 in read_index(folder).items()}
    return score_packs(
        {path: sha256 for path, sha256 in packs.items() if is_wanted(read_pack(path), sets)},
        work,
        OFFICIAL,
        jobs,
    )[0]


def is_wanted(pack: Pack, sets: Sequence[str]) -> bool:
    """Whether a pack answers one of these sets in its first style."""
    identity = pack.manifest["identity"]
    first = load_benchmark(pack.benchmark).task.styles[0]
    return pack.manifest["data"] in sets and identity["style"] == first


def cell(values: Sequence[float]) -> str:
    """The share of right rows in percent with its 95 % interval (Wilson)."""
    if not values:
        return "–"
    low, high = proportion_confint(sum(values), len(values), method="wilson")
    return f"{100 * sum(values) / len(values):.0f} [{100 * low:.0f}, {100 * high:.0f}]"


def is_too_long(run: ComparedRun) -> bool:
    """Whether no prompt fits into the model's context, so that nothing was answered."""
    return all(
        reply.finish_reason == CONTEXT_OVERFLOW
        for item in run.transcripts.values()
        for reply in item.completions
    )


def table(readers: Sequence[Scored], models: Sequence[Scored]) -> str:
    """One row for each set: who is right on the reader's rows, and how many rows nobody or everybody solves."""
    loaded = [(load_compared(item.folder, "paper", facts()), item) for item in models]
    named = [(run, item) for run, item in loaded if not OTHER_TRAINING.search(run.label)]
    names = sorted({run.label for run, _ in named})
    lines = [
        f"| rows of | n | strong reader | {' | '.join(names)} | solved by all | by nobody |",
        "|---|---:|---:|" + "---:|" * (len(names) + 2),
    ]
    for reader in readers:
        run = load_compared(reader.folder, "paper", facts())
        own = outcomes(reader)
        found: dict[str, Outcomes] = {"reader": own}
        without: dict[str, str] = {}
        for other, item in named:
            if other.benchmark.name == run.benchmark.name and item.data == reader.data:
                given = outcomes(item)
                if is_too_long(other):
                    without[other.label] = TOO_LONG
                elif len(own.keys() & given.keys()) >= ENOUGH * len(own):
                    found[other.label] = given
        rows = own.keys() & set.intersection(*(set(each) for each in found.values()))
        cells = [
            cell([found[name][key] for key in rows]) if name in found else without.get(name, cell([]))
            for name in names
        ]
        solved = [sum(each[key] for each in found.values()) for key in rows]
        everybody = sum(total == len(found) for total in solved) if len(found) > 1 else "–"
        cells.insert(0, cell([own[key] for key in rows]))
        lines.append(
            f"| {run.benchmark.name}, {reader.data} | {len(rows)} | {' | '.join(cells)} | {everybody} "
            f"| {sum(total == 0 for total in solved)} |"
        )
    return "\n".join(lines) + "\n"


def main() -> None:
    """Scores what is stored and writes the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int)
    jobs = parser.parse_args().jobs
    work = ROOT / "build"
    readers = sorted(score_folder(READERS, work / "readers", jobs), key=lambda item: item.folder.name)
    models = [
        *score_folder(ANSWERS, work / "results", jobs), *score_folder(WAYS, work / "ways", jobs, HARD),
    ]  # fmt: skip
    written = table(readers, models)
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(
        PLACE.sub(lambda found: found.group(1) + written + found.group(2), text), encoding="utf-8"
    )
    print(written)


if __name__ == "__main__":
    main()
