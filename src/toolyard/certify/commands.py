"""certify: is a model served correctly, and which part of the stack loses each point?"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from toolyard.cli.model_settings import fill_in_models
from toolyard.cli.output import print_json, print_tables
from toolyard.cli.progress_bars import SECONDS_BETWEEN_LINES, live_bar
from toolyard.cli.signature import takes_options
from toolyard.core.options import option
from toolyard.core.processes.stopping import finish_or_cancel
from toolyard.models.settings import Surroundings
from toolyard.text.printable import printable_line

if TYPE_CHECKING:
    from toolyard.certify.certificate import Certificate, Paired
    from toolyard.certify.probe import Probe
    from toolyard.models.spec import ModelSpec

DEFECTS_FOUND = 2
# As the room of certificates has them, which is loaded when it is asked for.
SURFACES = ("chat", "chat-stream", "responses", "responses-stream", "prompt", "prompt-stream")
FEATURES = (
    "plain", "enums", "nested schemas", "recursive schemas", "unions", "optional arguments", "strict schemas",
    "long arguments", "Unicode", "escaped arguments", "parallel calls", "several calls", "forced choice", "no choice",
    "many tools", "names", "tool results", "tool results with errors", "thoughts in between", "system messages",
    "prompt counts", "limits",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class CertifySettings:
    """What a user can ask of `certify`, each option stated once."""

    model: str = option(..., help="Any MODEL, e.g. openai/NAME?base_url=http://HOST/v1, local, hf/FOLDER.")
    against: str = option("", "--against", help="A reference endpoint, for a paired difference.")
    probes: int | None = option(None, "--probes", help="At most this many probes, over all features in turn.")
    surface: tuple[str, ...] = option(
        (), "--surface", help="Only this surface; may be given again.", choices=SURFACES
    )
    feature: tuple[str, ...] = option(
        (), "--feature", help="Only tasks of this feature; may be given again.", choices=FEATURES
    )
    out: Path = option(Path("certificates"), "--out", help="Where answers and certificates are kept.")
    concurrency: int | None = option(None, "--concurrency", help="Requests at a time.")
    timeout: float = option(300.0, "--timeout", help="Seconds for one request.")
    max_cost: float | None = option(
        None, "--max-cost", help="Dollars it may cost, over all its sessions; needs a price.", minimum=0
    )
    json: bool = option(False, "--json", help="Print JSON instead of tables.")


@takes_options(CertifySettings, Surroundings)
def certify(settings: CertifySettings, surroundings: Surroundings) -> None:
    """Probe a serving stack and name its defects; repeat to resume.

    Exit code 0: no defect; 2: defects found; 5: stopped at --max-cost; 1: your mistake, or an endpoint that does not answer.

    Example: toolyard certify "openai/my-model?base_url=http://localhost:8000/v1" --probes 60
    """
    from toolyard.certify.certificate import paired_difference
    from toolyard.certify.model_endpoint import check_model_spec
    from toolyard.certify.probe import chosen_probes
    from toolyard.certify.probe_asking import answers_folder

    settings = fill_in_models(settings, surroundings.env_file, surroundings.prices)
    specs = [check_model_spec(each) for each in (settings.model, settings.against) if each]
    chosen = chosen_probes(settings.surface, settings.probes, settings.feature)
    found = [_certify_model(spec, chosen, settings) for spec in specs]
    difference = paired_difference(found[0], found[1]) if len(found) > 1 else None
    _show_certificate(answers_folder(specs[0], settings.out), found[0], difference, json=settings.json)
    if not found[0].sound:
        raise typer.Exit(DEFECTS_FOUND)


def _show_certificate(folder: Path, found: Certificate, difference: Paired | None, *, json: bool) -> None:
    """Writes the certificate and prints it."""
    from toolyard.certify.certificate_files import certificate_json, write_certificate
    from toolyard.certify.certificate_tables import certificate_tables

    write_certificate(folder, found, difference)
    if json:
        print_json(certificate_json(found, difference))
        return
    print_tables(certificate_tables(found, difference))
    typer.echo(f"certificate: {folder / 'certificate.html'} (also certificate.json, junit.xml, badge.svg)")


def _certify_model(spec: ModelSpec, probes: tuple[Probe, ...], settings: CertifySettings) -> Certificate:
    from toolyard.certify.certificate import make_certificate
    from toolyard.certify.probe_asking import answers_folder, ask_all

    with _show_progress(spec.display) as show:
        folder, limits = answers_folder(spec, settings.out), (settings.concurrency, settings.timeout)
        work = ask_all(
            spec,
            probes,
            folder,
            concurrency=limits[0],
            timeout=limits[1],
            show=show,
            max_cost=settings.max_cost,
        )
        answers = finish_or_cancel(work)
    return make_certificate(spec.display, probes, answers)


@contextmanager
def _show_progress(title: str) -> Iterator[Callable[[int, int], None]]:
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


def register(app: typer.Typer) -> None:
    """Adds `certify` to the program."""
    app.command("certify")(certify)
