"""What is wrong, or worth knowing, about a data set."""

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TypedDict

from toolyard.benchmarks.tooleyes.data.documents import documents_of
from toolyard.benchmarks.tooleyes.data.references import PLACE
from toolyard.benchmarks.tooleyes.data.rows import SCENARIOS, scenario_of_group
from toolyard.benchmarks.tooleyes.data.sample import ASK, FINISH, QueryGold, ToolEyesSample
from toolyard.benchmarks.tooleyes.scoring.checks.fact_verdicts import Fact
from toolyard.benchmarks.tooleyes.scoring.checks.passages import split_passages
from toolyard.benchmarks.tooleyes.scoring.checks.wanted_facts import Observed, WantedFact
from toolyard.benchmarks.tooleyes.scoring.outcome import is_bound
from toolyard.core.benchmark import Finding

MOST_STEPS = 8


def audit(_path: Path, samples: tuple[ToolEyesSample, ...]) -> tuple[Finding, ...]:
    """Findings about single queries, then about the whole set."""
    found = [finding for sample in samples for finding in _sample_findings(sample)]
    return (*found, *_shared_texts(samples))


def _sample_findings(sample: ToolEyesSample) -> Iterator[Finding]:
    group = str(sample.input["path"])
    scenario = sample.groups["scenario"]
    if scenario not in SCENARIOS or scenario_of_group(group) != scenario:
        yield Finding(
            sample.id, f"{group} belongs to {scenario_of_group(group) or 'no scenario'}, not to {scenario}"
        )
    if isinstance(sample.gold, QueryGold):
        yield from _plan_findings(sample, sample.gold)
        yield from _check_findings(sample, sample.gold)
        yield from _guess_findings(sample, sample.gold)


def _plan_findings(sample: ToolEyesSample, gold: QueryGold) -> Iterator[Finding]:
    names = {str(document.get("name")) for document in documents_of(sample)}
    for step in gold.plan:
        if step.tool not in names:
            yield Finding(
                sample.id, f"the plan calls {step.tool}, which {sample.input['path']} does not have"
            )
        if step.tool == FINISH:
            yield Finding(sample.id, "the plan calls finish; the answer stands in its own field")
    if len(gold.plan) > MOST_STEPS:
        yield Finding(
            sample.id, f"{len(gold.plan)} calls leave no round for the answer; at most {MOST_STEPS}"
        )
    if not any(step.tool not in (ASK, FINISH) for step in gold.plan):
        yield Finding(sample.id, "the plan calls no tool of the library")
    if any(step.tool == ASK for step in gold.plan) and not sample.input.get("slots"):
        yield Finding(sample.id, "the plan asks the user, who has no slots to answer from")
    if "change" in sample.input and sample.input["change"]["after_round"] > len(gold.plan):
        yield Finding(sample.id, "the request changes after the plan has ended")


def _check_findings(sample: ToolEyesSample, gold: QueryGold) -> Iterator[Finding]:
    query = str(sample.input["query"])
    own = (isinstance(source, Observed) for fact in gold.facts for source in fact.sources)
    if not any(map(is_bound, gold.facts)) and not gold.samples and not any(own):
        yield Finding(
            sample.id, "no fact that a tool must have returned, so that an answer without a result would pass"
        )
    literal = [fact for fact in gold.facts if not fact.pointers]
    only_literal = len(literal) == len(gold.facts) and gold.facts and not gold.state and not gold.absent
    if only_literal and all(_is_stated(fact, query) for fact in literal):
        yield Finding(sample.id, "every fact stands in the query itself, so that repeating it would pass")
    template = PLACE.sub(" ", gold.answer)
    written = [fact for fact in literal if _is_stated(fact, template) and not _is_stated(fact, query)]
    if written:
        what = (
            f"a fact and the answer's template both state {written[0].sources[0]} instead of pointing to it"
        )
        yield Finding(sample.id, what, severity="note")


def _guess_findings(sample: ToolEyesSample, gold: QueryGold) -> Iterator[Finding]:
    """A row whose facts differ between worlds, but so little that a guess at all of them may be right."""
    chances = measured_chances().get(sample.id)
    own = any(isinstance(source, Observed) for fact in gold.facts for source in fact.sources)
    if chances is None or own or gold.state or gold.samples:
        return
    if is_drawn(chances["all"]) and is_guessable(chances["all"]):
        what = f"a guess at its facts is right in {chances['all']:.0%} of the worlds; ask for one more fact"
        yield Finding(sample.id, what)


def _is_stated(wanted: WantedFact, text: str) -> bool:
    fact = wanted.resolved((), ())
    return isinstance(fact, Fact) and any(fact.spots(passage.text) for passage in split_passages(text))


def _shared_texts(samples: tuple[ToolEyesSample, ...]) -> Iterator[Finding]:
    texts = Counter(str(sample.input["query"]) for sample in samples)
    for sample in samples:
        query = str(sample.input["query"])
        if texts[query] > 1:
            yield Finding(sample.id, f"shares its text with another query: {query[:60]}", severity="note")


# Made by recipes/closed_book.py.
CHANCES = Path(__file__).parent / "guess_chances.json"
MOST_CHANCE = 0.02


class GuessChances(TypedDict):
    """Of a row the share of pairs among 21 worlds that agree in each fact, and in all of them."""

    facts: list[float]
    all: float


@cache
def measured_chances() -> dict[str, GuessChances]:
    """The chances of a guess by row, as far as they were measured."""
    found: dict[str, GuessChances] = json.loads(CHANCES.read_text("utf-8")) if CHANCES.exists() else {}
    return found


def is_drawn(chance: float) -> bool:
    """Whether worlds differ."""
    return chance < 1


def is_guessable(chance: float) -> bool:
    """Whether a guess is right too often to prove a look into the world."""
    return chance >= MOST_CHANCE
