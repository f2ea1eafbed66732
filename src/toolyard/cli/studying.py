"""ways and curve: one task in every way to call, and with longer and longer lists of tools."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from toolyard.cli.model_settings import fill_in_models
from toolyard.cli.output import print_json, print_tables, write_page
from toolyard.cli.signature import takes_options
from toolyard.core.errors import UsageError
from toolyard.core.options import option
from toolyard.run.settings import Settings

if TYPE_CHECKING:
    from toolyard.core.benchmark import Benchmark
    from toolyard.report.content import Report

WAYS = ("native", "native-executed", "native-parallel", "code", "code-executed", "search")
SIZES = ("8", "16", "32", "64", "128", "256", "568")
MEANS = (
    "chance: the best trivial baseline on the same samples; requests, tokens and seconds are those of one sample; "
    "cut: at the token limit; "
    "too long: prompts beyond the context, which score as empty answers"
)
ALL_FIGURES = "All figures"
# Of a page, so that its name fits every file system.
LONGEST_STEM = 200
HTML = "Where the page goes; default: beside the first run."


@dataclass(frozen=True, slots=True)
class WaysOutput:
    """Which ways, and where the page goes."""

    ways: tuple[str, ...] = option(
        (),
        "--ways",
        help="Styles, the first is what others are compared with; default: all ways.",
        commas=True,
    )
    html: Path | None = option(None, "--html", help=HTML)
    json: bool = option(False, "--json", help="Print the table as JSON.")


@dataclass(frozen=True, slots=True)
class CurveOutput:
    """Which lengths, and where the page goes."""

    sizes: tuple[str, ...] = option(
        SIZES, "--sizes", help="Numbers of tools, e.g. 8,32,128; default: 8 to 568.", commas=True
    )
    far: bool = option(False, "--far", help="Other tools of other subjects, not of the same.")
    html: Path | None = option(None, "--html", help=HTML)
    json: bool = option(False, "--json", help="Print the table as JSON.")


@takes_options(Settings, WaysOutput, without={"style", "name"})
def ways(context: typer.Context, settings: Settings, output: WaysOutput) -> None:  # noqa: ARG001
    """Run one benchmark in every way to call tools, and print one table; repeat the command to resume.

    Example: toolyard ways nestools -m local --limit 20 --ways default,native,code
    """
    from toolyard.benchmarks import load_benchmark
    from toolyard.run.plan.run_config import require_style

    settings = fill_in_models(settings, settings.env_file, settings.prices)
    benchmark = load_benchmark(settings.benchmark)
    styles = benchmark.task.styles
    chosen = output.ways or (styles[0], *(way for way in WAYS if way in styles))
    changed = tuple(way for way in chosen if way in benchmark.task.preparation.results.styles)
    unchanged: tuple[str, ...] = ()
    # Where nothing would be left to compare, the first run says what is changed at all.
    if settings.perturb and not output.ways and changed[1:]:
        unchanged, chosen = tuple(way for way in chosen if way not in changed), changed
    names = list(dict.fromkeys(require_style(benchmark, way) for way in chosen))
    if len(names) < 2:
        raise UsageError(
            f"--ways {', '.join(names)} leaves nothing to compare; {benchmark.name} has {', '.join(styles)}"
        )
    plans = {name: replace(settings, style=name) for name in names}
    left = f"; left out, as they show no results of calls: {', '.join(unchanged)}" if unchanged else ""
    _play_and_show(plans, f"{_short_title(benchmark)}: ways to call", "way", f"{MEANS}{left}", output)


@takes_options(Settings, CurveOutput, without={"catalogue", "name"})
def curve(context: typer.Context, settings: Settings, output: CurveOutput) -> None:  # noqa: ARG001
    """Run one benchmark with longer and longer lists of tools, and name the knee; repeat the command to resume.

    Example: toolyard curve nestools -m local --limit 20 --sizes 8,32,128
    """
    from toolyard.benchmarks import load_benchmark

    settings = fill_in_models(settings, settings.env_file, settings.prices)
    sizes = sorted({size.strip() for size in output.sizes or SIZES}, key=_size_of_list)
    if len(sizes) < 2:
        raise UsageError("--sizes wants two numbers of tools or more, e.g. --sizes 8,32,128")
    kind = "far" if output.far else "near"
    plans = {size: replace(settings, catalogue=f"{size}:far" if output.far else size) for size in sizes}
    title = _short_title(load_benchmark(settings.benchmark))
    note = f"{kind} distractors; the needed tools are always among them; lead: what is above chance; {MEANS}"
    _play_and_show(plans, f"{title}: how many tools", "tools", note, output)


def _short_title(benchmark: Benchmark) -> str:
    return f"{benchmark.about.title.partition(':')[0]} {benchmark.version}"


def _page_name(name: str, plans: Collection[str]) -> str:
    """The file of a study's page: another one that begins with the same run has its own."""
    return f"{'_'.join(['ways' if name == 'way' else 'curve', *plans])[:LONGEST_STEM]}.html"


def _size_of_list(size: str) -> int:
    from toolyard.run.plan.catalogues import MOST_TOOLS

    if not size.isdecimal() or not 1 <= int(size[:9]) <= MOST_TOOLS:
        raise UsageError(
            f"--sizes {size[:40]!r}: wanted numbers of tools from 1 to {MOST_TOOLS:,}, e.g. 8,32,128"
        )
    return int(size)


def _perturbed_notes(labels: Collection[str], reports: Collection[Report]) -> list[str]:
    """In how many answers of each run its perturbation changed a result."""
    from toolyard.report.tables.run_tables import perturbed_note

    runs = zip(labels, reports, strict=True)
    return [f"{label}: {perturbed_note(report)}" for label, report in runs if report.run.config.perturb]


def _play_and_show(
    plans: dict[str, Settings], title: str, name: str, note: str, output: WaysOutput | CurveOutput
) -> None:
    """Plays the runs, then prints their table; the exit code is that of the runs."""
    from toolyard.cli.output_cache import Showing
    from toolyard.cli.progress import UNSCORED_ABOVE_LIMIT, play_runs
    from toolyard.report.compare.studies import (
        common_facts,
        conditions_line,
        find_knee,
        study_cells,
        study_chart,
        study_table,
    )
    from toolyard.report.page.tables_page import render_tables

    reports = play_runs(list(plans.values()), Showing(reports=False), together=True)
    cells = study_cells([(label, report.folder) for label, report in zip(plans, reports, strict=True)])
    lower = find_knee(cells) if name == "tools" else ""
    if name == "tools":
        shown = "the first list with a clearly smaller lead over chance"
        note = f"{note}; knee: {f'{lower} tools, {shown}' if lower else 'none in this range'}"
    if any(cell.unread_calls is not None for cell in cells):
        note = f"{note}; unread calls: samples with a call that the server left in the text"
    note = "; ".join([note, *_perturbed_notes(plans, reports)])
    line = conditions_line(cells)
    table = study_table(title, name, cells, f"{line}; {note}")
    if output.json:
        settings = [cell.to_json() for cell in cells]
        print_json(
            {"title": title, **common_facts(cells), "note": note, "knee": lower or None, "settings": settings}
        )
    else:
        print_tables([table])
    write_page(
        output.html or reports[0].folder / _page_name(name, plans),
        render_tables(title, line, [replace(table, title=ALL_FIGURES)], [study_chart(name, cells)]),
    )
    withheld = any(report.summaries["paper"].withheld for report in reports)
    raise typer.Exit(UNSCORED_ABOVE_LIMIT if withheld else 0)
