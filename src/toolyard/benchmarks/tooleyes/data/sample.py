"""The form of a ToolEyes sample: official rows bring documents and prompts, our own slots and a change of mind."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NotRequired, TypeAlias, TypedDict

from toolyard.benchmarks.tooleyes.data.references import PLACE, fill_text, is_computed, look_up
from toolyard.benchmarks.tooleyes.scoring.checks.wanted_facts import WantedDecision, WantedFact, WantedSample
from toolyard.core.state_checks import StateCheck
from toolyard.core.types import Failure, JsonValue, Record, Sample

# The two tools that the loop itself performs.
ASK, FINISH = "ask_to_user", "finish"
# Where an answer says what its first decision, or another one, comes to.
DECIDED = re.compile(r"\{decision(?:\[(\d)\])?\}")


@dataclass(frozen=True, slots=True)
class QueryStep:
    """One call of the plan; `optional` ones do not count for parameter correctness."""

    tool: str
    arguments: Mapping[str, JsonValue]
    thought: str = ""
    optional: bool = False


@dataclass(frozen=True, slots=True)
class QueryGold:
    """What must be true in the end, and one way to get there."""

    facts: tuple[WantedFact, ...]
    samples: tuple[WantedSample, ...]
    decisions: tuple[WantedDecision, ...]
    absent: tuple[WantedFact, ...]
    state: tuple[StateCheck, ...]
    scratch: tuple[str, ...]
    derived: tuple[str, ...]
    plan: tuple[QueryStep, ...]
    answer: str

    @property
    def asks(self) -> bool:
        """Whether the user knows something that the request does not say."""
        return any(step.tool == ASK and not step.optional for step in self.plan)

    def fill_decisions(self, observations: Sequence[JsonValue]) -> QueryGold | Failure:
        """The same with what the right decisions say in the answer's template."""
        problems: list[Failure] = []

        def put(place: re.Match[str]) -> str:
            found = self.decisions[int(place[1] or 0)].resolved(observations)
            if isinstance(found, Failure):
                problems.append(found)
                return ""
            return found.said

        answer = DECIDED.sub(put, self.answer)
        return problems[0] if problems else replace(self.with_each_item(observations), answer=answer)

    def with_each_item(self, observations: Sequence[JsonValue]) -> QueryGold:
        """The same with one fact of each item for those of every item of a list."""
        facts = tuple(one for fact in self.facts for one in fact.with_each_item(observations))
        absent = tuple(one for fact in self.absent for one in fact.with_each_item(observations))
        return replace(self, facts=facts, absent=absent)

    def derivable(self, observations: Sequence[JsonValue]) -> tuple[str, ...]:
        """What an answer may say although no tool returned it: what the row names, and what is counted from results."""
        computed = [place for place in PLACE.findall(self.answer) if is_computed(place)]
        found = (
            *(fill_text(text, observations) for text in self.derived),
            *(look_up(place, observations) for place in computed),
        )
        return tuple(str(value) for value in found if not isinstance(value, Failure))

    def right_answer(self, observations: Sequence[JsonValue]) -> str | Failure:
        """The answer with what the plan's calls returned, or why it cannot be filled in."""
        gold = self.fill_decisions(observations)
        return gold if isinstance(gold, Failure) else fill_text(gold.answer, observations)


class ChangeOfMind(TypedDict):
    """What the user wants from a given round on."""

    after_round: int
    text: str


class ToolEyesInput(TypedDict):
    """What a prompt may show, and what the user of the episode knows."""

    query: str
    path: str
    documents: NotRequired[list[Record]]
    offers: NotRequired[list[str]]
    slots: NotRequired[dict[str, str]]
    change: NotRequired[ChangeOfMind]
    system: NotRequired[dict[str, str]]
    official_id: NotRequired[str]
    perturb: NotRequired[Record]


# Official queries whose answer our world does not determine have no gold.
ToolEyesSample: TypeAlias = Sample[ToolEyesInput, QueryGold | None]
