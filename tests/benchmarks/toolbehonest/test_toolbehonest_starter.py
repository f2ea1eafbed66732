"""The starter set keeps every rule, gold answers are perfect, and trivial answers are seen for what they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from toolyard.benchmarks.toolbehonest import BENCHMARK
from toolyard.core.benchmark import Answerer, RunSetup
from toolyard.core.types import Evidence, Options, Profile, Sample
from toolyard.models.embed import hash_vectors
from toolyard.run.config import resolve, stored_setup
from toolyard.run.grading import EvidenceBook, grade_all, questions_of
from toolyard.run.offline import empty, play_offline
from toolyard.run.settings import Settings
from toolyard.stats.summary import summarise, values_of

SETUP = RunSetup.default(BENCHMARK)

LANGUAGES = ("en", "zh")


def starter(language: str = "en") -> tuple[Sample, ...]:
    return BENCHMARK.data.load(BENCHMARK.data.starter, Options(values={"language": language}))


def unit_vectors(texts: Sequence[str]) -> NDArray[np.float32]:
    vectors = hash_vectors(texts)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def figures(answerer: Answerer, profile: Profile, *, embedder: bool = True) -> dict[str, Any]:
    """The figures of a scripted answerer; similarities by token hashing, which needs no weights."""
    samples = starter()
    transcripts = play_offline(SETUP, samples, answerer)
    book: dict[tuple[str, int, str], Evidence] = {}
    for sample, transcript in zip(samples, transcripts, strict=True):
        for key, question in questions_of(SETUP, sample, transcript).items() if embedder else ():
            cosines = unit_vectors(question.candidates) @ unit_vectors([question.text])[0]
            nearest = int(np.argmax(cosines))
            book[sample.id, 0, key] = Evidence(
                sample.id,
                question.id,
                nearest=nearest,
                nearest_similarity=float(cosines[nearest]),
                target_similarity=float(cosines[question.target]),
            )
    kept: EvidenceBook = book
    return values_of(
        summarise(BENCHMARK, grade_all(SETUP, samples, transcripts, kept, profile), profile).figures
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_rule_is_broken(language: str) -> None:
    assert BENCHMARK.data.audit is not None
    assert BENCHMARK.data.audit(BENCHMARK.data.starter, starter(language)) == ()


def test_seven_subtasks_have_fifty_pairs_each() -> None:
    pairs = Counter(sample.groups["subtask"] for sample in starter() if sample.id.endswith("/solvable/1"))
    assert (len(pairs), set(pairs.values())) == (7, {50})
    assert len({sample.groups["subtask"] for sample in starter("zh")}) == 7


@pytest.mark.parametrize("profile", ["paper", "official"])
def test_gold_answers_score_one_everywhere(profile: Profile) -> None:
    found = figures(BENCHMARK.checks.oracle, profile)
    # There is one outcome, whatever the profile: it stands under `paper`.
    beside = {name for name, value in found.items() if value is None}
    assert beside == (
        set() if profile == "paper" else {name for name in found if name.startswith(("outcome", "format"))}
    )
    assert {value for name, value in found.items() if name not in beside} == {1.0}


def test_the_empty_answer_scores_zero_everywhere() -> None:
    assert set(figures(empty, "paper").values()) == {0.0}


def test_always_solvable_earns_nothing_on_unsolvable_twins() -> None:
    found = figures(BENCHMARK.checks.baselines["always-solvable"], "paper")
    assert [found[name] for name in ("overall", "l1_em", "l2_pr", "l3_pr", "l3_ms", "overall_soft")] == [
        0.0
    ] * 6
    assert found["solvable_l1_em"] == 1.0


def test_always_unsolvable_is_seen_for_what_it_is() -> None:
    found = figures(BENCHMARK.checks.baselines["always-unsolvable"], "paper")
    assert (found["verdict_recall"], found["verdict_precision"], found["twin"]) == (1.0, 0.5, 0.0)
    assert found["verdict_f1"] == pytest.approx(2 / 3)
    assert found["solvable_overall"] == 0.0


def test_without_an_embedder_the_matching_score_is_left_out_and_not_zero() -> None:
    found = figures(BENCHMARK.checks.oracle, "paper", embedder=False)
    assert (found["l3_ms"], found["overall"], found["overall_soft"]) == (None, None, None)
    assert (found["l1_em"], found["l3_pr"]) == (1.0, 1.0)


def test_a_plan_that_never_needs_a_similarity_is_known_without_an_embedder() -> None:
    assert figures(BENCHMARK.checks.baselines["always-solvable"], "paper", embedder=False)["overall"] == 0.0


def test_the_removed_tool_is_gone_where_the_subtask_says_so() -> None:
    for sample in starter():
        if sample.groups["variant"] == "unsolvable" and sample.groups["scenario"] != "LFT":
            assert all(f". {needed.name}: " not in sample.input["tools"] for needed in sample.gold.needed)


def test_statistics_have_the_rows_of_table_1() -> None:
    assert BENCHMARK.data.statistics is not None
    (table,) = BENCHMARK.data.statistics(BENCHMARK.data.starter, starter())
    rows = {row[0]: row[1:] for row in table.rows}
    assert len(table.columns) == 9
    assert rows["# of samples (solvable)"] == (*[50] * 7, 350)
    assert rows["# of tools used (avg.)"][0] == 2.0
    assert rows["# of unsolvable tools (avg.)"][2] == 2.0
    assert len(rows) == 6


def test_on_our_own_data_the_headline_counts_both_twins() -> None:
    paper, own = SETUP, replace(SETUP, own_data=True)
    assert (paper.headline, own.headline) == ("overall", "outcome")
    refusing = figures(BENCHMARK.checks.baselines["always-unsolvable"], "paper")
    assert refusing[own.headline] <= 0.25 < refusing[paper.headline]


@pytest.mark.parametrize(
    ("data", "headline"),
    [("starter", "outcome"), ("fresh:7:70", "outcome"), ("official", "overall"), ("test_en.json", "overall")],
)
def test_the_headline_goes_by_the_data(data: str, headline: str) -> None:
    settings = Settings(benchmark="toolbehonest", model="scripted/oracle", data=data)
    assert resolve(settings, BENCHMARK, "", {}).setup(BENCHMARK).headline == headline
    # A comparison of stored runs goes by it as well.
    assert stored_setup(BENCHMARK, {"judge": "", "data": data}).headline == headline
