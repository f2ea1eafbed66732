"""How far a mirror answers as the real source does: the same calls made in both, for those who may make them there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from toolyard.core.types import JsonValue, Observation, Record
from toolyard.owntools.mirror.kernel import Mirror
from toolyard.world.kernel.executor import call
from toolyard.world.kernel.state import World

Real = Callable[[str, Record], Observation]


# Results are compared as they are, not as far as a model would be shown them.
WHOLE_RESULT = 100_000


@dataclass(frozen=True, slots=True)
class MirrorAgreement:
    """Calls of one kind of tool: made, taken alike by both, and answered with the same value where both took them."""

    calls: int = 0
    same_verdict: int = 0
    both_took: int = 0
    same_value: int = 0

    def plus(self, other: MirrorAgreement) -> MirrorAgreement:
        """Both together."""
        return MirrorAgreement(
            self.calls + other.calls,
            self.same_verdict + other.same_verdict,
            self.both_took + other.both_took,
            self.same_value + other.same_value,
        )


def is_determined(mirror: Mirror, tool: str, arguments: Mapping[str, JsonValue]) -> bool:
    """Whether schema and state settle the result: the call was recorded, or it reads or writes rows that were."""
    if mirror.recorded_result(tool, arguments) is not None:
        return True
    about = {each["name"]: each for each in mirror.about["tools"]}[tool]
    tables = {each["name"]: each for each in mirror.about["tables"]}
    return bool(about["table"]) and tables[about["table"]]["recorded"] > 0


def measure_agreement(
    mirror: Mirror, real: Real, calls: Sequence[tuple[str, Mapping[str, JsonValue]]]
) -> dict[bool, MirrorAgreement]:
    """The agreement of a mirror with its source over calls in fresh worlds, by whether the result is determined."""
    offered = tuple(tool.id for tool in mirror.tools)
    found = {True: MirrorAgreement(), False: MirrorAgreement()}
    for tool, arguments in calls:
        ours = call(World.fresh(), tool, arguments, offered=offered, budget_tokens=WHOLE_RESULT)
        theirs = real(tool, arguments)
        both = ours.error is None and theirs.error is None
        found[is_determined(mirror, tool, arguments)] = found[is_determined(mirror, tool, arguments)].plus(
            MirrorAgreement(
                1,
                int((ours.error is None) == (theirs.error is None)),
                int(both),
                int(both and bool(ours.value == theirs.value or ours.value == {"result": theirs.value})),
            )
        )
    return found
