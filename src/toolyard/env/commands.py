"""env: tasks for training by reinforcement, in the form of a library; and what trivial agents earn there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import cast

import typer

from toolyard.cli.output import print_json, print_tables
from toolyard.cli.signature import takes_options
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
    draw: int = option(
        0, "--draw", help="Draw the first N tasks into the file of --pool.", minimum=0, shown="none"
    )
    pool: Path | None = option(None, "--pool", help="With --draw or --try: the file that keeps drawn tasks.")
    split: str = option("train", "--split", help="With --draw or --try: whose tasks.", choices=SPLITS)
    json: bool = option(False, "--json", help="Print JSON instead of a table.")


@takes_options(EnvironmentSettings)
def env(settings: EnvironmentSettings) -> None:
    """Write an environment for a training library, or try its tasks.

    Tasks are drawn without end, and their tools really run. A pool keeps drawn tasks, so that none is drawn twice.

    Examples: toolyard env nestools --try 50; toolyard env mtu --to gymnasium --out mtu-gym;
    toolyard env mtu --draw 2000 --pool mtu.pool
    """
    from toolyard.env.task_seeds import task_source

    benchmark, to = settings.benchmark, settings.to
    task_source(benchmark)
    if settings.draw > 0:
        _draw_tasks(settings)
    elif settings.tasks > 0:
        _try_baselines(settings)
    elif to:
        _write_environment(benchmark, to, settings.out or Path(f"toolyard_{benchmark}_{to}"), settings.json)
    else:
        raise UsageError(
            f"env {benchmark}: nothing to do; add --to LIBRARY to write an environment, --try N to play N tasks, "
            "or --draw N --pool FILE to keep them"
        )


def _draw_tasks(settings: EnvironmentSettings) -> None:
    from toolyard.env.gym_task import Split, TaskPlace
    from toolyard.env.task_pool import TaskPool

    if settings.pool is None:
        raise UsageError(f"--draw {settings.draw}: no file to keep tasks in; add --pool FILE")
    place = TaskPlace(settings.benchmark, cast("Split", settings.split))
    drawn = TaskPool(settings.pool).fill(place, range(settings.draw))
    if settings.json:
        print_json({"pool": str(settings.pool), "tasks": settings.draw, "drawn": drawn})
    else:
        typer.echo(
            f"{settings.pool}: {settings.draw} tasks of {settings.benchmark}, {drawn} of them drawn now"
        )


def _try_baselines(settings: EnvironmentSettings) -> None:
    from toolyard.env.agent_baselines import tried_json, tried_table, try_agents
    from toolyard.env.gym_task import Split
    from toolyard.env.task_pool import SHARED, TaskPool

    benchmark, known, tasks = settings.benchmark, cast("Split", settings.split), settings.tasks
    pool = SHARED if settings.pool is None else TaskPool(settings.pool)
    found = try_agents(benchmark, known, tasks, pool=pool)
    if settings.json:
        print_json(tried_json(benchmark, known, tasks, found))
    else:
        print_tables([tried_table(benchmark, known, tasks, found)])


def _write_environment(benchmark: str, to: str, out: Path, json: bool) -> None:
    from toolyard.env.task_folder import write_folder

    written = write_folder(benchmark, to, out)
    if json:
        print_json({"folder": str(out), "files": [path.name for path in written]})
    else:
        typer.echo(f"{out}: {', '.join(path.name for path in written)}; README.md says how to start it")


def register(app: typer.Typer) -> None:
    """Adds `env` to the program."""
    app.command("env")(env)
