"""How far a run is: counted as it goes, shown by whoever likes to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from toolyard.core.types import Transcript, Usage

CostOf = Callable[[Usage], float | None]


@dataclass(slots=True)
class Tally:
    """Samples done and to do, tokens and money of this session; `show` is called after every change."""

    total: int
    cost_of: CostOf
    show: Callable[[Tally], None]
    kept: int = 0
    done: int = 0
    failed: int = 0
    usage: Usage = field(default_factory=Usage)
    # what is waited for, where it takes long
    note: str = ""
    # seconds after which no sample is started any more; None where all are
    seconds: float | None = None

    @property
    def cost(self) -> float | None:
        """Money spent so far; None where the price is unknown."""
        return self.cost_of(self.usage)

    def add(self, transcript: Transcript) -> None:
        """Counts one more finished sample."""
        self.done += 1
        self.failed += transcript.error is not None
        self.usage = self.usage + transcript.usage
        self.show(self)

    def tell(self, note: str) -> None:
        """Says what is waited for."""
        self.note = note
        self.show(self)


def show_nothing(tally: Tally) -> None:
    """Shows nothing."""
