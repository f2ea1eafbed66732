"""How much an episode may ask of its tools: calls per reply of the model, and seconds altogether."""

from dataclasses import dataclass, field

from toolyard.core.untrusted.limits import CALLS_PER_REPLY
from toolyard.world.kernel.faults import ToolFault

SECONDS_PER_EPISODE = 120.0


@dataclass(slots=True)
class Allowance:
    """What is left of an episode's calls and seconds; `begin_round` opens each reply of the model."""

    calls_per_round: int = CALLS_PER_REPLY
    seconds: float = SECONDS_PER_EPISODE
    _calls: int = field(default=0, init=False)
    _spent: float = field(default=0.0, init=False)

    def begin_round(self) -> None:
        """Starts counting calls anew."""
        self._calls = 0

    def refusal(self) -> ToolFault | None:
        """Counts a call; the fault for one beyond the allowance."""
        self._calls += 1
        if self._calls > self.calls_per_round:
            return ToolFault(
                "limit_exceeded",
                f"one reply may make {self.calls_per_round} calls; this one was not made: ask again in the next reply",
            )
        if self._spent >= self.seconds:
            return ToolFault(
                "limit_exceeded",
                f"the tools have worked for {self.seconds:g} s, all that one task may use; answer with what is known",
            )
        return None

    def spend(self, seconds: float) -> None:
        """Takes the duration of a call off what is left."""
        self._spent += seconds
