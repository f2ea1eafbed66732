"""run and estimate: the verbs that need a model, and what they would cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from toolyard.cli.model_settings import fill_in_models
from toolyard.cli.output import print_json, print_tables, wants_paper
from toolyard.cli.settings_file import take_settings
from toolyard.cli.signature import takes_options
from toolyard.core.errors import UsageError
from toolyard.core.options import option
from toolyard.models.settings import Requests, Surroundings
from toolyard.run.settings import PUBLISHED, Settings

if TYPE_CHECKING:
    from toolyard.cli.output_cache import Showing


CONFIG = typer.Option(
    None,
    "--config",
    help="YAML file with these options, e.g. `benchmark: nestools` and `model: [local]`; the command line goes first.",
    callback=take_settings,
    is_eager=True,
)


@dataclass(frozen=True, slots=True)
class RunOutput:
    """Which runs are made beside the one that the settings name, and what is printed and drawn of them."""

    sensitivity: tuple[str, ...] = option(
        (),
        "--sensitivity",
        help="Run the base, then each of these variations (several with commas, or all), and end in a table of what "
        "they change.",
        commas=True,
    )
    compare: str | None = option(None, "--compare", help=PUBLISHED)
    fresh: bool = option(
        False, "--fresh", help="Run a set made from the world; with --data also that, and the difference."
    )
    fresh_seed: int | None = option(
        None, "--fresh-seed", minimum=0, help="Seed of the fresh set; default: one per month, e.g. 202611."
    )
    fail_under: float | None = option(
        None,
        "--fail-under",
        minimum=0.0,
        maximum=1.0,
        help="Exit with 3 if the headline metric is below this fraction, e.g. 1 to fail a build on one failed case.",
    )
    full: bool = option(False, "--full", help="Print every metric, every breakdown and all error counts.")
    no_report: bool = option(
        False, "--no-report", help="Write no report; `toolyard report RUN` writes the same one later."
    )
    json: bool = option(False, "--json", help="Print the metrics as JSON.")

    def showing(self) -> Showing:
        """What is printed and written of each run."""
        from toolyard.cli.output_cache import Showing

        return Showing(
            published=wants_paper(self.compare),
            full=self.full,
            reports=not self.no_report,
            json=self.json,
            fail_under=self.fail_under,
        )


@takes_options(Settings, RunOutput)
def run(
    context: typer.Context,
    settings: Settings,
    output: RunOutput,
    several: Mapping[str, tuple[str, ...]],
    config: Path | None = CONFIG,  # noqa: ARG001 - read before the other options
) -> None:
    """Run benchmarks on models; repeat the command to resume.

    Options of the benchmark itself, e.g. --history own for mtu, are given in the same way; toolyard list names them.
    A case file (cases.yaml) calls a mirror of its tools; with --live its calls go to the real tools.

    Examples: toolyard run nestools -m local --limit 3;
    toolyard run nestools,mtu -m base=local -m tuned=local-tuned;
    toolyard run all -m "openai/my-model?base_url=http://localhost:8000/v1"
    """
    from toolyard.cli.missing_requirements import split_runnable
    from toolyard.cli.progress import say_on_stderr, watch_runs
    from toolyard.cli.sensitivity_commands import watch_variations

    showing = output.showing()
    label = str(context.params["label"])
    models = [
        fill_in_models(replace(settings, model=model, label=label), settings.env_file, settings.prices)
        for model in several["model"]
    ]
    wanted = [each for one in models for each in _wanted_runs(context, one, output)]
    if len(wanted) > 1 and (settings.name or label):
        flag = "--name" if settings.name else "--label"
        raise UsageError(f"{flag} is for one run, these are {len(wanted)}; -m NAME=MODEL labels each model")
    _refuse_shared_label(models)
    wanted, lacks = split_runnable(wanted) if settings.benchmark == "all" else (wanted, [])
    for lack in lacks:
        say_on_stderr(lack.line)
    varied = output.sensitivity
    code = watch_variations(wanted, varied, showing) if varied else watch_runs(wanted, showing)
    # Once more where the tables have carried the first lines away.
    for lack in lacks:
        say_on_stderr(lack.line)
    raise typer.Exit(code)


def _refuse_shared_label(models: list[Settings]) -> None:
    for label, number in Counter(each.label for each in models if each.label).items():
        if number > 1:
            raise UsageError(f"-m names {label!r} twice; tables would not tell the two apart")


def _wanted_runs(context: typer.Context, settings: Settings, output: RunOutput) -> list[Settings]:
    """The runs that are asked for: one of each benchmark, or of a fresh set beside the named data."""
    from toolyard.cli.progress import fresh_settings
    from toolyard.run.cost.estimate import per_benchmark

    if not output.fresh and output.fresh_seed is None:
        return list(per_benchmark(settings))
    source = context.get_parameter_source("data")
    beside = source is not None and source.name == "COMMANDLINE"
    number = int(f"{date.today():%Y%m}") if output.fresh_seed is None else output.fresh_seed
    return fresh_settings(settings, number, beside=beside)


@takes_options(
    Settings,
    without={item.name for item in fields(Requests)} - {item.name for item in fields(Surroundings)}
    | {"minutes"},
)
def estimate(
    context: typer.Context,  # noqa: ARG001 - the benchmark's own options are read from it
    settings: Settings,
    json: bool = typer.Option(False, "--json", help="Print JSON instead of a table."),
) -> None:
    """Count requests, tokens and price of a run; send nothing.

    Example: toolyard estimate nestools -m "openai/gpt-4o-mini?price=0.15,0.60" --data official
    """
    from toolyard.cli.missing_requirements import split_runnable
    from toolyard.cli.progress import say_on_stderr
    from toolyard.report.tables.overview_tables import estimate_table
    from toolyard.run.cost.estimate import estimate_runs, per_benchmark

    settings = fill_in_models(settings, settings.env_file, settings.prices)
    able, lacks = (
        split_runnable(list(per_benchmark(settings))) if settings.benchmark == "all" else ([settings], [])
    )
    found = [item for each in able for item in estimate_runs(each)]
    for lack in lacks:
        if not lack.figures:
            say_on_stderr(lack.line)
    if json:
        print_json([item.to_json() for item in found])
    else:
        print_tables([estimate_table(found)])
