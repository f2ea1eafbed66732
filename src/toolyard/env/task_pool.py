"""Tasks that were drawn before: in a bounded memory cache, and with a file on disk, so that none is drawn twice.

    pool = TaskPool(Path("tasks.pool"))
    with pool.draw_ahead(TaskPlace("mtu", "train"), range(2_000)):
        environment = Environment("mtu", pool=pool)

A key names all that a task depends on: its place and the versions of the environment and of the world. Several
processes may share a file; a killed one leaves it whole.
"""

from __future__ import annotations

import multiprocessing
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import orjson

from toolyard.core.declared_world import VERSION as WORLD_VERSION
from toolyard.core.errors import DataError
from toolyard.core.types import Record
from toolyard.env.gym_task import Draft, EnvironmentTask, Function, GoldCall, TaskPlace, TaskTurn
from toolyard.env.task_seeds import VERSION, drawn_task
from toolyard.lines import encode
from toolyard.models.cache.key_value_store import KeptStore

KEPT_IN_MEMORY = 2_048
_HEADER = b"SQLite format 3\0"
_ADVICE = "name another file with --pool"


class TaskPool:
    """The tasks of any places; the same object, and so the same tasks, may serve all episodes of a process."""

    def __init__(self, file: Path | None = None, in_memory: int = KEPT_IN_MEMORY) -> None:
        if file is not None:
            _refuse_other_file(file)
        self.file = file
        self._store = None if file is None else KeptStore(file, advice=_ADVICE)
        self._most = in_memory
        self._recent: OrderedDict[TaskPlace, EnvironmentTask] = OrderedDict()
        self._lock = threading.Lock()

    def task(self, place: TaskPlace) -> EnvironmentTask:
        """The task of that place: remembered, read or drawn. Threads that want the same one wait for one draw."""
        with self._lock:
            found = self._recent.pop(place, None) or self._stored_task(place) or self._draw(place)
            self._recent[place] = found
            if len(self._recent) > self._most:
                self._recent.popitem(last=False)
            return found

    def __len__(self) -> int:
        """How many tasks are in memory."""
        return len(self._recent)

    def holds(self, place: TaskPlace) -> bool:
        """Whether the task is on disk."""
        return self._stored_task(place) is not None

    def _stored_task(self, place: TaskPlace) -> EnvironmentTask | None:
        if self._store is None:
            return None
        key = storage_key(place)
        kept = self._store.read([key]).get(key)
        return None if kept is None else EnvironmentTask(place, draft_from_json(orjson.loads(kept)))

    def _draw(self, place: TaskPlace) -> EnvironmentTask:
        made = drawn_task(place)
        if self._store is not None:
            self._store.write({storage_key(place): encode(made.draft)})
        return made

    def read_or_draw(self, place: TaskPlace, kind: str, draw: Callable[[], bytes]) -> bytes:
        """Something else of that place, as bytes: read from the file, or drawn and written there."""
        key = storage_key(place, kind)
        found = None if self._store is None else self._store.read([key]).get(key)
        if found is None:
            found = draw()
            if self._store is not None:
                self._store.write({key: found})
        return found

    def fill(self, place: TaskPlace, seeds: Iterable[int]) -> int:
        """Draws the tasks of these seeds that are not on disk yet, and says how many there were."""
        drawn = 0
        for seed in seeds:
            one = replace(place, seed=seed)
            if not self.holds(one):
                self._draw(one)
                drawn += 1
        return drawn

    @contextmanager
    def draw_ahead(self, place: TaskPlace, seeds: Iterable[int]) -> Iterator[None]:
        """Draws into the file in a process of its own for as long as the block runs."""
        assert self.file is not None, "tasks are drawn ahead into a file; give the pool one"
        worker = multiprocessing.get_context("spawn").Process(
            target=_fill_file, args=(self.file, place, list(seeds)), daemon=True
        )
        worker.start()
        try:
            yield
        finally:
            worker.terminate()
            worker.join()


def _refuse_other_file(file: Path) -> None:
    """The user names the file: one that never was a database is not damaged, and is left as it is."""
    if file.is_file():
        with file.open("rb") as opened:
            start = opened.read(len(_HEADER))
        if start not in (b"", _HEADER):
            raise DataError(f"{file} is not a pool of tasks; {_ADVICE}")


def _fill_file(file: Path, place: TaskPlace, seeds: list[int]) -> None:
    TaskPool(file).fill(place, seeds)


def storage_key(place: TaskPlace, *kind: str) -> bytes:
    """What a task, or something of another kind that is drawn there, depends on."""
    return encode([VERSION, WORLD_VERSION, place, *kind])


def draft_from_json(found: Record) -> Draft:
    """The draft that was written."""
    turns = [
        replace(TaskTurn(**turn), gold=tuple(map(_gold_from_json, turn["gold"])), facts=tuple(turn["facts"]))
        for turn in found["turns"]
    ]
    functions = tuple(Function(**each) for each in found["functions"])
    return Draft(
        **{**found, "turns": tuple(turns), "functions": functions, "lacking": tuple(found["lacking"])}
    )


def _gold_from_json(found: Record) -> GoldCall:
    return GoldCall(**{**found, "about": tuple(found["about"])})


# What environments share that are given no pool of their own: the rollouts of one group draw their task once.
SHARED = TaskPool()
