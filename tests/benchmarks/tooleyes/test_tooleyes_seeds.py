"""Gold that follows a seed and holds in several worlds, for the own and the hard set."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from toolyard.benchmarks.tooleyes import BENCHMARK
from toolyard.benchmarks.tooleyes.data.audit import audit
from toolyard.benchmarks.tooleyes.data.documents import tool_documents
from toolyard.benchmarks.tooleyes.data.references import PLACE, observed_calls, references_in
from toolyard.benchmarks.tooleyes.data.rows import SCENARIOS
from toolyard.benchmarks.tooleyes.data.sample import QueryGold
from toolyard.benchmarks.tooleyes.scoring.baselines import oracle
from toolyard.benchmarks.tooleyes.scoring.outcome import Statements, outcome, statements
from toolyard.benchmarks.tooleyes.scoring.parse import parse
from toolyard.benchmarks.tooleyes.task import scene
from toolyard.core.benchmark import RunSetup
from toolyard.core.types import Options
from toolyard.run.plan.data_sources import load_samples
from toolyard.run.play.offline import play_offline
from toolyard.world import library

# Rows that name an item by its place although nobody asks for a rank, decisions and absent facts that are literals.
BY_PLACE, LITERAL_DECISIONS, LITERAL_ABSENT, LITERAL_FACTS = 26, 5, 9, 0
# The share of questions with simulated gold whose gold differs between two seeds.
FRESH = 0.95
_PLACE = re.compile(r"\[-?\d+\]")
_RANK = re.compile(
    r"\b(?:first|second|third|last|latest|newest|next|top(?:most)?|best|cheapest|lowest|highest|largest|biggest|soonest|"
    r"longest|shortest|nearest|closest|lightest|harshest|most|upcoming|recent(?:ly)?|begin\w*|end of the list|suggest\w*)\b",
    re.IGNORECASE,
)
_SORTED = re.compile(r"\b(?:sort\w*|order\w*|ORDER BY)\b")


def rows() -> list[dict[str, Any]]:
    assert BENCHMARK.data.starter is not None
    files = sorted(BENCHMARK.data.starter.glob("*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines() if line]


ROWS = rows()


def references(row: Mapping[str, Any]) -> Iterator[str]:
    yield from references_in(row["checks"])
    yield from references_in([step["arguments"] for step in row["plan"]])
    yield from PLACE.findall(row["answer"])


def asks_for_a_rank(row: Mapping[str, Any]) -> bool:
    """Whether the user speaks of places in an order, or a call says how results are sorted."""
    said = [row["query"], *row.get("slots", {}).values(), row.get("change", {}).get("text", "")]
    return bool(
        _RANK.search(" ".join(said)) or _SORTED.search(json.dumps([s["arguments"] for s in row["plan"]]))
    )


def is_literal(fact: Any) -> bool:
    text = json.dumps(fact)
    return '"$"' not in text and '"tool"' not in text


def test_rows_name_items_by_place_only_where_a_rank_is_asked_for() -> None:
    found = [
        row["id"] for row in ROWS if any(map(_PLACE.search, references(row))) and not asks_for_a_rank(row)
    ]
    assert len(found) <= BY_PLACE, f"{len(found)} rows: {found}"


@pytest.mark.parametrize(
    ("field", "most"),
    [("decisions", LITERAL_DECISIONS), ("absent", LITERAL_ABSENT), ("facts", LITERAL_FACTS)],
)
def test_statements_are_references(field: str, most: int) -> None:
    found = [
        f"{row['id']}: {json.dumps(item, ensure_ascii=False)[:60]}"
        for row in ROWS
        for item in row["checks"].get(field, [])
        if ("if" not in item if field == "decisions" else is_literal(item))
    ]
    assert len(found) <= most, f"{len(found)} {field}:\n" + "\n".join(found)


@dataclass(frozen=True)
class PlayedGold:
    """What gold says in the world of a seed, whether a result was cut, and why it does not pass there."""

    said: str
    cut: bool
    reasons: tuple[str, ...]


@cache
def play_gold(
    seed: int, step: int = 1, data: str = "starter", only: frozenset[str] = frozenset()
) -> dict[str, PlayedGold]:
    """The gold of every own row in the world of that seed."""
    options = Options("zero-shot", world_seed=seed)
    samples = [each for each in load_samples(BENCHMARK, data, options)[::step] if not only or each.id in only]
    by_id = {sample.id: sample for sample in samples}
    found = {}
    for played in play_offline(RunSetup.default(BENCHMARK, options), samples, oracle):
        sample = by_id[played.sample]
        assert isinstance(sample.gold, QueryGold)
        trajectory = parse(sample, played, "paper")
        result, stated = outcome(sample.gold, trajectory), statements(sample.gold, trajectory)
        assert isinstance(stated, Statements), f"{sample.id}: {stated}"
        facts = [fact.shown for fact in stated.facts] if sample.gold.facts else [trajectory.answer]
        said = f"{facts} {[decision.said for decision in stated.decisions]}"
        cut = '"cut": [' in json.dumps(trajectory.reference)
        found[sample.id] = PlayedGold(said, cut, () if result.value == 1.0 else result.reasons or ("open",))
    return found


@pytest.mark.parametrize(("seed", "step"), [(0, 1), (1, 1), (2, 5)])
def test_gold_holds_in_every_world(seed: int, step: int) -> None:
    failed = {name: gold.reasons for name, gold in play_gold(seed, step).items() if gold.reasons}
    assert not failed


@pytest.mark.parametrize("data", ["starter", "hard"])
def test_no_gold_depends_on_where_a_list_was_cut(data: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Played with whole results, plans lead to the answers that they lead to with cut ones."""
    shown = {name: gold for name, gold in play_gold(0, data=data).items() if gold.cut}
    assert shown
    monkeypatch.setattr(scene, "BUDGET_TOKENS", 1_000_000)
    whole = play_gold(0, data=data, only=frozenset(shown))
    assert [name for name, gold in whole.items() if gold.said != shown[name].said] == []


def test_simulated_gold_differs_between_seeds() -> None:
    """Counted is a row where a fact, decision or sample points into the result of a simulated tool."""
    content = {name: tool.content for name, tool in library().items()}
    simulated = [row["id"] for row in ROWS if "simulated" in {content.get(tool) for tool in gold_tools(row)}]
    same = [name for name in simulated if play_gold(0)[name].said == play_gold(1)[name].said]
    assert len(simulated) > 250
    assert len(same) <= (1 - FRESH) * len(simulated), f"{len(same)} of {len(simulated)}: {same}"


def gold_tools(row: Mapping[str, Any]) -> Iterator[str]:
    """The tools whose results the gold of a row points into."""
    plan = [step["tool"] for step in row["plan"]]
    for reference in references_in([row["checks"].get("facts", []), row["checks"].get("decisions", [])]):
        for place in observed_calls(reference):
            yield f"{row['path']}/{plan[place]}"
    samples = [name.partition(" ")[0] for each in row["checks"].get("samples", []) for name in each["from"]]
    for tool in [*samples, *re.findall(r'"tool": "([^"]+)"', json.dumps(row["checks"]))]:
        yield f"{row['path']}/{tool}"


EVERY = 14


def test_the_hard_set_has_long_plans_and_long_lists_in_every_scenario() -> None:
    samples: Any = load_samples(BENCHMARK, "hard", Options("zero-shot"))
    assert len(samples) >= 105
    assert {sample.groups["scenario"] for sample in samples} == set(SCENARIOS)
    assert all(5 <= len(sample.gold.plan) <= 8 for sample in samples)
    sizes = [len(tool_documents(sample)) for sample in samples]
    assert min(sizes) >= 50 and max(sizes) == 568
    assert Counter(size >= 200 for size in sizes)[True] >= len(samples) / 5
    found = audit(BENCHMARK.data.starter, samples)
    assert [finding for finding in found if finding.severity == "defect"] == []


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_gold_of_hard_rows_passes_in_several_worlds(seed: int) -> None:
    options = Options("zero-shot", world_seed=seed)
    samples: Any = load_samples(BENCHMARK, "hard", options)[seed::EVERY]
    by_id = {sample.id: sample for sample in samples}
    for played in play_offline(RunSetup.default(BENCHMARK, options), samples, oracle):
        sample = by_id[played.sample]
        result = outcome(sample.gold, parse(sample, played, "paper"))
        assert result.value == 1.0, (sample.id, result.reasons)
