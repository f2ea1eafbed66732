"""The released scorer, figure for figure (edge cases: `tests/benchmarks/tooleyes/test_tooleyes_official.py`).

"Final" is decided by text, not by place: every turn that equals the last message counts as the last one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from toolyard.benchmarks.tooleyes.data.documents import declared_parameters, required_names
from toolyard.benchmarks.tooleyes.data.sample import ToolEyesSample
from toolyard.benchmarks.tooleyes.scoring.parse import Trajectory
from toolyard.benchmarks.tooleyes.scoring.released_parser import (
    evaluate_text,
    is_forced,
    is_json_form,
    is_judgeable,
    is_react_form,
    reply_segments,
)
from toolyard.core.types import Failure, JsonValue, Profile

NO_KEYWORDS = "official_crash_no_keywords"
NO_OBJECT = "official_crash_arguments_no_object"


@dataclass(frozen=True, slots=True)
class Rules:
    """What the released scorer computes without its judge."""

    format_alignment: float
    tool_reality: float
    answer_pass: float
    # per assistant turn: forced, final, valid or invalid
    kinds: tuple[str, ...]
    missing_keywords: int
    unreadable_arguments: int
    valid: int
    tool_hallucinations: int
    parameter_hallucinations: int


def crash_reason(trajectory: Trajectory) -> Failure | None:
    """Why the released code cannot build its judge prompts, if it cannot."""
    texts = trajectory.assistant
    if any(not is_judgeable(text) for text in texts):
        return Failure(NO_KEYWORDS, "an assistant turn lacks Action: or Action Input:")
    # The answer is read off the last message, whoever it is from.
    if not trajectory.turns or not is_judgeable(trajectory.turns[-1].value):
        return Failure(NO_KEYWORDS, "the last message is not a call")
    return None


def rule_scores(trajectory: Trajectory, documents: Sequence[Mapping[str, JsonValue]]) -> Rules | Failure:
    """Format alignment, tool reality and pass, or why the released scorer crashes."""
    texts = trajectory.assistant
    last = trajectory.turns[-1].value if trajectory.turns else ""
    kinds = tuple(_turn_kind(text, last) for text in texts)
    good = sum(kind in ("valid", "final") for kind in kinds)
    reality = _reality([text for text, kind in zip(texts, kinds, strict=True) if kind == "valid"], documents)
    if isinstance(reality, Failure):
        return reality
    invalid = [text for text, kind in zip(texts, kinds, strict=True) if kind == "invalid"]
    unreadable = sum(is_react_form(text) for text in invalid)
    valid = kinds.count("valid")
    return Rules(
        format_alignment=good / len(texts) if texts else 0.0,
        tool_reality=1 - (reality.tools + reality.parameters) / valid if valid else 0.0,
        answer_pass=0.0 if "forced" in kinds else 1.0,
        kinds=kinds,
        missing_keywords=len(invalid) - unreadable,
        unreadable_arguments=unreadable,
        valid=valid,
        tool_hallucinations=reality.tools,
        parameter_hallucinations=reality.parameters,
    )


def _turn_kind(text: str, last: str) -> str:
    if text == last and is_forced(text):
        return "forced"
    if text == last and is_react_form(text):
        return "final"
    return "valid" if is_react_form(text) and is_json_form(text) else "invalid"


@dataclass(frozen=True, slots=True)
class _Reality:
    tools: int
    parameters: int


def _reality(texts: Sequence[str], documents: Sequence[Mapping[str, JsonValue]]) -> _Reality | Failure:
    tools = parameters = 0
    # One list per document for the whole sample: a name once given is never missed again.
    missing = [list(required_names(document)) for document in documents]
    names = [document["name"] for document in documents]
    for text in texts:
        parts = reply_segments(text)
        if parts is None:
            continue
        tools += parts.action not in names
        # The running total is tested, so that nothing after the first unknown tool is looked at.
        if tools:
            continue
        place = names.index(parts.action)
        given = evaluate_text(parts.arguments)
        if not isinstance(given, Mapping):
            return Failure(NO_OBJECT, f"the arguments of {parts.action} are not an object")
        for name in given:
            if name in missing[place]:
                missing[place].remove(name)
        unknown = any(name not in declared_parameters(documents[place]) for name in given)
        parameters += bool(missing[place]) or unknown
    return _Reality(tools, parameters)


def substitutes(samples: Sequence[ToolEyesSample], profile: Profile) -> dict[str, str]:
    """Samples that the released scorer looks up by a text which an earlier one of another scenario shares.

    It groups trajectories by their id, which is the query, and takes the first that fits.
    """
    if profile != "official":
        return {}
    first: dict[str, ToolEyesSample] = {}
    found = {}
    for sample in samples:
        earlier = first.setdefault(str(sample.input.get("official_id", sample.id)), sample)
        if earlier.groups["scenario"] != sample.groups["scenario"]:
            found[sample.id] = earlier.id
    return found


def match_mean(kinds: Sequence[str], scores: Sequence[int]) -> float:
    """The released mean of match scores, still on its scale of 10; 0 where none is left.

    Invalid turns are struck out by a counter that stands still on final ones, so that a turn that repeats the
    last message shifts which score is struck.
    """
    kept: list[int | None] = list(scores)
    counter = 0
    for kind in kinds:
        if kind == "invalid":
            kept[counter] = None
        counter += kind in ("valid", "invalid")
    left = [score for score in kept if score is not None]
    return sum(left) / len(left) if left else 0.0
