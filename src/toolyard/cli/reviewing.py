"""review: manual checks by several people, on a local page."""

from __future__ import annotations

from pathlib import Path

import typer

from toolyard.cli.output import benchmark_options, print_json, print_tables


def review(
    context: typer.Context,
    what: str = typer.Argument(help="A data folder or file, a benchmark's name, or run directories."),
    annotator: str = typer.Option(
        "", "--annotator", help="Who decides; each person takes a name of their own."
    ),
    adjudicate: bool = typer.Option(
        False, "--adjudicate", help="Decide finally on what the others differ about."
    ),
    data: str = typer.Option(
        "starter", "--data", help="With a benchmark's name: starter, official, or a path."
    ),
    sample: int | None = typer.Option(None, "--sample", help="Only this many, drawn at random."),
    by: str = typer.Option(
        "", "--by", help="Draw equally from each key of a group: scenario, or setting=M-S,S-M."
    ),
    protocol: str = typer.Option(
        "", "--protocol", help="As in a paper: tooleyes, nestools, mtu-train, mtu-test, mtu-figures."
    ),
    seed: int = typer.Option(0, "--seed", help="Seed of the sample and of left and right."),
    dimensions: str = typer.Option(
        "",
        "--dimensions",
        help="What runs are compared on, or rows looked at for, with reasons: query,chain:wrong order|no tool.",
    ),
    out: Path | None = typer.Option(None, "--out", help="Folder of the decisions; default: reviews/..."),
    export: Path | None = typer.Option(None, "--export", help="Write the reviewed set or the labels there."),
    summary: bool = typer.Option(False, "--summary", help="Print counts, accuracy and agreement."),
    host: str = typer.Option(
        "127.0.0.1", "--host", help="Address to listen on; anything else is seen by others."
    ),
    port: int = typer.Option(0, "--port", min=0, max=65535, help="Port of the page; 0 takes a free one."),
    json: bool = typer.Option(False, "--json", help="With --summary: print JSON."),
) -> None:
    """Check data by hand: accept, reject, edit; or prefer one of two runs, blind. Opens a local page.

    Examples: toolyard review data/mine --annotator ada;
    toolyard review mtu --data official --sample 500 --annotator ada;
    toolyard review data/mine --protocol nestools --annotator ada;
    toolyard review data/mine --annotator grace --adjudicate; toolyard review data/mine --export data/reviewed;
    toolyard review runs/a runs/b --dimensions intent,quality --annotator ada;
    toolyard review runs/a runs/b runs/c --protocol tooleyes --annotator ada
    """
    from toolyard.core.errors import UsageError
    from toolyard.review import export as exporting
    from toolyard.review.drawing import protocol_of
    from toolyard.review.sitting import Seat, open_review, serve
    from toolyard.review.subject import SubjectWish

    if not (annotator or export or summary or json):
        raise UsageError("who decides? add --annotator NAME (or --summary, or --export DIR)")
    runs = further_runs(context)
    names = tuple(part.strip() for part in dimensions.split(",") if part.strip())
    if protocol:
        chosen = protocol_of(protocol)
        if chosen.pairs and not runs:
            raise UsageError(f"--protocol {protocol} compares runs; name two run directories or more")
        if runs and not chosen.pairs:
            raise UsageError(f"--protocol {protocol} looks at rows; name a data folder or a benchmark")
        sample, by, names = sample or chosen.sample, by or chosen.by, names or chosen.perspectives
        typer.echo(f"{protocol}: {chosen.people}", err=True)
    second, others = (runs[0] if runs else ""), tuple(runs[1:])
    wish = SubjectWish(what, second, data, sample, seed, names, benchmark_options(context), others, by)
    seat = Seat(annotator, adjudicate, host, port) if annotator else None
    looks_only = export is not None or summary or json
    sitting = open_review(wish, out, begin=seat is not None and not adjudicate and not looks_only)
    if export is not None:
        typer.echo(f"written: {exporting.export(sitting.subject, sitting.folder, export)}")
    if json:
        print_json(exporting.summary(sitting.subject, sitting.folder))
    elif summary or export is not None:
        print_tables(exporting.tables(sitting.subject, sitting.folder))
    elif seat is not None:
        raise SystemExit(serve(sitting, seat, typer.echo))


def further_runs(context: typer.Context) -> list[str]:
    """The words without a dash after the first, taken from what the benchmark's own options leave open."""
    # As arguments of their own they would swallow the name of a benchmark's option.
    runs = []
    while context.args and not context.args[0].startswith("--"):
        runs.append(context.args.pop(0))
    return runs
