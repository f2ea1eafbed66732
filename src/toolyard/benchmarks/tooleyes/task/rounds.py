"""One round as the paper wants it: thought, action and arguments, or what is wrong with its format (Section 2.4).

missing_keywords   Thought:, Action: and Action Input: are not all there in this order, or the action is empty
redundant_text     something stands before the thought or after the arguments, or there is a second call
malformed_json     the arguments are no complete object, as JSON or as a Python literal
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from toolyard.core.types import Failure, JsonValue
from toolyard.text.parsing import strip_thinking
from toolyard.text.react import NO_ARGUMENTS, ReactStep, read_react

KEYWORDS = ("Thought:", "Action:", "Action Input:")
PROBLEMS = ("missing_keywords", "redundant_text", "malformed_json")
_DECORATION = " \t\r\n*#>`\"'_-"


@dataclass(frozen=True, slots=True)
class Round:
    """What the model wrote in one round; `problem` is empty where the format is met."""

    text: str
    thought: str = ""
    action: str = ""
    arguments: JsonValue | Failure = NO_ARGUMENTS
    arguments_text: str = ""
    problem: str = ""

    @property
    def valid(self) -> bool:
        """Whether the round meets the format."""
        return not self.problem

    @property
    def callable(self) -> bool:
        """Whether the call can be made: one tool is named, with one complete object and nothing after it."""
        return bool(self.action) and isinstance(self.arguments, Mapping)


@lru_cache(maxsize=512)
def read_round(text: str) -> Round:
    """The round that a model's text is, exactly one thought and one call; never raises."""
    steps = read_react(text)
    if isinstance(steps, Failure):
        return Round(text, thought=strip_thinking(text) or "", problem="missing_keywords")
    step = steps[0]
    trailing = bool(step.trailing_text.strip("`\"' \n")) or len(steps) > 1
    return Round(
        text=text,
        thought=step.thought,
        action=step.action,
        arguments=Failure("trailing_text", step.trailing_text[:80]) if trailing else step.arguments,
        arguments_text=step.arguments_text,
        problem=_round_problem(strip_thinking(text) or "", step, trailing),
    )


def recover_round(turn: Round) -> Round:
    """The round with its first call in the place of one that could not be made; its problem stays.

    A model that goes on after its call - with an invented result, a second round - has said what it wants to
    call. Where that first call is itself broken nothing is recovered: a later one rests on what nobody returned.
    """
    steps = () if turn.callable else read_react(turn.text)
    first = None if isinstance(steps, Failure) else next((step for step in steps if step.action), None)
    if first is None or not isinstance(first.arguments, Mapping):
        return turn
    return replace(
        turn,
        thought=first.thought or turn.thought,
        action=first.action,
        arguments=first.arguments,
        arguments_text=first.arguments_text,
    )


def _round_problem(spoken: str, step: ReactStep, trailing: bool) -> str:
    if not _has_keywords(spoken) or not step.action:
        return "missing_keywords"
    if trailing or spoken[: spoken.find("Thought:")].strip(_DECORATION):
        return "redundant_text"
    return "" if isinstance(step.arguments, Mapping) else "malformed_json"


def _has_keywords(spoken: str) -> bool:
    place = 0
    for keyword in KEYWORDS:
        place = spoken.find(keyword, place)
        if place < 0:
            return False
    return True


def finish_answer(turn: Round) -> str:
    """What a `finish` tells the user: its answer, or the arguments as they were written."""
    arguments = turn.arguments
    if isinstance(arguments, Mapping):
        value = arguments.get("answer", next(iter(arguments.values()), "") if len(arguments) == 1 else "")
        return value if isinstance(value, str) else str(value)
    return turn.arguments_text.strip()
