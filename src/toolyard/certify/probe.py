"""A task on a surface, and which of them a certificate asks."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from toolyard.certify.task import ProbeTask
from toolyard.certify.tasks import TASKS
from toolyard.core.errors import UsageError
from toolyard.core.ordered_sums import group_items

SURFACES = ("chat", "chat-stream", "responses", "responses-stream", "prompt", "prompt-stream")
# Counts of prompts do not depend on how the answer travels.
WHOLE = ("chat", "responses")
# What a stream can lose of plain text.
STREAMED_TEXT = ("Unicode", "escaped arguments", "long arguments", "limits")


@dataclass(frozen=True, slots=True)
class Probe:
    """One task through one surface."""

    surface: str
    task: ProbeTask

    @property
    def name(self) -> str:
        """`surface/task`, unique and stable."""
        return f"{self.surface}/{self.task.name}"

    @property
    def native(self) -> bool:
        """Whether tools go by the endpoint's own fields."""
        return not self.surface.startswith("prompt")

    @property
    def is_streamed(self) -> bool:
        """Whether the answer comes in pieces."""
        return self.surface.endswith("-stream")


@cache
def all_probes() -> tuple[Probe, ...]:
    """Every probe, by task and then by surface."""
    return tuple(
        Probe(surface, task) for task in TASKS for surface in SURFACES if _is_asked_on(surface, task)
    )


def _is_asked_on(surface: str, task: ProbeTask) -> bool:
    if task.kind == "count":
        return surface in WHOLE
    if surface == "prompt-stream":
        return task.feature in STREAMED_TEXT
    return not (task.native_only and surface.startswith("prompt"))


def chosen_probes(
    surfaces: Sequence[str] = (), count: int | None = None, features: Sequence[str] = ()
) -> tuple[Probe, ...]:
    """The probes of these surfaces and features, at most `count`, one of each feature before the second of any."""
    unknown = [name for name in surfaces if name not in SURFACES]
    if unknown:
        raise UsageError(f"--surface {unknown[0][:40]!r}: there are {', '.join(SURFACES)}")
    known = tuple(dict.fromkeys(task.feature for task in TASKS))
    strange = [name for name in features if name not in known]
    if strange:
        raise UsageError(f"--feature {strange[0][:40]!r}: there are {', '.join(known)}")
    there = tuple(
        probe
        for probe in all_probes()
        if probe.surface in (surfaces or SURFACES) and probe.task.feature in (features or known)
    )
    if count is None or count >= len(there):
        return there
    if count < 1:
        raise UsageError(f"--probes {count}: wanted a number from 1 up")
    kept = set(_alternate_surfaces(there)[:count])
    return tuple(probe for probe in there if probe.name in kept)


def _alternate_surfaces(there: Sequence[Probe]) -> list[str]:
    """Names of probes, feature by feature in turns, every time on the next surface: few probes still see all."""
    left = group_items(there, lambda probe: probe.task.feature)
    # Whether tools reach the prompt decides whose loss all others are.
    first = [probe for probe in there if probe.task.name == "count_tools"]
    ordered = [probe.name for probe in first]
    left = {name: [probe for probe in queue if probe not in first] for name, queue in left.items()}
    for turn in range(len(there)):
        for place, queue in enumerate(left.values()):
            surface = SURFACES[(turn + place) % len(SURFACES)]
            ordered += [_pop_probe(queue, surface).name] if queue else []
    return ordered


def _pop_probe(queue: list[Probe], surface: str) -> Probe:
    """The first of the queue on that surface, or the first; it leaves the queue."""
    place = next((at for at, probe in enumerate(queue) if probe.surface == surface), 0)
    return queue.pop(place)
