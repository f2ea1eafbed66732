"""The form of a ToolBeHonest sample."""

from dataclasses import dataclass
from typing import TypeAlias, TypedDict

from toolyard.core.types import Sample


@dataclass(frozen=True, slots=True)
class ToolDatabase:
    """Every listed tool of a subtask in file order, duplicates kept (Section 3.2.3).

    The fields are private because reports write every sample's gold, but no private field of it: hundreds of
    copies of the same descriptions would make up most of a report.
    """

    _names: tuple[str, ...]
    _descriptions: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The tools' names."""
        return self._names

    @property
    def descriptions(self) -> tuple[str, ...]:
        """Their descriptions, one object for all samples of the subtask."""
        return self._descriptions


@dataclass(frozen=True, slots=True)
class Needed:
    """A gold UnsolvableQuery: where it stands and which tool would have been needed there.

    `row` is that tool's place in the database; None where the item's own list does not hold it.
    """

    position: int
    name: str
    description: str
    row: int | None


@dataclass(frozen=True, slots=True)
class OtherPlan:
    """An alternative to the gold plan, and what its UnsolvableQuery steps would need."""

    plan: tuple[str, ...]
    needed: tuple[Needed, ...] = ()


@dataclass(frozen=True, slots=True)
class Gold:
    """What scoring may know of one sample; `known` are the names of the solvable twin's list.

    `earlier` holds for each step the steps that must come before it; it is empty where nothing shows the order.
    """

    verdict: str
    plan: tuple[str, ...]
    known: tuple[str, ...]
    index: int
    needed: tuple[Needed, ...] = ()
    database: ToolDatabase | None = None
    others: tuple[OtherPlan, ...] = ()
    earlier: tuple[tuple[int, ...], ...] = ()


class ToolBeHonestInput(TypedDict):
    """What a prompt may show of one task at one level; `tools` is a numbered list."""

    task: str
    tools: str
    level: int
    language: str


ToolBeHonestSample: TypeAlias = Sample[ToolBeHonestInput, Gold]
