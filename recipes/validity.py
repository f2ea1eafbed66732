"""The tables of docs/validity.md: attacks, changed gold, the solver without a model, errata.

    python recipes/validity.py [FOLDER]        # FOLDER holds data/ and parity/; default ../shared

About ten minutes, most of them for the distractors of official prompts. No model is asked.
Without the folder only the starter sets are tried. Output is Markdown.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from toolyard.benchmarks import load_benchmark
from toolyard.core.benchmark import Benchmark, RunSetup
from toolyard.core.types import Options, Sample
from toolyard.run.attacking import attack_benchmark
from toolyard.run.baselines import offline_summaries
from toolyard.run.checking import mutation_classes
from toolyard.run.data import prepared
from toolyard.run.evidence import Instruments
from toolyard.run.grading import grade_all
from toolyard.run.offline import play_offline
from toolyard.stats.agreement import share
from toolyard.stats.summary import summarise, values_of

DEFAULT = Path(__file__).resolve().parents[2] / "shared"
NAMES = ("nestools", "mtu", "toolbehonest")
OFFICIAL = {"nestools": "data/nestools", "mtu": "data/mtu", "toolbehonest": "parity/toolbh/test_en.json"}
SOLVED = {
    "nestools": ("tool_set", "selection_f1", "outcome"),
    "mtu": ("tool_set", "turn_success", "outcome"),
    "toolbehonest": ("outcome_l1", "verdict_f1", "outcome"),
}


def data_sets(name: str, shared: Path) -> Iterator[tuple[str, Path]]:
    """The starter set, and the shared one where it is at hand."""
    yield "starter", load_benchmark(name).data.starter
    path = shared / OFFICIAL[name]
    if path.exists():
        yield ("parity items" if name == "toolbehonest" else "official"), path


def attacks(shared: Path) -> None:
    """What answers earn that guess at the scorer."""
    print(
        "## Attacks\n\n| benchmark | data | attack | headline | outcome | floor |\n|---|---|---|---|---|---|"
    )
    for name in NAMES:
        for label, path in data_sets(name, shared):
            found = attack_benchmark(name, str(path), {})
            for each in found.attacks:
                headline = _shown(each.figures.get("headline"))
                print(
                    f"| {name} | {label} | {each.name} | {headline} | {_shown(each.earned)} | {_shown(each.floor)} |"
                )
            print(f"| {name} | {label} | gold-leak: prompts that change with gold | - | {found.leaks} | 0 |")


def changed_gold(shared: Path) -> None:
    """Gold with one thing changed: the share of wrong ones refused and of right ones granted."""
    print(
        "\n## Changed gold\n\n"
        "Shares of `number` changed answers with Wilson's 95 % interval, by `python recipes/validity.py`.\n\n"
        "| benchmark | data | change | must | number | does |\n|---|---|---|---|---|---|"
    )
    for name in NAMES:
        for label, path in data_sets(name, shared):
            benchmark, samples = _loaded(name, path, offers=False)
            setup = RunSetup.default(benchmark)
            golden = play_offline(setup, samples, benchmark.checks.oracle)
            for each in mutation_classes(setup, samples, golden):
                must = "pass" if each.right else "fail"
                seen = share(round(each.share * each.number), each.number)
                does = f"{each.share:.1%} [{100 * (seen.low or 0):.1f}, {100 * (seen.high or 0):.1f}]"
                print(f"| {name} | {label} | {each.kind} | {must} | {each.number} | {does} |")


def solver(shared: Path) -> None:
    """What shared words alone reach."""
    print("\n## Shared words alone\n\n| benchmark | data | n | figures |\n|---|---|---:|---|")
    for name in NAMES:
        for label, path in data_sets(name, shared):
            benchmark, samples = _loaded(name, path, offers=True)
            setup = RunSetup.default(benchmark)
            transcripts = play_offline(setup, samples, benchmark.checks.baselines["word-overlap"])
            figures = values_of(
                offline_summaries(setup, samples, transcripts, Instruments())["paper"].figures
            )
            shown = ", ".join(f"{figure} {_shown(figures[figure])}" for figure in SOLVED[name])
            print(f"| {name} | {label} | {len(samples)} | {shown} |")


def errata(shared: Path) -> None:
    """How far figures move with the errata: GPT-4's released answers, and the changed prediction sets."""
    print("\n## Errata\n\n| predictions | figure | without | with |\n|---|---|---|---|")
    sets = [("mtu", "GPT-4", shared / "data/mtu/responses", ("average", "turn_success", "outcome"))]
    sets += [
        ("nestools", file.stem, file, ("average", "tree", "outcome"))
        for file in sorted((shared / "parity/nestools").glob("*.jsonl"))
    ]
    for name, label, path, wanted in sets:
        if path.exists():
            before, after = (_scored(name, shared / OFFICIAL[name], path, option) for option in ("no", "yes"))
            for figure in wanted:
                print(f"| {name}, {label} | {figure} | {_shown(before[figure])} | {_shown(after[figure])} |")


def _scored(name: str, data: Path, predictions: Path, option: str) -> dict[str, float | None]:
    benchmark = load_benchmark(name)
    samples = benchmark.data.load(data, Options(benchmark.task.styles[0], values={"errata": option}))
    if benchmark.scoring.read_predictions is None:
        raise SystemExit(f"{name} reads no saved predictions")
    transcripts = benchmark.scoring.read_predictions(predictions, samples)
    graded = grade_all(RunSetup.default(benchmark), samples, transcripts, {}, "paper")
    return values_of(summarise(benchmark, graded, "paper").figures)


def _loaded(name: str, path: Path, *, offers: bool) -> tuple[Benchmark, tuple[Sample, ...]]:
    """The samples, with the distractors that their prompts offer where those matter."""
    benchmark = load_benchmark(name)
    samples = benchmark.data.load(path, Options(benchmark.task.styles[0]))
    return benchmark, prepared(benchmark, str(path), samples, "minilm", 0) if offers else samples


def _shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT
    for part in (changed_gold, errata, solver, attacks):
        part(folder)
