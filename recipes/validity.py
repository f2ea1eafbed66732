"""The tables of docs/validity.md: changed gold, errata, the solver without a model, attacks, what readers said.

    python recipes/validity.py [FOLDER]        # FOLDER holds data/ and parity/; default ../shared

Several minutes on two cores, most of them for the distractors of official prompts; `--only attacks` (or changed-gold,
errata, shared-words, readers) writes one table. No model is asked. Without the folder a table is left as it is, as half of
it would be missing; `--starter` says that this is meant.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from reader_agreement import newest_means
from reader_agreement import table as readers_table
from rewritten_gold import NAMES as REWRITTEN
from rewritten_gold import VERBOSE, judged_classes, rewritten_answers

from toolyard.benchmarks import load_benchmark
from toolyard.benchmarks.execution_verdict import EXECUTION_FILE
from toolyard.core.benchmark import Benchmark, RunSetup
from toolyard.core.types import Options, Sample, Transcript
from toolyard.report.tables.formats import percent, with_interval
from toolyard.run.grade.attacks import EVERYWHERE, OUTCOME, prompts_that_leak
from toolyard.run.grade.checking import mutation_classes
from toolyard.run.grade.evidence import Instruments, offline_book
from toolyard.run.grade.grading import grade_all
from toolyard.run.plan.data_sources import prepare_samples
from toolyard.run.play.offline import play_offline
from toolyard.stats.agreement import wilson_share
from toolyard.stats.bootstrap import Estimate, estimate
from toolyard.stats.summary import rows_of

ROOT = Path(__file__).resolve().parents[1]
DEFAULT = ROOT.parent / "shared"
NAMES = ("nestools", "mtu", "toolbehonest")
OFFICIAL = {"nestools": "data/nestools", "mtu": "data/mtu", "toolbehonest": "parity/toolbh/test_en.json"}
SOLVED = {
    "nestools": ("tool_set", "selection_f1", "outcome"),
    "mtu": ("tool_set", "turn_success", "outcome"),
    "toolbehonest": ("outcome_l1", "verdict_f1", "outcome"),
}
# Rows of a set whose gold is rewritten and executed, drawn by a seed: all rows take an hour.
REWRITTEN_ROWS = {"starter": 60, "hard": 20}
Set = tuple[str, str, Path]


def data_sets(shared: Path) -> list[Set]:
    """Every benchmark's starter and hard set, and the shared one where it is at hand."""
    found = []
    for name in NAMES:
        data = load_benchmark(name).data
        found.append((name, "starter", data.starter))
        found += [] if data.hard is None else [(name, "hard", data.hard)]
        if (path := shared / OFFICIAL[name]).exists():
            found.append((name, "parity items" if name == "toolbehonest" else "official", path))
    return found


def attacks(some: Set) -> list[str]:
    """What answers earn that guess at the scorer."""
    name, label, path = some
    benchmark, samples = _loaded(name, path, offers=True)
    setup = RunSetup.default(benchmark)
    lines = []
    for each, attack in {**EVERYWHERE, **benchmark.checks.attacks}.items():
        figures = _figures(
            setup, samples, play_offline(setup, samples, attack.answer), (setup.headline, OUTCOME)
        )
        earned = " | ".join(with_interval(figures[figure]) for figure in (setup.headline, OUTCOME))
        lines.append(
            f"| {name} | {label} | {each} | {len(samples)} | {earned} | {percent(attack.floor_on(samples))} |"
        )
    leaks = prompts_that_leak(benchmark, samples, setup.options)
    return [
        *lines,
        f"| {name} | {label} | gold-leak: prompts that change with gold | {len(samples)} | – | {leaks} | 0 |",
    ]


def changed_gold(some: Set) -> list[str]:
    """Gold with one thing changed: the share of wrong ones refused and of right ones granted."""
    name, label, path = some
    benchmark, samples = _loaded(name, path, offers=False)
    setup = RunSetup.default(benchmark)
    golden = play_offline(setup, samples, benchmark.checks.oracle)
    lines = []
    executed = (path / EXECUTION_FILE).exists() and name in REWRITTEN
    rewritten = rewritten_answers(name, path, REWRITTEN_ROWS[label]) if executed else ()
    for each in (*mutation_classes(setup, samples, golden), *judged_classes(rewritten, setup)):
        must = "pass" if each.right else "fail"
        seen = wilson_share(round(each.share * each.number), each.number)
        does = f"{each.share:.1%} [{100 * (seen.low or 0):.1f}, {100 * (seen.high or 0):.1f}]"
        lines.append(f"| {name} | {label} | {each.kind} | {must} | {each.number} | {does} |")
    return lines


def shared_words(some: Set) -> list[str]:
    """What shared words alone reach."""
    name, label, path = some
    benchmark, samples = _loaded(name, path, offers=True)
    setup = RunSetup.default(benchmark)
    transcripts = play_offline(setup, samples, benchmark.checks.baselines["word-overlap"])
    figures = _figures(setup, samples, transcripts, SOLVED[name])
    shown = ", ".join(f"{figure} {with_interval(figures[figure])}" for figure in SOLVED[name])
    return [f"| {name} | {label} | {len(samples)} | {shown} |"]


def errata_sets(shared: Path) -> list[tuple[str, str, Path, Path, tuple[str, ...]]]:
    """GPT-4's released answers, and the changed prediction sets: benchmark, name, data, answers, figures."""
    answers = shared / "data/mtu/responses"
    found = [("mtu", "GPT-4", shared / OFFICIAL["mtu"], answers, ("average", "turn_success", "outcome"))]
    found += [
        ("nestools", file.stem, shared / OFFICIAL["nestools"], file, ("average", "tree", "outcome"))
        for file in sorted((shared / "parity/nestools").glob("*.jsonl"))
    ]
    return [each for each in found if each[3].exists()]


def errata(some: tuple[str, str, Path, Path, tuple[str, ...]]) -> list[str]:
    """How far figures move with the errata."""
    name, label, data, path, wanted = some
    (number, before), (_, after) = (_scored(name, data, path, option, wanted) for option in ("no", "yes"))
    return [
        f"| {name}, {label} | {figure} | {number} | {with_interval(before[figure])} | {with_interval(after[figure])} |"
        for figure in wanted
    ]


def readers(_: None) -> list[str]:
    """What blind readers said of rows."""
    return [*readers_table()[2:], "", *newest_means()]


def _scored(
    name: str, data: Path, predictions: Path, option: str, wanted: Sequence[str]
) -> tuple[int, dict[str, Estimate]]:
    benchmark = load_benchmark(name)
    samples = benchmark.data.load(data, Options(benchmark.task.styles[0], values={"errata": option}))
    if benchmark.scoring.read_predictions is None:
        raise SystemExit(f"{name} reads no saved predictions")
    transcripts = benchmark.scoring.read_predictions(predictions, samples)
    rows = rows_of(grade_all(RunSetup.default(benchmark), samples, transcripts, {}, "paper"))
    return len(rows), estimate([benchmark.scoring.metric(figure) for figure in wanted], rows)


def _figures(
    setup: RunSetup, samples: tuple[Sample, ...], transcripts: Sequence[Transcript], wanted: Sequence[str]
) -> dict[str, Estimate]:
    """The wanted figures of offline answers, each with its interval."""
    book = offline_book(setup, samples, transcripts, Instruments())
    rows = rows_of(grade_all(setup, samples, transcripts, book, "paper"))
    return estimate([setup.benchmark.scoring.metric(figure) for figure in dict.fromkeys(wanted)], rows)


def _loaded(name: str, path: Path, *, offers: bool) -> tuple[Benchmark, tuple[Sample, ...]]:
    """The samples, with the distractors that their prompts offer where those matter."""
    benchmark = load_benchmark(name)
    samples = benchmark.data.load(path, Options(benchmark.task.styles[0]))
    return benchmark, prepare_samples(benchmark, str(path), samples, "minilm", 0) if offers else samples


# Each table: its head, what makes its lines of one set, and the sets.
TABLES: dict[str, tuple[str, Callable[..., list[str]], Callable[[Path], Sequence[object]]]] = {
    "changed-gold": (
        "| benchmark | data | change | must | number | does |\n|---|---|---|---|---|---|",
        changed_gold,
        data_sets,
    ),
    "errata": ("| predictions | metric | n | without | with |\n|---|---|---:|---|---|", errata, errata_sets),
    "shared-words": ("| benchmark | data | n | metrics |\n|---|---|---:|---|", shared_words, data_sets),
    "attacks": (
        "| benchmark | data | attack | n | headline | outcome | floor |\n|---|---|---|---:|---|---|---|",
        attacks,
        data_sets,
    ),
    "readers": ("\n".join(readers_table()[:2]), readers, lambda _: [None]),
}


def made(names: Sequence[str], shared: Path, jobs: int) -> Iterator[tuple[str, str]]:
    """Each table by its name, the sets of all tables side by side."""
    with ProcessPoolExecutor(jobs) as pool:
        under_way = {
            name: [pool.submit(TABLES[name][1], some) for some in TABLES[name][2](shared)] for name in names
        }
        for name, parts in under_way.items():
            lines = [line for part in parts for line in part.result()]
            yield name, "\n".join([TABLES[name][0], *lines]) + "\n"


def main() -> None:
    """Writes the tables into the page."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    words.add_argument("shared", type=Path, nargs="?", default=DEFAULT)
    words.add_argument("--only", choices=tuple(TABLES), action="append")
    words.add_argument("--starter", action="store_true", help="the starter sets alone")
    words.add_argument(VERBOSE, action="store_true", help="print the rewritten answers that are misjudged")
    words.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    words.add_argument("--docs", type=Path, default=ROOT / "docs" / "validity.md")
    given = words.parse_args()
    names = given.only or list(TABLES)
    missing = [path for path in OFFICIAL.values() if not (given.shared / path).exists()]
    if missing and not given.starter and names != ["readers"]:
        raise SystemExit(
            f"{given.shared} lacks {', '.join(missing)}; give the folder that holds them, or --starter"
        )
    for name, table in made(names, given.shared, given.jobs):
        text = given.docs.read_text(encoding="utf-8")
        place = re.compile(rf"(<!-- {name}:start -->\n).*?(<!-- {name}:end -->)", re.DOTALL)
        if not place.search(text):
            raise SystemExit(f"{given.docs} has no place for the table {name}")
        given.docs.write_text(
            place.sub(lambda found, t=table: found.group(1) + t + found.group(2), text), encoding="utf-8"
        )
        print(f"wrote {name}: {table.count(chr(10)) - 2} lines", flush=True)


if __name__ == "__main__":
    main()
