"""certify: is a model served soundly, and which part of the stack loses each point?"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from toolyard.cli.bars import SECONDS_BETWEEN_LINES, live_bar
from toolyard.cli.output import print_json, print_tables
from toolyard.cli.stopping import finish
from toolyard.text.printable import printable_line

if TYPE_CHECKING:
    from toolyard.certify.certificate import Certificate, Paired
    from toolyard.certify.probe import Probe
    from toolyard.models.spec import ModelSpec

DEFECTS_FOUND = 2


def certify(
    model: str = typer.Argument(
        help="Any MODEL, e.g. openai/NAME?base_url=http://HOST/v1, local, hf/FOLDER."
    ),
    against: str = typer.Option("", "--against", help="A reference endpoint, for a paired difference."),
    probes: int | None = typer.Option(None, "--probes", help="At most so many, over all features in turns."),
    surface: list[str] = typer.Option([], "--surface", help="Only this surface; may be given again."),
    feature: list[str] = typer.Option(
        [], "--feature", help="Only tasks of this feature; may be given again."
    ),
    out: Path = typer.Option(Path("certificates"), "--out", help="Where answers and certificates are kept."),
    concurrency: int | None = typer.Option(None, "--concurrency", help="Requests at a time."),
    timeout: float = typer.Option(300.0, "--timeout", help="Seconds for one request."),
    json: bool = typer.Option(False, "--json", help="Print JSON instead of tables."),
) -> None:
    """Probes a serving stack and names its defects; exit 0 sound, 2 defects found. The same command goes on.

    Example: toolyard certify "openai/my-model?base_url=http://localhost:8000/v1" --probes 60
    """
    from toolyard.certify.asking import folder_of
    from toolyard.certify.certificate import paired
    from toolyard.certify.place import check
    from toolyard.certify.probe import chosen_probes

    specs = [check(each) for each in (model, against) if each]
    chosen = chosen_probes(surface, probes, feature)
    found = [_certified(spec, chosen, out, concurrency, timeout) for spec in specs]
    difference = paired(found[0], found[1]) if len(found) > 1 else None
    _show(folder_of(specs[0], out), found[0], difference, json=json)
    if not found[0].sound:
        raise typer.Exit(DEFECTS_FOUND)


def _show(folder: Path, found: Certificate, difference: Paired | None, *, json: bool) -> None:
    """Writes the certificate and prints it."""
    from toolyard.report.export.certificate_files import certificate_json, write_certificate
    from toolyard.report.tables.certificate_tables import certificate_tables

    write_certificate(folder, found, difference)
    if json:
        print_json(certificate_json(found, difference))
        return
    print_tables(certificate_tables(found, difference))
    typer.echo(f"certificate: {folder / 'certificate.html'} (also certificate.json, junit.xml, badge.svg)")


def _certified(
    spec: ModelSpec, probes: tuple[Probe, ...], out: Path, concurrency: int | None, timeout: float
) -> Certificate:
    from toolyard.certify.asking import ask_all, folder_of
    from toolyard.certify.certificate import certificate_of

    with _progress(spec.display) as show:
        work = ask_all(
            spec, probes, folder_of(spec, out), concurrency=concurrency, timeout=timeout, show=show
        )
        answers = finish(work)
    return certificate_of(spec.display, probes, answers)


@contextmanager
def _progress(title: str) -> Iterator[Callable[[int, int], None]]:
    """A live bar on a terminal, a line now and then elsewhere."""
    with live_bar() as bar:
        task = None if bar is None else bar.add_task(printable_line(title), facts="")
        last = [0.0]

        def show(done: int, total: int) -> None:
            if bar is not None and task is not None:
                bar.update(task, total=total, completed=done)
            elif done == total or time.monotonic() - last[0] > SECONDS_BETWEEN_LINES:
                last[0] = time.monotonic()
                typer.echo(printable_line(f"{title}: {done}/{total} probes"), err=True)

        yield show
