"""What can be said about a trajectory without gold: six figures, each with the reasons for every lost point."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from toolyard.core.metrics import Row, recall
from toolyard.core.types import Counts, Failure, JsonValue, Score
from toolyard.stats.bootstrap import Estimate, estimate
from toolyard.text.json_values import CLASSES, mapping
from toolyard.traffic.trajectory import TracedCall, TracedEpisode
from toolyard.traffic.unsupported_claims import unsupported_claims

FIGURES = {
    "format": "calls whose arguments are one JSON object",
    "tool_reality": "calls of a tool that was offered",
    "parameter_reality": "calls whose parameters exist, are complete and of the declared type",
    "no_repetition": "calls that do not repeat an earlier one which had succeeded",
    "supported_claims": "numbers and names of the answer that a message or a result holds",
    "recovery": "failed calls after which the same tool succeeded",
}
METRICS = tuple(recall(name).named(name) for name in FIGURES)
PYTHON_TYPES = {**CLASSES, "null": (type(None),)}


@dataclass(frozen=True, slots=True)
class TrafficFinding:
    """One lost point: which figure, and why."""

    figure: str
    why: str


@dataclass(frozen=True, slots=True)
class JudgedEpisode:
    """A trajectory with its counts and everything that was found."""

    trajectory: TracedEpisode
    counts: Mapping[str, Counts]
    findings: tuple[TrafficFinding, ...]

    @property
    def failing(self) -> bool:
        """Whether any point was lost."""
        return bool(self.findings)

    def to_json(self) -> dict[str, JsonValue]:
        """One line of `toolyard traffic --json`."""
        return {
            "id": self.trajectory.id,
            "model": self.trajectory.model,
            "calls": len(self.trajectory.calls),
            "figures": {
                name: counts.matched / counts.gold if counts.gold else None
                for name, counts in self.counts.items()
            },
            "findings": [{"figure": item.figure, "why": item.why} for item in self.findings],
        }


def judge_trajectory(trajectory: TracedEpisode) -> JudgedEpisode:
    """All figures of one trajectory; a figure without anything to count has no value."""
    totals = {
        "format": len(trajectory.calls),
        "tool_reality": 0 if trajectory.tools is None else len(trajectory.calls),
        "parameter_reality": len(list(_known_calls(trajectory))),
        "no_repetition": len(trajectory.calls),
    }
    found = [
        *_unreadable_calls(trajectory),
        *_unknown_tools(trajectory),
        *_parameter_findings(trajectory),
        *_repetition_findings(trajectory),
    ]
    failed, lost = _recovery_findings(trajectory)
    sources = [turn.text for turn in trajectory.turns if turn.role != "assistant"]
    missing, claims = unsupported_claims(trajectory.answer, sources)
    found += [
        *lost,
        *(
            TrafficFinding("supported_claims", f"{claim!r} stands in no message or result")
            for claim in missing
        ),
    ]
    totals |= {"supported_claims": claims, "recovery": failed}
    losses = {name: sum(item.figure == name for item in found) for name in FIGURES}
    counts = {name: Counts(totals[name] - losses[name], totals[name], totals[name]) for name in FIGURES}
    return JudgedEpisode(trajectory, counts, tuple(found))


def estimate_figures(judged: Sequence[JudgedEpisode]) -> dict[str, Estimate]:
    """Every figure over all trajectories, with its interval; one trajectory is one cluster."""
    rows = [Row(Score(item.trajectory.id, counts=item.counts), item.trajectory.id) for item in judged]
    return estimate(METRICS, rows)


def _unreadable_calls(trajectory: TracedEpisode) -> Iterator[TrafficFinding]:
    for call in trajectory.calls:
        if isinstance(call.arguments, Failure) or not call.name:
            why = call.arguments.detail if isinstance(call.arguments, Failure) else "a call without a name"
            yield TrafficFinding("format", f"{call.name}: {call.written[:80]!r} is no JSON object ({why})")


def _unknown_tools(trajectory: TracedEpisode) -> Iterator[TrafficFinding]:
    for call in trajectory.calls:
        if trajectory.tools is not None and call.name not in trajectory.tools:
            yield TrafficFinding("tool_reality", f"{call.name!r} was not offered")


def _known_calls(trajectory: TracedEpisode) -> Iterator[tuple[TracedCall, Mapping[str, JsonValue]]]:
    """The calls that can be held against the schema of their tool."""
    for call in trajectory.calls:
        document = (trajectory.tools or {}).get(call.name)
        if document is not None and not isinstance(call.arguments, Failure):
            schema = document.get("parameters") or document.get("inputSchema") or document.get("input_schema")
            yield call, mapping(schema)


def _parameter_findings(trajectory: TracedEpisode) -> Iterator[TrafficFinding]:
    for call, schema in _known_calls(trajectory):
        wrong = list(parameter_faults(call, schema))
        if wrong:
            yield TrafficFinding("parameter_reality", f"{call.name}: {'; '.join(wrong)}")


def parameter_faults(call: TracedCall, schema: Mapping[str, JsonValue]) -> Iterator[str]:
    """What is wrong with a call's parameters under a JSON schema: invented, missing, of another type or value."""
    if isinstance(call.arguments, Failure):
        return
    properties = mapping(schema.get("properties"))
    for name, value in call.arguments.items():
        if name not in properties:
            if properties and not schema.get("additionalProperties"):
                yield f"no parameter {name!r}"
        elif (fault := _value_fault(value, properties[name])) is not None:
            yield f"{name!r} {fault}"
    required = schema.get("required")
    for name in required if isinstance(required, list) else []:
        if isinstance(name, str) and name not in call.arguments:
            yield f"{name!r} is missing"


def _value_fault(value: JsonValue, schema: JsonValue) -> str | None:
    if not isinstance(schema, Mapping):
        return None
    listed = schema.get("enum")
    if isinstance(listed, list) and value not in listed:
        return f"is {value!r:.40}, none of {', '.join(map(str, listed))[:80]}"
    wanted = schema.get("type")
    names = wanted if isinstance(wanted, list) else [wanted]
    kinds = tuple(kind for name in names for kind in PYTHON_TYPES.get(str(name), ()))
    # True is a number to Python and to nobody else.
    odd = isinstance(value, bool) and bool not in kinds
    if kinds and (odd or not isinstance(value, kinds)):
        return f"is {type(value).__name__}, wanted {' or '.join(map(str, names))}"
    return None


def _repetition_findings(trajectory: TracedEpisode) -> Iterator[TrafficFinding]:
    done: set[str] = set()
    results = trajectory.results()
    for call in trajectory.calls:
        if call.key in done:
            yield TrafficFinding("no_repetition", f"{call.name} is called again with the same arguments")
        result = results.get(call.id)
        if result is None or not result.error:
            done.add(call.key)


def _recovery_findings(trajectory: TracedEpisode) -> tuple[int, list[TrafficFinding]]:
    """How many calls failed, and those whose tool did not succeed afterwards."""
    results, succeeded, failed = trajectory.results(), set[str](), 0
    lost: list[TrafficFinding] = []
    for call in reversed(trajectory.calls):
        result = results.get(call.id)
        if result is None:
            continue
        if not result.error:
            succeeded.add(call.name)
            continue
        failed += 1
        if call.name not in succeeded:
            lost.append(TrafficFinding("recovery", f"{call.name} failed and never succeeded afterwards"))
    return failed, lost[::-1]
