"""run --sensitivity and compare --sensitivity: the same samples under changes, and what stands them."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from toolyard.benchmarks import load_benchmark
from toolyard.cli.output import print_json, print_tables, write_page
from toolyard.cli.output_cache import Showing
from toolyard.cli.progress import watch_runs
from toolyard.core.errors import UsageError
from toolyard.core.types import Profile
from toolyard.run.plan.run_config import require_style
from toolyard.run.plan.variations import find_variation
from toolyard.run.run import Run
from toolyard.run.settings import Settings

ALL = "all"


def watch_variations(wanted: Sequence[Settings], names: Sequence[str], showing: Showing) -> int:
    """Runs base and variations of each benchmark, then its sensitivity; the exit code of the command."""
    plans = [_varied_settings(settings, names) for settings in wanted]
    code = watch_runs([each for plan in plans for each in plan], replace(showing, json=False))
    for plan in plans:
        folders = [Run.plan(each).folder for each in plan]
        page = folders[0] / "sensitivity.html"
        show_sensitivity(folders, "paper", html=page, json=showing.json)
    return code


def _varied_settings(settings: Settings, names: Sequence[str]) -> list[Settings]:
    """The base and each variation; a run directory's name is the base's with the variation behind it."""
    if settings.variation:
        raise UsageError(
            "--variation runs one variation, --sensitivity the base and several; give one of them"
        )
    benchmark = load_benchmark(settings.benchmark)
    style = require_style(benchmark, settings.style)
    chosen = list(names)
    if chosen == [ALL]:
        # How a model thinks can be asked of few endpoints: by name alone.
        chosen = [
            name
            for name, item in benchmark.task.variations.items()
            if not item.model and (not item.styles or style in item.styles)
        ]
    for name in chosen:
        find_variation(benchmark, name)
    named = [
        replace(settings, variation=name, name=f"{settings.name}-{name}" if settings.name else None)
        for name in chosen
    ]
    return [settings, *named]


def show_sensitivity(
    folders: Sequence[Path], profile: Profile, *, html: Path | None = None, json: bool = False
) -> None:
    """The sensitivity of these runs, as tables or JSON, and as a page."""
    from toolyard.report.charts.sensitivity_charts import sensitivity_charts
    from toolyard.report.compare.sensitivity import measure_sensitivity, sensitivity_tables
    from toolyard.report.page.tables_page import render_tables

    found = measure_sensitivity(folders, profile)
    tables = sensitivity_tables(found)
    if json:
        print_json(found.to_json())
    else:
        print_tables(tables)
    if html is not None:
        names = {table.title: table.title.removeprefix(f"{found.title}: ").capitalize() for table in tables}
        charts = sensitivity_charts(found)
        write_page(
            html,
            render_tables(f"Sensitivity: {found.title}", ", ".join(found.spread()), tables, charts, names),
        )
