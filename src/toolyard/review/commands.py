"""review: manual checks by several people, on a local page; view: reports in a browser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from toolyard.cli.companions import BENCHMARK_OPTIONS
from toolyard.cli.output import benchmark_options, print_json, print_tables
from toolyard.cli.signature import takes_options
from toolyard.core.errors import UsageError
from toolyard.core.options import option

if TYPE_CHECKING:
    from toolyard.review.review_subject import ReviewTarget


@dataclass(frozen=True, slots=True)
class ReviewSettings:
    """What a user can ask of `review`, each option stated once."""

    what: str = option(..., help="A data folder or file, a benchmark's name, or run directories.")
    annotator: str = option("", "--annotator", help="Who decides; each person takes a name of their own.")
    adjudicate: bool = option(False, "--adjudicate", help="Decide on rows where the others differ.")
    data: str = option(
        "starter", "--data", help="With a benchmark's name: starter, hard, official, or a path."
    )
    sample: int | None = option(None, "--sample", help="Only this many, drawn at random.")
    by: str = option("", "--by", help="Draw equally from each key of a group: scenario, or setting=M-S,S-M.")
    protocol: str = option(
        "",
        "--protocol",
        help="As in a paper: tooleyes, nestools, toolbehonest, mtu-train, mtu-test, mtu-figures.",
    )
    seed: int = option(0, "--seed", help="Seed of the sample and of left and right.")
    dimensions: tuple[str, ...] = option(
        (),
        "--dimensions",
        help="What runs are compared on, or rows looked at for, with reasons: query,chain:wrong order|no tool.",
        commas=True,
    )
    out: Path | None = option(None, "--out", help="Folder of the decisions; default: one in reviews.")
    export: Path | None = option(None, "--export", help="Write the reviewed set or the labels there.")
    summary: bool = option(False, "--summary", help="Print counts, accuracy and agreement.")
    host: str = option("127.0.0.1", "--host", help="Address to listen on; anything else is seen by others.")
    port: int = option(0, "--port", help="Port of the page; 0 takes a free one.", minimum=0, maximum=65535)
    json: bool = option(False, "--json", help="With --summary: print JSON.")

    @property
    def looks_only(self) -> bool:
        """Whether what was decided is shown or written, and nothing more decided."""
        return self.export is not None or self.summary or self.json


@takes_options(ReviewSettings)
def review(context: typer.Context, settings: ReviewSettings) -> None:
    """Check data by hand, or compare two runs blind, on a local page.

    Examples: toolyard review data/mine --annotator ada;
    toolyard review mtu --data official --sample 500 --annotator ada;
    toolyard review data/mine --protocol nestools --annotator ada;
    toolyard review data/mine --annotator grace --adjudicate; toolyard review data/mine --export data/reviewed;
    toolyard review runs/a runs/b --dimensions intent,quality --annotator ada;
    toolyard review runs/a runs/b runs/c --protocol tooleyes --annotator ada
    """
    from toolyard.review import label_export as exporting
    from toolyard.review.review_sitting import Seat, open_review, serve_review

    if not settings.annotator and not settings.looks_only:
        raise UsageError("who decides? add --annotator NAME (or --summary, or --export DIR)")
    target = _target_of_review(settings, pop_run_arguments(context), benchmark_options(context))
    place = (settings.adjudicate, settings.host, settings.port)
    seat = Seat(settings.annotator, *place) if settings.annotator else None
    begin = seat is not None and not settings.adjudicate and not settings.looks_only
    sitting = open_review(target, settings.out, begin=begin)
    if settings.export is not None:
        typer.echo(f"written: {exporting.export_review(sitting.subject, sitting.folder, settings.export)}")
    if settings.json:
        print_json(exporting.summary_json(sitting.subject, sitting.folder))
    elif settings.looks_only:
        print_tables(exporting.review_tables(sitting.subject, sitting.folder))
    elif seat is not None:
        raise SystemExit(serve_review(sitting, seat, typer.echo))


def _target_of_review(
    settings: ReviewSettings, runs: Sequence[str], options: Mapping[str, str]
) -> ReviewTarget:
    """What is reviewed: as the options say, completed by the protocol of a paper."""
    from toolyard.review.drawn_samples import find_protocol
    from toolyard.review.review_subject import ReviewTarget

    sample, by, names, protocol = settings.sample, settings.by, settings.dimensions, settings.protocol
    if protocol:
        chosen = find_protocol(protocol)
        if chosen.pairs and not runs:
            raise UsageError(f"--protocol {protocol} compares runs; name two run directories or more")
        if runs and not chosen.pairs:
            raise UsageError(f"--protocol {protocol} looks at rows; name a data folder or a benchmark")
        sample, by, names = sample or chosen.sample, by or chosen.by, names or chosen.perspectives
        typer.echo(f"{protocol}: {chosen.people}", err=True)
    second, others = (runs[0] if runs else ""), tuple(runs[1:])
    return ReviewTarget(
        settings.what, second, settings.data, sample, settings.seed, names, options, others, by
    )


def pop_run_arguments(context: typer.Context) -> list[str]:
    """The words without a dash after the first, taken from what the benchmark's own options leave open."""
    # As arguments of their own they would swallow the name of a benchmark's option.
    runs = []
    while context.args and not context.args[0].startswith("--"):
        runs.append(context.args.pop(0))
    return runs


def view(
    target: Path = typer.Argument(Path("runs"), help="A run directory, or a folder that holds runs."),
    host: str = typer.Option(
        "127.0.0.1",
        "--host",
        help="Address to listen on; anything else is seen by others, who need the token.",
    ),
    port: int = typer.Option(0, "--port", min=0, max=65535, help="Port of the pages; 0 takes a free one."),
) -> None:
    """Serve reports and an index of runs on this machine until Ctrl-C.

    Examples: toolyard view runs; toolyard view runs/nestools_local_1a2b3c4d --port 8000
    """
    from toolyard.review.web.view_pages import report_server

    with report_server(target, host, port) as server:
        code = server.serve(lambda: typer.echo(f"{server.url} (stop with Ctrl-C)"))
    typer.echo("stopped")
    raise SystemExit(code)


def register(app: typer.Typer) -> None:
    """Adds `review` and `view` to the program."""
    app.command("view")(view)
    app.command("review", context_settings=BENCHMARK_OPTIONS)(review)
