"""env: tasks for training by reinforcement, in the form of a library; and what trivial agents earn there."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import typer

from toolyard.cli.output import print_json, print_tables
from toolyard.core.errors import UsageError


def env(
    benchmark: str = typer.Argument(help="nestools, mtu, toolbehonest or tooleyes."),
    to: str = typer.Option("", "--to", help="The library that the environment is for."),
    out: Path | None = typer.Option(None, "--out", help="Where the folder is written; with --to."),
    tasks: int = typer.Option(0, "--try", help="Play so many tasks with agents that need no model."),
    split: str = typer.Option("train", "--split", help="train or eval; with --try."),
    json: bool = typer.Option(False, "--json", help="Print JSON instead of a table."),
) -> None:
    """Endless tasks with tools that run: writes an environment for a library, or tries it without a model.

    Examples: toolyard env nestools --try 50; toolyard env mtu --to gymnasium --out mtu-gym
    """
    from toolyard.env.seeds import source_of

    source_of(benchmark)
    if tasks > 0:
        _try(benchmark, split, tasks, json)
    elif to:
        _write(benchmark, to, out or Path(f"toolyard_{benchmark}_{to}"), json)
    else:
        raise UsageError(
            f"env {benchmark}: nothing to do; add --to LIBRARY to write an environment, or --try N to play N tasks"
        )


def _try(benchmark: str, split: str, tasks: int, json: bool) -> None:
    from toolyard.env.task import Split
    from toolyard.env.trying import tried, tried_json, tried_table

    known = cast(Split, split)
    found = tried(benchmark, known, tasks)
    if json:
        print_json(tried_json(benchmark, known, tasks, found))
    else:
        print_tables([tried_table(benchmark, known, tasks, found)])


def _write(benchmark: str, to: str, out: Path, json: bool) -> None:
    from toolyard.env.folder import write_folder

    written = write_folder(benchmark, to, out)
    if json:
        print_json({"folder": str(out), "files": [path.name for path in written]})
    else:
        typer.echo(f"{out}: {', '.join(path.name for path in written)}; README.md says how to start it")
