"""Right answers that are spelled otherwise, and wrong ones that look plausible, to own questions under two seeds.

    {"query": ..., "right": true, "answer": "Staff: {1.employees|,}. They wrote at {1.date|time}."}

A slot is a reference; `#` takes a part of a text, a sum may follow, and a format of Python's stands behind the bar.
"""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from toolyard.benchmarks.tooleyes import BENCHMARK
from toolyard.benchmarks.tooleyes.data.references import look_up, value_text
from toolyard.benchmarks.tooleyes.data.sample import QueryGold
from toolyard.benchmarks.tooleyes.scoring.baselines import oracle
from toolyard.benchmarks.tooleyes.scoring.checks.stated_values import forms_of
from toolyard.benchmarks.tooleyes.scoring.gold_episodes import GoldEpisode
from toolyard.benchmarks.tooleyes.scoring.outcome import Statements, outcome, statements
from toolyard.benchmarks.tooleyes.scoring.parse import parse
from toolyard.core.benchmark import RunSetup
from toolyard.core.types import Options
from toolyard.run.plan.data_sources import load_samples
from toolyard.run.play.offline import play_offline

ROWS = [
    json.loads(line) for line in Path(__file__).with_name("spelled.jsonl").read_text("utf-8").splitlines()
]
_SLOT = re.compile(r"\{([^{}|#]+?)(?:#([^{}|]+?))?(?:([*/+])([\d.]+)(?:\+(\d+))?)?(?:\|([^{}]*))?\}")


def fill(answer: str, seen: Sequence[Any]) -> str:
    """The answer with its slots filled from the plan's results."""

    def put(slot: re.Match[str]) -> str:
        value: Any = look_up(slot[1], seen)
        if slot[2]:
            found = re.search(slot[2], str(value))
            assert found is not None
            value = int(found[1])
        if slot[3]:
            factor = float(slot[4])
            value = {"*": value * factor, "/": value / factor, "+": value + factor}[slot[3]] + float(
                slot[5] or 0
            )
        if slot[6] == "time":
            return str(value)[11:16]
        return format(value, slot[6]) if slot[6] else value_text(slot[1], value)

    return _SLOT.sub(put, answer)


@pytest.mark.parametrize("seed", [0, 1])
def test_spelling_does_not_matter_and_values_do(seed: int) -> None:
    options = Options("zero-shot", world_seed=seed)
    names = {row["query"] for row in ROWS}
    samples = tuple(each for each in load_samples(BENCHMARK, "starter", options) if each.id in names)
    assert len(samples) == len(names)
    wrong = []
    played = play_offline(RunSetup.default(BENCHMARK, options), samples, oracle)
    for sample, transcript in zip(samples, played, strict=True):
        assert isinstance(sample.gold, QueryGold)
        golden = parse(sample, transcript, "paper")
        stated = statements(sample.gold, golden)
        assert isinstance(stated, Statements)
        gold = GoldEpisode(transcript, golden, sample.gold, stated)
        for row in (row for row in ROWS if row["query"] == sample.id):
            text = fill(row["answer"], gold.reference)
            found = outcome(sample.gold, parse(sample, gold.answering(text), "paper"))
            if found.value != float(row["right"]):
                wrong.append((row["right"], sample.id, text, found.reasons))
    assert wrong == []


@pytest.mark.parametrize(
    ("name", "short", "others"),
    [
        ("Wells Fargo & Company", "wells fargo", ("wells",)),
        ("Spotify Technology S.A.", "spotify", ("technology",)),
        ("Honda Motor Co., Ltd.", "honda", ("motor",)),
        ("General Motors Company", "general motors", ("general",)),
        ("Information Technology", "information technology", ("information",)),
    ],
)
def test_a_firm_goes_without_its_legal_form(name: str, short: str, others: tuple[str, ...]) -> None:
    assert short in forms_of(name)
    assert not {*others} & {*forms_of(name)}
