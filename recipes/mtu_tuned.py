"""Tuned models, their bases and what needs no model on the official MTU-Bench turns and NesTools, scored again.

    python recipes/mtu_tuned.py [FOLDER]       # FOLDER holds mtu/ and nestools/; default ../shared/data; prints the tables
    python recipes/mtu_tuned.py --page docs/training.md        # and writes them into the page

The answers are kept in records/answers/results (greedy, default style, gold history). No model is asked.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from toolyard.benchmarks import load_benchmark
from toolyard.benchmarks.mtu import BENCHMARK
from toolyard.benchmarks.mtu.scoring.baselines import word_overlap
from toolyard.core.benchmark import RunSetup
from toolyard.core.types import Options, Sample, Transcript
from toolyard.run.grade.grading import grade_all
from toolyard.run.store.packs import read_pack
from toolyard.run.store.records import read_transcript
from toolyard.stats.bootstrap import Estimate
from toolyard.stats.paired import PairedTest, paired_test
from toolyard.stats.significance import adjust_holm
from toolyard.stats.summary import Graded, rows_of, summarise

HERE = Path(__file__).resolve().parent
DEFAULT = HERE.parents[1] / "shared" / "data"
NAMES = {
    "base": "smollm2-135m",
    "tuned": "smollm2-tuned",
    "tuned, then on its own rewarded answers": "smollm2-tuned-rewarded",
    "tuned on 61,677 rows": "smollm2-tuned-61677rows",
    "tuned on 20,559 rows": "smollm2-tuned-20559rows",
    "tuned on 6,859 rows": "smollm2-tuned-6859rows",
    "tuned on 2,284 rows": "smollm2-tuned-2284rows",
    "the same with their own names only": "smollm2-tuned-2284rows-own-names",
    "the same size without chat": "smollm2-tuned-2284rows-no-chat",
    "the same size without refusals": "smollm2-tuned-2284rows-no-refusals",
    "qwen": "qwen2.5-coder-1.5b",
    "qwen tuned on 12,614 rows": "qwen2.5-coder-1.5b-tuned-12614rows",
    "qwen tuned on 6,859 rows": "qwen2.5-coder-1.5b-tuned-6859rows",
    "qwen tuned on 8,846 rows": "qwen2.5-coder-1.5b-sft",
    "qwen tuned on 8,846 rows, then on rewards": "qwen2.5-coder-1.5b-grpo",
}
ON_NESTOOLS = (
    "qwen tuned on 8,846 rows, then on rewards", "qwen tuned on 8,846 rows", "qwen", "qwen tuned on 12,614 rows",
    "qwen tuned on 6,859 rows",
)  # fmt: skip
TRIVIAL = ("no call ever", "word overlap")
# A tuned model -> what it is held against, turn by turn
HELD_AGAINST = {
    "tuned": ("base", "tuned on 61,677 rows", "tuned, then on its own rewarded answers", "qwen", *TRIVIAL),
    "qwen tuned on 12,614 rows": ("qwen", "qwen tuned on 6,859 rows", "tuned", *TRIVIAL),
    "qwen tuned on 8,846 rows": ("qwen", "qwen tuned on 12,614 rows"),
    "qwen tuned on 8,846 rows, then on rewards": ("qwen tuned on 8,846 rows", "qwen"),
}
PLACE = re.compile(r"(<!-- tuned:start -->\n).*?(<!-- tuned:end -->)", re.DOTALL)
SETTINGS = ("S-S", "S-M", "M-S", "M-M", "OOD")
FIGURES = ("average", "outcome", "outcome_call", "outcome_no_call")
Given = dict[str, dict[str, Transcript]]


def answers(name: str, benchmark: str = "mtu") -> dict[str, Transcript]:
    """The stored answers by sample."""
    files = (HERE.parent / "records" / "answers" / "results").glob(
        f"{benchmark}_{NAMES[name]}_default_official_*.jsonl.xz"
    )
    packs = (read_pack(file) for file in files)
    (greedy,) = (pack for pack in packs if pack.manifest["identity"]["trials"] == 1)
    return {each.sample: each for each in map(read_transcript, greedy.transcripts)}


def graded(
    samples: Sequence[Sample], given: dict[str, Transcript], benchmark: Any = BENCHMARK
) -> list[Graded]:
    """The answers of these samples, graded as the paper defines it."""
    transcripts = [given[sample.id] for sample in samples]
    return grade_all(RunSetup.default(benchmark), samples, transcripts, {}, "paper")


def shown(figure: Estimate) -> str:
    """Percent with the interval."""
    if figure.value is None:
        return "-"
    if figure.low is None or figure.high is None:
        return f"{100 * figure.value:.1f}"
    return f"{100 * figure.value:.1f} [{100 * figure.low:.1f}, {100 * figure.high:.1f}]"


def lines_of(title: str, samples: Sequence[Sample], given: Given) -> list[str]:
    """A table: models against settings, then all turns with further figures."""
    parts = [*SETTINGS, "all turns", *FIGURES[1:]]
    counts = [sum(sample.input["setting"] == setting for sample in samples) for setting in SETTINGS]
    found = [f"#### {title}", "", f"| | {' | '.join(parts)} |", f"|---|{'---:|' * len(parts)}"]
    found.append(f"| turns | {' | '.join(map(str, [*counts, *[len(samples)] * (len(parts) - 5)]))} |")
    for name, texts in given.items():
        summary = summarise(BENCHMARK, graded(samples, texts), "paper")
        by_setting = summary.groups["setting"]
        cells = [
            shown(by_setting[setting]["average"]) if setting in by_setting else "-" for setting in SETTINGS
        ]
        cells += [shown(summary.figures[figure]) for figure in FIGURES]
        found.append(f"| {name} | {' | '.join(cells)} |")
    return [*found, ""]


def paired_lines(tuned: str, samples: Sequence[Sample], given: Given) -> list[str]:
    """A tuned model minus each other, by setting, p-values corrected over all lines."""
    cases = []
    for other in HELD_AGAINST[tuned]:
        ours, theirs = (rows_of(graded(samples, given[name])) for name in (tuned, other))
        for setting in (*SETTINGS, ""):
            chosen = [
                place for place, sample in enumerate(samples) if setting in ("", sample.input["setting"])
            ]
            sides = ([rows[place] for place in chosen] for rows in (ours, theirs))
            test = paired_test(BENCHMARK.scoring.metric("average"), *sides)
            cases.append((other, setting or "all turns", len(chosen), test))
        for figure in FIGURES[2:]:
            number = sum(row.score.values.get(figure) is not None for row in ours)
            cases.append((other, figure, number, paired_test(BENCHMARK.scoring.metric(figure), ours, theirs)))
    return paired_table(tuned, cases, "dialogues")


def needless_lines(samples: Sequence[Sample], given: Given) -> list[str]:
    """How often models call where no call is needed, with an invented value, and where none is made but needed."""
    titles = (
        "turns that need no call",
        "called",
        "with an invented value",
        "turns that need one",
        "not called",
    )
    found = ["#### Calls that are not needed, and that are not made", "", f"| | {' | '.join(titles)} |"]
    found.append(f"|---|{'---:|' * len(titles)}")
    for name, texts in given.items():
        scores = [row.score for row in rows_of(graded(samples, texts))]
        needed = [
            BENCHMARK.scoring.parse(sample, texts[sample.id], "paper").calls
            for sample, score in zip(samples, scores, strict=True)
            if score.values.get("outcome_call") is not None
        ]
        silent = [score.reasons for score in scores if score.values.get("outcome_no_call") is not None]
        called, unsaid = (
            sum(any(words in reason for reason in reasons) for reasons in silent)
            for words in ("called and not wanted", "stands nowhere in the dialogue")
        )
        missed = sum(not calls for calls in needed)
        found.append(f"| {name} | {len(silent)} | {called} | {unsaid} | {len(needed)} | {missed} |")
    return [*found, ""]


def nestools_lines(folder: Path) -> list[str]:
    """The official NesTools records: each model, and the first one minus each other."""
    benchmark: Any = load_benchmark("nestools")
    samples = benchmark.data.load(folder, Options("default"))
    own = {name: graded(samples, answers(name, "nestools"), benchmark) for name in ON_NESTOOLS}
    found = ["#### Official NesTools", "", "| | n | average | tree | outcome |", "|---|---:|---:|---:|---:|"]
    for name, lines in own.items():
        figures = summarise(benchmark, lines, "paper").figures
        cells = [shown(figures[figure]) for figure in ("average", "tree", "outcome")]
        found.append(f"| {name} | {len(lines)} | {' | '.join(cells)} |")
    first, *others = ON_NESTOOLS
    cases = [
        (
            other,
            figure,
            len(samples),
            paired_test(benchmark.scoring.metric(figure), *(rows_of(own[name]) for name in (first, other))),
        )
        for other in others
        for figure in ("average", "outcome")
    ]
    return [*found, "", *paired_table(f"{first}, on NesTools,", cases, "clusters")]


def paired_table(tuned: str, cases: Sequence[tuple[str, str, int, PairedTest]], clusters: str) -> list[str]:
    """Differences with intervals and corrected p-values."""
    known = adjust_holm([test.p_value if test.p_value is not None else 1.0 for *_, test in cases])
    found = [
        f"#### {tuned[0].upper()}{tuned[1:]} minus the other, paired",
        "",
        f"| other | part | n | {clusters} | difference | p (Holm) |",
        "|---|---|---:|---:|---:|---:|",
    ]
    found += [
        f"| {other} | {part} | {number} | {test.clusters} | {shown(test.difference)} | {p:.4f} |"
        for (other, part, number, test), p in zip(cases, known, strict=True)
    ]
    return [*found, ""]


def tables(folder: Path) -> str:
    """All tables, out of the stored answers."""
    samples = BENCHMARK.data.load(folder / "mtu", Options("default"))
    given = {name: answers(name) for name in NAMES}
    given[TRIVIAL[0]] = {
        sample.id: Transcript.answered(sample.id, "Thought: no call is needed.") for sample in samples
    }
    given[TRIVIAL[1]] = {
        sample.id: Transcript.answered(sample.id, word_overlap(sample, (), Random(0))) for sample in samples
    }
    told = [*lines_of("All turns", samples, given), *needless_lines(samples, given)]
    for tuned in HELD_AGAINST:
        told += paired_lines(tuned, samples, given)
    return "\n".join([*told, *nestools_lines(folder / "nestools")])


def main() -> None:
    """Prints the tables, and writes them into the page that is given."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    words.add_argument("folder", type=Path, nargs="?", default=DEFAULT)
    words.add_argument("--page", type=Path)
    asked = words.parse_args()
    made = tables(asked.folder)
    sys.stdout.write(made + "\n")
    if asked.page:
        text = asked.page.read_text(encoding="utf-8")
        written = PLACE.sub(lambda place: place.group(1) + made + place.group(2), text)
        asked.page.write_text(written, encoding="utf-8")


if __name__ == "__main__":
    main()
