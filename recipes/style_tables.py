"""Format errors and headline of each style, from the stored answers of real models; no model is asked.

    python recipes/style_tables.py [--official DIR] > bench/results/styles.md     # DIR: default ../shared/data

Runs on the same data are put together; a style stands beside others only where one model answered in several.
A pack whose data are not here, or have changed, is named below the table and left out.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import orjson
from results_runs import BUILD, HERE, Scored, score_packs

sys.path.append(str(HERE.parent / "bench"))
from styles import format_errors

from toolyard.report.compare.compared_runs import load_compared
from toolyard.run.run import Run
from toolyard.stats.bootstrap import Estimate

ANSWERS = HERE.parent / "records" / "answers" / "results"
HEAD = "| benchmark, data | model | style | answers | format errors | headline, % |\n|---|---|---|---:|---:|---:|"


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--official", type=Path, default=HERE.parents[1] / "shared" / "data")
    parser.add_argument("--jobs", type=int, default=None)
    arguments = parser.parse_args()
    index = orjson.loads((ANSWERS / "index.json").read_bytes())
    files = {ANSWERS / name: sha256 for name, sha256 in index.items() if in_several_styles(name, list(index))}
    scored, left_out = score_packs(files, BUILD / "styles", arguments.official, arguments.jobs)
    print("# Format errors and headline of each style, from stored answers\n")
    print(HEAD)
    for line in sorted(set(lines(scored))):
        print(line)
    print("".join(f"\nLeft out: {why.replace(str(HERE.parents[1]), '...')}" for why in sorted(left_out)))


def in_several_styles(name: str, names: list[str]) -> bool:
    """Whether the same model answered the same data in another style, too."""
    benchmark, model, _, data = name.split("_")[:4]
    alike = [each.split("_")[:4] for each in names]
    styles = {style for other, by, style, of in alike if (other, by, of) == (benchmark, model, data)}
    return len(styles) > 1


def lines(scored: list[Scored]) -> Iterator[str]:
    """One line for each run at the paper's temperature."""
    for item in scored:
        run = Run.open(item.folder)
        if run.config.decoding.temperature != run.benchmark.task.decoding_on().temperature:
            continue
        benchmark, model, _, data = item.folder.name.split("_")[:4]
        # File names have the style's name of their day.
        style = run.config.style
        compared = load_compared(item.folder, "paper", {})
        headline = compared.setup.headline
        shown = f"{headline} {percent(compared.summary.figures[headline])}"
        faults = f"{100 * format_errors(run):.1f} %"
        yield f"| {benchmark}, {data} | {model} | {style} | {len(compared.graded)} | {faults} | {shown} |"


def percent(figure: Estimate) -> str:
    """A figure with its interval."""
    if figure.value is None:
        return "–"
    interval = (
        ""
        if figure.low is None or figure.high is None
        else f" [{100 * figure.low:.1f}, {100 * figure.high:.1f}]"
    )
    return f"{100 * figure.value:.1f}{interval}"


if __name__ == "__main__":
    main()
