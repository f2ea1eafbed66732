"""How many things a check looked at, and what was wrong with some."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from toolyard.core.table import Table
from toolyard.core.types import JsonValue

# The share of defects that a check may find; none where it is not named.
ALLOWED: Mapping[str, float] = {"repair": 0.02}
MEANINGS: Mapping[str, str] = {
    "promise": "a result holds every field that the document promises, and none is null",
    "closure": "what one tool returns under a meaning, every tool that takes it accepts",
    "agreement": "all tools tell one value of an entity's field",
    "freshness": "a simulated tool answers its examples differently under another seed",
    "repair": "the next step that a refusal names works",
    "bounds": "values keep the ranges and forms of the document",
    "collection": "ToolEyes' criteria for tools: a scenario, a document of its own, a result of at most 4,096 tokens",
    "determinism": "the same call in the same world gives the same answer, in another process as well",
    "state": "reading changes nothing, and what a call changed can be undone",
}


@dataclass(frozen=True, slots=True, order=True)
class Defect:
    """What is wrong, and with which tool."""

    tool: str
    detail: str


@dataclass(slots=True)
class Count:
    """What one check found: defects once each, however many seeds show them."""

    looked_at: int = 0
    defects: set[Defect] = field(default_factory=set)

    def note_defect(self, tool: str, detail: str) -> None:
        """Notes a defect."""
        self.defects.add(Defect(tool, detail[:300]))

    def join(self, other: Count) -> None:
        """Adds what the same check found elsewhere."""
        self.looked_at += other.looked_at
        self.defects |= other.defects


@dataclass(slots=True)
class WorldReport:
    """The counts of all checks."""

    counts: dict[str, Count] = field(default_factory=lambda: {name: Count() for name in MEANINGS})

    def add(self, name: str, found: Count) -> None:
        """Adds what a check found under one seed."""
        self.counts[name].join(found)

    def holds(self, name: str) -> bool:
        """Whether a check found no more defects than it may."""
        count = self.counts[name]
        return len(count.defects) <= ALLOWED.get(name, 0.0) * count.looked_at

    @property
    def passed(self) -> bool:
        """Whether all checks hold."""
        return all(map(self.holds, self.counts))

    def table(self) -> Table:
        """One line per check, with one of its defects."""
        rows = tuple(
            (
                name,
                "ok" if self.holds(name) else "FAILED",
                count.looked_at,
                len(count.defects),
                MEANINGS[name],
                next((f"{each.tool}: {each.detail}" for each in sorted(count.defects)), None),
            )
            for name, count in self.counts.items()
        )
        columns = ("check", "", "looked at", "defects", "what holds", "the first defect")
        note = "one next step in fifty may fail; --verbose prints all"
        return Table("the world", columns, rows, note)

    def defects_table(self) -> Table:
        """Every defect."""
        rows = tuple(
            (name, each.tool, each.detail)
            for name, count in self.counts.items()
            for each in sorted(count.defects)
        )
        return Table("defects", ("check", "tool", "detail"), rows)

    def to_json(self) -> list[dict[str, JsonValue]]:
        """The report as plain data, with every defect."""
        return [
            {
                "check": name,
                "meaning": MEANINGS[name],
                "passed": self.holds(name),
                "looked_at": count.looked_at,
                "defects": [{"tool": each.tool, "detail": each.detail} for each in sorted(count.defects)],
            }
            for name, count in self.counts.items()
        ]
