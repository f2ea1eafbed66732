"""The results table of the README, from run directories and from GPT-4's released MTU answers.

    python recipes/results_table.py RUN [RUN ...] [--mtu DIR] [--write]

`toolyard run BENCH -m MODEL` makes a run directory; DIR holds the official MTU data with `responses/`.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from toolyard import score
from toolyard.report.content import Report, load_report
from toolyard.report.tables.formats import above, percent, with_interval, words

README = Path(__file__).resolve().parents[1] / "README.md"
PLACE = re.compile(r"(<!-- results:start -->\n).*?(<!-- results:end -->)", re.DOTALL)
HEAD = (
    "| model | benchmark, data | headline figure | samples | `paper` | `official` | best trivial baseline | above chance |",
    "|---|---|---|---:|---:|---:|---:|---:|",
)


def row(report: Report) -> str:
    """One line: the headline figure of the model, of the best baseline, and what is above chance."""
    summary = report.summaries["paper"]
    figure = report.setup.headline
    best = max(report.baselines["paper"], key=lambda baseline: baseline.figures.get(figure) or 0.0)
    official = report.summaries.get("official")
    cells = (
        report.model.partition("/")[2] or report.model,
        f"`{report.benchmark.name}` {summary.version}, {data_of(report)}",
        words(figure),
        summary.samples,
        with_interval(summary.figures[figure]),
        "" if official is None else percent(official.figures[figure].value),
        f"{percent(best.figures.get(figure))} (`{best.name}`)",
        above(report.corrected(figure)),
    )
    return "| " + " | ".join(map(str, cells)) + " |"


def data_of(report: Report) -> str:
    """What the run was made on, in a word."""
    name = report.run.config.data
    limit = report.run.config.limit
    kind = name if name in ("starter", "official") or name.startswith("fresh") else "official"
    return kind if limit is None else f"{kind}, --limit {limit}"


def released(folder: Path) -> str:
    """GPT-4's own answers, as the authors released them."""
    answers = folder / "responses"
    paper, official = (
        score("mtu", answers, data=str(folder), profile=name) for name in ("paper", "official")
    )
    return (
        f"| GPT-4, released answers | `mtu` {paper.version}, official | average | {paper.samples} | "
        f"{with_interval(paper.figures['average'])} | {percent(official.figures['average'].value)} | | |"
    )


def main() -> None:
    """Prints the table, and writes it where wanted."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runs", type=Path, nargs="*")
    parser.add_argument("--mtu", type=Path)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    lines = [row(load_report(folder)) for folder in arguments.runs]
    if arguments.mtu is not None:
        lines.append(released(arguments.mtu))
    text = "\n".join([*HEAD, *lines, ""])
    print(text)
    if arguments.write:
        README.write_text(PLACE.sub(lambda found: found.group(1) + text + found.group(2), README.read_text()))


if __name__ == "__main__":
    main()
