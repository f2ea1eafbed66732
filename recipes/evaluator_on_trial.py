"""How far two readers sign each figure, on a hundred answers of every benchmark: the tables of docs/validity.md.

    python recipes/evaluator_on_trial.py [--official DIR] [--docs FILE]

Labels and keys are records/labels/*_results_seed31*, the answers records/answers/read. The rows that were answered are the
official ones (`--official`, default ../shared/data), or, where the starter sets have changed since, those kept beside the
answers. Nothing is asked of a model. Every disagreement with `outcome` is printed. A benchmark whose rows of that time
cannot be read today keeps its lines.
"""

from __future__ import annotations

import argparse
import re
import tarfile
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson
from outcome_agreement import answers, disagreements, figures_of, labels_of, scores_of, sure
from results_runs import place_of

from toolyard.benchmarks import load_benchmark
from toolyard.core.errors import DataError
from toolyard.stats.agreement import cohen_kappa, wilson_share

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
ANSWERS = ROOT / "records" / "answers"
READ = ANSWERS / "read"
LABELS = ROOT / "records" / "labels"
BENCHMARKS = ("mtu", "nestools", "toolbehonest", "tooleyes")
PLACE = re.compile(r"(<!-- trial:start -->\n).*?(<!-- trial:end -->)", re.DOTALL)
Labels = Mapping[str, bool]


@dataclass(frozen=True, slots=True)
class Trial:
    """One benchmark's answers: what each figure says of them, and each reader."""

    benchmark: str
    figures: Mapping[str, Labels]
    readers: tuple[Labels, ...]
    disagreements: tuple[str, ...]
    lost: int


def data_of(benchmark: str, official: Path, work: Path) -> str:
    """Where the rows lie that were answered: those kept beside the answers, or the official ones."""
    kept = READ / f"{benchmark}.tar.xz"
    if not kept.exists():
        return place_of(benchmark, "official", official)
    with tarfile.open(kept) as files:
        files.extractall(work, filter="data")
    return str(work / benchmark)


def stored_answers(name: str) -> Path:
    """The answers that were read: kept for the readers, or those that the results rest on."""
    kept = READ / f"{name}.jsonl.xz"
    return kept if kept.exists() else ANSWERS / "results" / kept.name


def trial_of(name: str, official: Path, work: Path) -> Trial:
    """The labelled answers of one benchmark, graded by today's figures."""
    benchmark = load_benchmark(name)
    rows = [
        orjson.loads(line) for line in (LABELS / f"{name}_results_seed31.key.jsonl").read_bytes().splitlines()
    ]
    keys = {row["id"]: (row["source"], row["sample"], row["trial"]) for row in rows}
    sources = [stored_answers(source) for source in sorted({row["source"] for row in rows})]
    found = {each.key: each for each in answers(benchmark, sources, data_of(name, official, work))}
    scores = {item: scores_of(benchmark, found[key]) for item, key in keys.items() if key in found}
    figures = figures_of(benchmark, scores)
    labels = [labels_of(LABELS / f"{name}_results_seed31_{reader}.jsonl") for reader in (1, 2)]
    told = tuple(line for own in labels for line in disagreements(own, figures["outcome"], scores, keys))
    return Trial(name, figures, tuple(map(sure, labels)), told, len(keys) - len(scores))


def agreement(first: Labels, second: Labels) -> tuple[int, int, float | None]:
    """On how many of the shared answers two agree, of how many, and kappa."""
    shared = [(first[item], second[item]) for item in first if item in second]
    same = sum(one == other for one, other in shared)
    return same, len(shared), cohen_kappa([one for one, _ in shared], [other for _, other in shared])


def summary_lines(trials: Sequence[Trial]) -> list[str]:
    """Each figure of each benchmark beside both readers, with denominators and Wilson's intervals."""
    lines = [
        "| benchmark | metric | reader 1 agrees | reader 2 agrees | kappa | both right | both wrong | "
        "only the reader: right | only the metric: right |",
        "|---|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for trial in trials:
        title = load_benchmark(trial.benchmark).about.title.partition(":")[0]
        for figure, values in trial.figures.items():
            cells = [agreement(reader, values) for reader in trial.readers]
            pairs = Counter(
                (trial.readers[0][item], values[item]) for item in trial.readers[0] if item in values
            )
            counts = (pairs[True, True], pairs[False, False], pairs[True, False], pairs[False, True])
            shown = [title, f"`{figure}`" if figure == "outcome" else figure, *map(_share_text, cells)]
            shown += [", ".join(_kappa(kappa) for _, _, kappa in cells), *map(str, counts)]
            lines.append(f"| {' | '.join(shown)} |")
        same, number, kappa = agreement(*trial.readers)
        lines.append(f"| {title} | the other reader | {same} of {number} | | {_kappa(kappa)} | | | | |")
    return lines


def _kappa(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _share_text(found: tuple[int, int, float | None]) -> str:
    same, number, _ = found
    interval = wilson_share(same, number)
    if interval.low is None or interval.high is None:
        return f"{same} of {number}"
    return f"{same} of {number} [{100 * interval.low:.1f}, {100 * interval.high:.1f}]"


def main() -> None:
    """Writes the table and prints the disagreements."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--official", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--docs", type=Path, default=ROOT / "docs" / "validity.md")
    given = parser.parse_args()
    text = given.docs.read_text(encoding="utf-8")
    trials, kept = [], []
    with tempfile.TemporaryDirectory() as work:
        for name in BENCHMARKS:
            try:
                trials.append(trial_of(name, given.official, Path(work)))
            except DataError as error:
                title = load_benchmark(name).about.title.partition(":")[0]
                kept += re.findall(rf"^\| {title} \|.* \|.*$", PLACE.search(text)[0], re.MULTILINE)  # type: ignore[index]
                print(f"the lines of {title} stay, its rows of that time cannot be read today: {error}")
    table = "\n".join([*summary_lines(trials), *kept, ""])
    written = PLACE.sub(lambda found: found.group(1) + table + found.group(2), text)
    given.docs.write_text(written, encoding="utf-8")
    print(table)
    for trial in trials:
        print(f"{trial.benchmark}: {trial.lost} answers cannot be graded", *trial.disagreements, sep="\n")


if __name__ == "__main__":
    main()
