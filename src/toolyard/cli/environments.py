"""env: tasks for training by reinforcement, in the form of a library; and what trivial agents earn there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import cast

import typer

from toolyard.cli.output import print_json, print_tables
from toolyard.cli.signature import takes
from toolyard.core.errors import UsageError
from toolyard.core.options import option

# As the room of environments has them, which is loaded when it is asked for.
LIBRARIES = ("gymnasium", "trl", "verifiers", "openenv")
SPLITS = ("train", "eval")


@dataclass(frozen=True, slots=True)
class EnvironmentSettings:
    """What a user can ask of `env`, each option stated once."""

    benchmark: str = option(..., help="nestools, mtu, toolbehonest or tooleyes.")
    to: str = option("", "--to", help="The library that the environment is for.", choices=LIBRARIES)
    out: Path | None = option(
        None, "--out", help="With --to: where the folder is written; default: toolyard_BENCHMARK_LIBRARY."
    )
    tasks: int = option(
        0, "--try", help="Play this many tasks with agents that need no model.", minimum=0, shown="none"
    )
    split: str = option("train", "--split", help="With --try: whose tasks.", choices=SPLITS)
    json: bool = option(False, "--json", help="Print JSON instead of a table.")


@takes(EnvironmentSettings)
def env(settings: EnvironmentSettings) -> None:
    """Write an environment for a training library, or try its tasks.

    Tasks are drawn without end, and their tools really run.

    Examples: toolyard env nestools --try 50; toolyard env mtu --to gymnasium --out mtu-gym
    """
    from toolyard.env.task_seeds import source_of

    benchmark, to = settings.benchmark, settings.to
    source_of(benchmark)
    if settings.tasks > 0:
        _try(benchmark, settings.split, settings.tasks, settings.json)
    elif to:
        _write(benchmark, to, settings.out or Path(f"toolyard_{benchmark}_{to}"), settings.json)
    else:
        raise UsageError(
            f"env {benchmark}: nothing to do; add --to LIBRARY to write an environment, or --try N to play N tasks"
        )


def _try(benchmark: str, split: str, tasks: int, json: bool) -> None:
    from toolyard.env.gym_task import Split
    from toolyard.env.trying import tried, tried_json, tried_table

    known = cast(Split, split)
    found = tried(benchmark, known, tasks)
    if json:
        print_json(tried_json(benchmark, known, tasks, found))
    else:
        print_tables([tried_table(benchmark, known, tasks, found)])


def _write(benchmark: str, to: str, out: Path, json: bool) -> None:
    from toolyard.env.task_folder import write_folder

    written = write_folder(benchmark, to, out)
    if json:
        print_json({"folder": str(out), "files": [path.name for path in written]})
    else:
        typer.echo(f"{out}: {', '.join(path.name for path in written)}; README.md says how to start it")
