"""bundle, verify and board: a run as one file for others, what they find in it, and a leaderboard of such files."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from toolyard.cli.output import print_json, print_tables, write_output, write_page
from toolyard.cli.signature import takes_options
from toolyard.core.options import option
from toolyard.text.printable import printable_line

if TYPE_CHECKING:
    from toolyard.passport.bundle_verification import Verification

# As of `gate`: 3 says no, 4 says that nobody can tell.
EXIT_CODES = {"confirmed": 0, "changed": 3, "unchecked": 4}
ENDING = ".bundle.zip"


@dataclass(frozen=True, slots=True)
class BundleSettings:
    """What a user can ask of `bundle`, each option stated once."""

    run: Path = option(..., help="A run directory.")
    out: Path | None = option(None, "--out", help=f"File to write; default: the run's name with {ENDING}.")
    json: bool = option(False, "--json", help="Print JSON instead of text.")


@dataclass(frozen=True, slots=True)
class VerifySettings:
    """What a user can ask of `verify`, each option stated once."""

    bundle: Path = option(..., help="A file that `toolyard bundle` made.")
    data: str | None = option(
        None, "--data", help="Where the run's data are, unless they are starter, hard or official."
    )
    json: bool = option(False, "--json", help="Print JSON instead of text.")


@dataclass(frozen=True, slots=True)
class BoardSettings:
    """What a user can ask of `board`, each option stated once."""

    folder: Path = option(..., help="A folder of bundles (*.zip).")
    out: Path = option(Path("board.html"), "--out", help="The page to write.")
    json: bool = option(False, "--json", help="Print JSON instead of tables.")


@takes_options(BundleSettings)
def bundle(settings: BundleSettings) -> None:
    """Write a run as one file that others can verify.

    It holds answers, evidence, scores and versions, but no prompts; keys and personal data are taken out.

    Example: toolyard bundle runs/nestools_local_1a2b3c4d --out nestools.bundle.zip
    """
    from toolyard.passport.bundle_packing import bundle_run

    made = bundle_run(settings.run)
    out = settings.out or Path(settings.run.resolve().name + ENDING)
    write_output(out, made.content)
    if settings.json:
        facts = {"answers": made.answers, "scrubbed": list(made.scrubbed), "sha256": made.sha256}
        print_json({"bundle": str(out), **facts})
        return
    scrubbed = f", {len(made.scrubbed)} of them scrubbed" if made.scrubbed else ""
    typer.echo(
        f"{out}: {made.answers:,} answers{scrubbed}, {len(made.content):,} bytes, sha256 {made.sha256}"
    )


@takes_options(VerifySettings)
def verify(settings: VerifySettings) -> None:
    """Score a bundle again without a model: what is confirmed, what changed, what cannot be checked.

    Exit code 0: confirmed; 3: something changed; 4: scores that cannot be checked here; 1: not a sound bundle.

    Example: toolyard verify nestools.bundle.zip
    """
    from toolyard.passport.bundle_file import read_bundle
    from toolyard.passport.bundle_verification import verify_bundle

    read = read_bundle(settings.bundle)
    found = verify_bundle(read, settings.data)
    if settings.json:
        identity = read.pack.manifest["identity"]
        about = {name: identity[name] for name in ("benchmark", "version", "model")}
        findings = {**asdict(found), "sha256": read.sha256}
        print_json({"bundle": str(settings.bundle), "verdict": found.verdict, **about, **findings})
    else:
        _print_findings(found)
    raise typer.Exit(EXIT_CODES[found.verdict])


@takes_options(BoardSettings)
def board(settings: BoardSettings) -> None:
    """Score a folder of bundles again and write a leaderboard as one static page.

    Bundles of a benchmark must have one version, data and questions; a mixture is refused. Files whose scores are not
    confirmed are left out, with the reason.

    Example: toolyard board bundles --out board.html
    """
    from toolyard.passport.board import read_board

    found = read_board(settings.folder)
    write_page(settings.out, found.page())
    if settings.json:
        print_json({"page": str(settings.out), **found.to_json()})
        return
    print_tables(found.tables())


def _print_findings(found: Verification) -> None:
    """One line for each finding, the verdict last."""
    for word in ("confirmed", "changed", "unchecked"):
        for line in getattr(found, word):
            typer.echo(printable_line(f"{word:<10} {line}"))
    typer.echo(f"verdict: {found.verdict}")


def register(app: typer.Typer) -> None:
    """Adds `bundle`, `verify` and `board` to the program."""
    app.command("board")(board)
    app.command("bundle")(bundle)
    app.command("verify")(verify)
