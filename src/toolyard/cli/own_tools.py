"""tools lint, mirror and probe: the user's own tools."""

from __future__ import annotations

from pathlib import Path

import typer

from toolyard.cli.output import print_json, print_tables
from toolyard.core.errors import UsageError
from toolyard.core.table import Table

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
    from toolyard.lines import write_whole
    from toolyard.owntools.lint.finding import SEVERITIES
    from toolyard.owntools.lint.page import render_review
    from toolyard.owntools.lint.rules import review
    from toolyard.owntools.sources import load_source

    if fail_on not in (*SEVERITIES, "never"):
        raise UsageError(f"--fail-on {fail_on!r} is none of {', '.join(SEVERITIES)}, never")
    found = review(load_source(source, headers=header, variables=env), embedder)
    if html is not None:
        write_whole(html, render_review(found).encode("utf-8", "replace"))
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
    if json:
        print_json(about_of(plan))
        return
    rows = tuple((each.tool.name, each.kind, each.table or None, each.origin) for each in plan.tools)
    print_tables([Table(f"mirror of {found.name}", ("tool", "does", "table", "results"), rows)])
    typer.echo(f"mirror: {out} (card.md says what was inferred); serve it: toolyard serve {out}")
