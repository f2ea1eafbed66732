"""How far a run is: counted as it goes, shown by whoever likes to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from toolyard.core.types import Transcript, Usage

CostOf = Callable[[Usage], float | None]


def nothing_owed(transcript: Transcript) -> float:  # noqa: ARG001 - the signature of Tally.owes
    """No judge will be asked."""
    return 0.0


@dataclass(slots=True)
class Tally:
    """Samples done and to do, tokens, and money; `show` is called after every change."""

    total: int
    cost_of: CostOf
    show: Callable[[Tally], None]
    kept: int = 0
    done: int = 0
    failed: int = 0
    usage: Usage = field(default_factory=Usage)
    reserved: float = 0.0
    refused: bool = False
    # what the judging of an answer will cost, of all answers so far and of the dearest
    owes: Callable[[Transcript], float] = nothing_owed
    owed: float = 0.0
    dearest: float = 0.0

    @property
    def cost(self) -> float | None:
        """Money spent so far; None where the price is unknown."""
        return self.cost_of(self.usage)

    def add(self, transcript: Transcript) -> None:
        """Counts one more finished sample."""
        self.done += 1
        self.failed += transcript.error is not None
        self.usage = self.usage + transcript.usage
        owed = self.owes(transcript)
        self.owed, self.dearest = self.owed + owed, max(self.dearest, owed)
        self.show(self)


def silent(tally: Tally) -> None:
    """Shows nothing."""
