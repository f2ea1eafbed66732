"""The results table of the README: the bundled model beside trivial baselines on every starter set.

    python recipes/results_table.py --limit 8            # print
    python recipes/results_table.py --limit 8 --write    # and put it into README.md

Takes about 25 minutes on two cores; stopped and started again it goes on where it was.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from toolyard import evaluate
from toolyard.benchmarks import benchmark_names
from toolyard.report.content import Report, load_report
from toolyard.report.tables.formats import above, percent, with_interval, words

README = Path(__file__).resolve().parents[1] / "README.md"
PLACE = re.compile(r"(<!-- results:start -->\n).*?(<!-- results:end -->)", re.DOTALL)


def row(report: Report) -> str:
    """One line: the headline figure of the model, of the best baseline, and what is above chance."""
    summary = report.summaries["paper"]
    # Without a judge ToolEyes has no headline; its outcome needs none.
    headline = report.setup.headline
    figure = headline if summary.figures[headline].value is not None else "outcome"
    best = max(report.baselines["paper"], key=lambda baseline: baseline.figures.get(figure) or 0.0)
    cells = (
        f"`{report.benchmark.name}` {summary.version}",
        words(figure),
        summary.samples,
        with_interval(summary.figures[figure]),
        percent(report.summaries["official"].figures[figure].value),
        f"{percent(best.figures.get(figure))} (`{best.name}`)",
        above(report.corrected(figure)),
    )
    return "| " + " | ".join(map(str, cells)) + " |"


def table(reports: list[Report], arguments: argparse.Namespace) -> str:
    """The whole section."""
    command = f"python recipes/results_table.py --limit {arguments.limit} --max-tokens {arguments.max_tokens}"
    return "\n".join(
        [
            "## Results",
            "",
            "SmolLM2-135M-Instruct, the bundled model, on the starter sets (percent; 95 % interval; `paper` profile",
            "beside `official`). A model of 135 million parameters is no better at this than the best trivial baseline,",
            f"and the table says so. Made by `{command}`.",
            "",
            "| benchmark | headline figure | samples | model | official | best trivial baseline | above chance |",
            "|---|---|---:|---:|---:|---:|---:|",
            *map(row, reports),
            "",
        ]
    )


def main() -> None:
    """Runs what is missing, prints the table, and writes it where wanted."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--limit", type=int, default=8)
    parser.add_argument("--max-tokens", type=int, default=256)
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    reports = []
    for name in benchmark_names():
        result = evaluate(
            name,
            "local",
            limit=arguments.limit,
            max_tokens=arguments.max_tokens,
            runs=arguments.runs,
            concurrency=2,
        )
        reports.append(load_report(result.folder))
    text = table(reports, arguments)
    print(text)
    if arguments.write:
        README.write_text(PLACE.sub(lambda found: found.group(1) + text + found.group(2), README.read_text()))


if __name__ == "__main__":
    main()
