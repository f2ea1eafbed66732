"""What the parts of the long runs over tools and doors found, added up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from shards import Shard


@dataclass(slots=True)
class Calls:
    """Calls of tools, over all parts."""

    calls: int = 0
    seconds: int = 0
    outcomes: dict[str, Counter[str]] = field(default_factory=dict)
    per_tool: Counter[str] = field(default_factory=Counter)
    found: list[str] = field(default_factory=list)
    slowest: tuple[float, str] = (0.0, "")
    slowest_here: tuple[float, str] = (0.0, "")
    grown: int = 0

    @property
    def tools(self) -> int:
        """How many tools were called."""
        return len(self.per_tool)


@dataclass(slots=True)
class Door:
    """One parser, over all parts: its inputs, those of atheris among them, inputs that reached something new, seconds."""

    group: str
    inputs: int = 0
    by_atheris: int = 0
    kept: int = 0
    seconds: float = 0.0
    slowest: float = 0.0


@dataclass(slots=True)
class Doors:
    """Inputs of parsers, over all parts, by the names of the doors."""

    rows: dict[str, Door] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    @property
    def inputs(self) -> int:
        """How many inputs there were."""
        return sum(row.inputs for row in self.rows.values())


def calls_of(shards: Iterable[Shard]) -> Calls:
    """The calls of all parts."""
    whole = Calls()
    for shard in shards:
        whole.calls += shard["calls"]
        whole.seconds += shard["seconds"]
        whole.per_tool.update(shard["per_tool"])
        for kind, outcomes in shard["outcomes"].items():
            whole.outcomes.setdefault(kind, Counter()).update(outcomes)
        whole.slowest = max(whole.slowest, _pair(shard["slowest"]))
        whole.slowest_here = max(whole.slowest_here, _pair(shard["slowest_in_process"]))
        whole.grown = max(whole.grown, shard["grown_kilobytes_in_second_half"])
        where = f"seed {shard['seed']}: "
        whole.found += [f"{where}left through the call: {item}" for item in shard["escapes"]]
        for name, words in (
            ("internal_errors", "failed"),
            ("over_limit", "ran over"),
            ("reached_for_the_host", "reached for the host"),
        ):
            whole.found += [f"{where}{words}: {item}: {told}" for item, told in shard[name].items()]
    return whole


def _pair(value: Iterable[object]) -> tuple[float, str]:
    took, what = value
    return float(str(took)), str(what)


def doors_of(shards: Iterable[Shard]) -> Doors:
    """The inputs of all parts."""
    whole = Doors()
    for shard in shards:
        for door in shard["doors"]:
            row = whole.rows.setdefault(door["name"], Door(door["group"]))
            row.inputs += door["inputs"]
            row.by_atheris += door.get("by_atheris", 0)
            row.kept += door.get("kept", 0)
            row.seconds += door["seconds"]
            row.slowest = max(row.slowest, door["slowest"])
            whole.faults += [
                f"seed {shard['seed']}: {door['name']}: {fault['what']}" for fault in door["faults"]
            ]
    return whole
