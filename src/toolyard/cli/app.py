"""The commands, in the order of an evaluation; what they do lives elsewhere and is imported when called."""

import typer

from toolyard.cli import (
    agreeing,
    comparing,
    exporting,
    gating,
    inventory,
    running,
    scoring,
    studying,
    synthesising,
    tooling,
)
from toolyard.cli.companions import BENCHMARK_OPTIONS, register_companions
from toolyard.cli.help_groups import GroupedCommands, GroupedOptions

app = typer.Typer(
    cls=GroupedCommands,
    name="toolyard",
    help="Measure how well language models use tools: ToolEyes, NesTools, MTU-Bench and ToolBeHonest in one suite.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def root(version: bool = typer.Option(False, "--version", help="Print the version and exit.")) -> None:
    """Options of the program itself."""
    if version:
        from toolyard import __version__

        typer.echo(__version__)
        raise typer.Exit


app.command("list")(inventory.list_benchmarks)
app.command("new")(inventory.new)
app.command("fetch")(inventory.fetch)
app.command("stats", context_settings=BENCHMARK_OPTIONS)(inventory.stats)
app.command("check", context_settings=BENCHMARK_OPTIONS)(inventory.check)
app.command("estimate", context_settings=BENCHMARK_OPTIONS)(running.estimate)
app.command("run", cls=GroupedOptions, context_settings=BENCHMARK_OPTIONS)(running.run)
app.command("score", context_settings=BENCHMARK_OPTIONS)(scoring.score)
app.command("report")(scoring.report)
app.command("agreement")(agreeing.agreement)
app.command("compare")(comparing.compare)
app.command("gate")(gating.gate)
app.command("ways", context_settings=BENCHMARK_OPTIONS)(studying.ways)
app.command("curve", context_settings=BENCHMARK_OPTIONS)(studying.curve)
app.command("export")(exporting.export)
app.add_typer(tooling.tools, name="tools")
app.command("serve")(tooling.serve)
app.command("synth", context_settings=BENCHMARK_OPTIONS)(synthesising.synth)
register_companions(app)
