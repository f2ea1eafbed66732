"""tools lint, mirror and probe: the user's own tools."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from toolyard.cli.output import print_json, print_tables, write_page
from toolyard.core.errors import UsageError
from toolyard.core.table import Table
from toolyard.run.tally import Tally
from toolyard.text.printable import printable

if TYPE_CHECKING:
    from toolyard.owntools.mirror.plan import MirrorPlan

SOURCE = typer.Argument(
    help="mcp:COMMAND, an http(s) address of an MCP server, python:MODULE[:name,name], a file of JSON schemas "
    "(OpenAI, Anthropic, MCP), an OpenAPI 3 document, or the folder of a mirror."
)
HEADER = typer.Option(
    [],
    "--header",
    help="Name=VARIABLE: a header whose value stands in that environment variable; may be repeated.",
)
ENV = typer.Option([], "--env", help="Environment variable that a started server may see; may be repeated.")
BASE = typer.Option("", "--base-url", help="Address of an OpenAPI service, where its document names none.")
EMBEDDER = typer.Option("minilm", "--embedder", help="What finds near-duplicates; words: by shared words.")
JSON = typer.Option(False, "--json", help="Print JSON instead of tables.")


def lint(
    source: str = SOURCE,
    header: list[str] = HEADER,
    env: list[str] = ENV,
    embedder: str = EMBEDDER,
    fail_on: str = typer.Option(
        "error",
        "--fail-on",
        help="Exit 1 where a finding is at least this severe: error, warning, note or never.",
    ),
    html: Path | None = typer.Option(None, "--html", help="Write a page with the findings and a picture."),
    json: bool = JSON,
) -> None:
    """Review tool documents the way models suffer from them: each finding with place, reason and proposed text.

    Example: toolyard tools lint openapi.yaml --html review.html
    """
    from toolyard.owntools.lint.finding import SEVERITIES
    from toolyard.owntools.lint.page import render_review
    from toolyard.owntools.lint.rules import review
    from toolyard.owntools.sources import load_source

    if fail_on not in (*SEVERITIES, "never"):
        raise UsageError(f"--fail-on {fail_on!r} is none of {', '.join(SEVERITIES)}, never")
    found = review(load_source(source, headers=header, variables=env), embedder)
    if html is not None:
        write_page(html, render_review(found))
    if json:
        print_json(found.to_json())
    else:
        print_tables(found.tables())
    if fail_on != "never" and any(
        SEVERITIES.index(each.severity) <= SEVERITIES.index(fail_on) for each in found.findings
    ):
        raise typer.Exit(1)


def mirror(
    source: str = SOURCE,
    out: Path = typer.Option(..., "--out", help="Folder of the mirror: a Python package that you can edit."),
    record: int = typer.Option(
        0,
        "--record",
        min=0,
        max=50,
        help="Real calls of each tool that reads; the source is called for this only.",
    ),
    allow: list[str] = typer.Option(
        [],
        "--allow",
        help="Name of a tool (or a pattern) that may be called too, though it may write; may be repeated.",
    ),
    given: list[str] = typer.Option(
        [], "--given", help="NAME=VALUE: what real calls give for a parameter of this name; may be repeated."
    ),
    header: list[str] = HEADER,
    env: list[str] = ENV,
    base_url: str = BASE,
    seed: int = typer.Option(0, "--seed", help="Seed of everything that is made up."),
    anew: bool = typer.Option(
        False, "--anew", help="Write the mirror again, though its code may have been edited."
    ),
    json: bool = JSON,
) -> None:
    """Build a deterministic offline twin of a source, to test agents without touching production.

    Examples: toolyard mirror "mcp:mcp-server-git" --out git_twin --record 2 --given repo_path=.;
    toolyard serve git_twin
    """
    from toolyard.owntools.mirror.making import make_mirror, values_given
    from toolyard.owntools.mirror.writing import about_of
    from toolyard.owntools.sources import load_source

    found = load_source(source, headers=header, variables=env, base=base_url)
    plan = make_mirror(
        found, out, number=record, allowed=tuple(allow), given=values_given(given), seed=seed, anew=anew
    )
    if plan.filler:
        typer.echo(f"warning: {printable(plan.filler)}", err=True)
    if json:
        print_json(about_of(plan))
        return
    rows = tuple((each.tool.name, each.kind, each.table or None, each.origin) for each in plan.tools)
    print_tables([Table(f"mirror of {found.name}", ("tool", "does", "table", "results"), rows)])
    if record:
        typer.echo(printable(_recorded(plan)))
    typer.echo(f"mirror: {out} (card.md says what was inferred); serve it: toolyard serve {out}")


def _recorded(plan: MirrorPlan) -> str:
    """How many real calls were kept, and why the first of the others were refused."""
    refused = [each for each in plan.recorded if each.error]
    kept = f"{len(plan.recorded) - len(refused)} real calls recorded, {len(refused)} refused by the source"
    if not refused:
        return kept
    why = dict.fromkeys(f"{each.tool} ({' '.join(each.error.split())[:100]})" for each in refused)
    return f"{kept}: {', '.join(list(why)[:3])}; give values that exist there with --given NAME=VALUE"


def probe(
    source: str = SOURCE,
    model: str = typer.Option(..., "-m", "--model", help="The model to probe; forms as for `toolyard run`."),
    style: str = typer.Option(
        "default", "--style", help="default (text) or native (the endpoint's tool calls)."
    ),
    rows: int = typer.Option(24, "--rows", min=1, max=2000, help="Rows of each of the four suites."),
    seed: int = typer.Option(0, "--seed", help="Seed of the suites and of the run."),
    out: Path = typer.Option(Path("probe"), "--out", help="Folder of mirror, suites, runs and profile."),
    suggest: bool = typer.Option(
        False,
        "--suggest",
        help="Rewrite the documents of confused tools; keep what helps on the same samples.",
    ),
    writer: str = typer.Option(
        "", "--writer", help="With --suggest: a model that writes, in place of rules."
    ),
    header: list[str] = HEADER,
    env: list[str] = ENV,
    concurrency: int | None = typer.Option(None, "--concurrency", help="Requests at a time."),
    max_tokens: int | None = typer.Option(None, "--max-tokens", help="Token limit of an answer."),
    json: bool = JSON,
) -> None:
    """Probe a model with your own tools: which it confuses, what it invents, where it fails to say no.

    The suites come from documents and mirror, their gold is proven by execution; the same command goes on.

    Examples: toolyard probe "mcp:mcp-server-time" -m local-tuned --rows 8; toolyard probe my_twin -m local --suggest
    """
    from toolyard.owntools.probe.keeping import keep_profile
    from toolyard.owntools.probe.page import profile_tables
    from toolyard.owntools.probe.profile import profile_of
    from toolyard.owntools.probe.running import ProbeSettings
    from toolyard.owntools.probe.running import probe as run_probe
    from toolyard.owntools.probe.suggesting import suggest as try_rewritings
    from toolyard.owntools.sources import load_source

    if writer and not suggest:
        raise UsageError("--writer writes for --suggest; give both, or leave it out")
    settings = ProbeSettings(model, out, style, rows, seed, concurrency, max_tokens)
    found = run_probe(source, load_source(source, headers=header, variables=env), settings, _shown)
    profile = profile_of(found)
    suggestion = try_rewritings(found, profile, writer, _shown) if suggest else None
    keep_profile(out, profile, suggestion)
    if json:
        print_json(
            {**profile.to_json(), **({} if suggestion is None else {"suggestion": suggestion.to_json()})}
        )
        return
    print_tables([*profile_tables(profile, most=10), *([] if suggestion is None else suggestion.tables())])
    if suggestion is not None and suggestion.patch:
        typer.echo(printable(suggestion.patch))
    typer.echo(f"profile: {out / 'profile.html'} (also profile.json)")


def _shown(name: str, tally: Tally) -> None:
    """A line now and then on standard error."""
    if tally.done == tally.total or tally.done % 10 == 0:
        typer.echo(f"{name}: {tally.done}/{tally.total}", err=True)
