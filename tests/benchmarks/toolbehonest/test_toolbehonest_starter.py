"""The starter set keeps every rule, gold answers are perfect, and the profiles differ as the README says."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from verdict_from_text import SOLVERS, by_subtask, first_level, pooled, rates_by_pair

from cases import each_case
from json_files import read_lines
from toolyard.benchmarks.toolbehonest import BENCHMARK
from toolyard.benchmarks.toolbehonest.data.audit import item_findings, numbered_lines
from toolyard.benchmarks.toolbehonest.data.rows import Item, read_items
from toolyard.benchmarks.toolbehonest.data.tool_list import UNSOLVABLE_QUERY, working_tools
from toolyard.benchmarks.toolbehonest.synth.data_files import row_to_item, tool_list
from toolyard.benchmarks.toolbehonest.synth.hard.hard_book import hard_tasks
from toolyard.benchmarks.toolbehonest.synth.hard.pipeline import execute_task, make_twins
from toolyard.core.benchmark import Answerer, RunSetup
from toolyard.core.types import Evidence, Options, Profile, Record, Sample
from toolyard.models.embed.embedding import hash_vectors
from toolyard.run.grade.grading import EvidenceBook, grade_all, questions_by_key
from toolyard.run.plan.run_config import resolve, setup_of_manifest
from toolyard.run.play.offline import empty_answer, play_offline
from toolyard.run.settings import Settings
from toolyard.stats.summary import figure_values, summarise
from toolyard.synth.stages import Context, Kept

SETUP = RunSetup.default(BENCHMARK)

LANGUAGES = ("en", "zh")


@cache
def starter(language: str = "en") -> tuple[Sample, ...]:
    return BENCHMARK.data.load(BENCHMARK.data.starter, Options(values={"language": language}))


def unit_vectors(texts: Sequence[str]) -> NDArray[np.float32]:
    vectors = hash_vectors(texts)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def figures(answerer: Answerer, profile: Profile, *, embedder: bool = True) -> dict[str, Any]:
    """The figures of a scripted answerer on every fifth pair; similarities by token hashing, which needs no weights."""
    chosen = set(list(dict.fromkeys(sample.cluster for sample in starter()))[::5])
    samples = tuple(sample for sample in starter() if sample.cluster in chosen)
    transcripts = play_offline(SETUP, samples, answerer)
    book: dict[tuple[str, int, str], Evidence] = {}
    for sample, transcript in zip(samples, transcripts, strict=True):
        for key, question in questions_by_key(SETUP, sample, transcript).items() if embedder else ():
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
    return figure_values(
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


def test_trivial_answers_are_seen_for_what_they_are() -> None:
    assert set(figures(empty_answer, "paper").values()) == {0.0}
    found = figures(BENCHMARK.checks.baselines["always-solvable"], "paper")
    assert [found[name] for name in ("overall", "l1_em", "l2_pr", "l3_pr", "l3_ms", "overall_soft")] == [
        0.0
    ] * 6
    assert found["solvable_l1_em"] == 1.0
    found = figures(BENCHMARK.checks.baselines["always-unsolvable"], "paper")
    assert (found["verdict_recall"], found["verdict_precision"], found["twin"]) == (1.0, 0.5, 0.0)
    assert found["verdict_f1"] == pytest.approx(2 / 3)
    assert found["solvable_overall"] == 0.0


def test_without_an_embedder_the_matching_score_is_left_out_where_one_is_needed() -> None:
    found = figures(BENCHMARK.checks.oracle, "paper", embedder=False)
    assert (found["l3_ms"], found["overall"], found["overall_soft"]) == (None, None, None)
    assert (found["l1_em"], found["l3_pr"]) == (1.0, 1.0)
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
    assert setup_of_manifest(BENCHMARK, {"judge": "", "data": data}).headline == headline


HARD = BENCHMARK.data.shipped_folders[1]
ITEMS = read_items(HARD / "test_en.json")
EXECUTED: list[Record] = read_lines(HARD / "execution.jsonl")
SEED = 2026


def gaps(item: Item) -> list[int]:
    return [place for place, step in enumerate(item.plan("unsolvable")) if step == UNSOLVABLE_QUERY]


def names(tools: str) -> set[str]:
    return {tool.name for tool in working_tools(tools)}


def test_every_pair_keeps_the_rules_and_gives_six_samples() -> None:
    assert len(ITEMS) >= 60
    assert [finding for item in ITEMS for finding in item_findings(item)] == []
    assert len(BENCHMARK.data.load(HARD, Options())) == 6 * len(ITEMS)


def test_chains_and_lists_are_long_and_the_gap_is_inside() -> None:
    for item in ITEMS:
        assert 5 <= len(item.plan("solvable")) <= 9, item.cluster
        assert 20 <= len(working_tools(item.tools)) <= 80, item.cluster
        assert min(gaps(item)) > 0 and max(gaps(item)) < len(item.plan("solvable")) - 1, item.cluster
    places = np.array([(place + 0.5) / len(item.plan("solvable")) for item in ITEMS for place in gaps(item)])
    assert abs(places.mean() - 0.5) <= 2.6 * places.std(ddof=1) / np.sqrt(len(places))


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.cluster)
def test_a_near_miss_of_the_gap_stands_in_both_lists(item: Item) -> None:
    proof = EXECUTED[int(item.name)]["unsolvable"]
    for near in proof["near_miss"]:
        assert near["name"] in names(item.tools) & names(item.unsolvable_tools)
    if proof["form"] == "removed":
        missing = {item.plan("solvable")[place] for place in gaps(item)}
        assert missing.isdisjoint(names(item.unsolvable_tools))


def test_tags_name_the_tables_that_acting_anyway_would_change() -> None:
    for item, line in zip(ITEMS, EXECUTED, strict=True):
        tables = [tag.removeprefix("trace-") for tag in item.tags if tag.startswith("trace-")]
        assert tables == [table.replace("_", "-") for table in line["unsolvable"]["trace"]], item.cluster
    left = Counter(sample.groups["trace"] for sample in BENCHMARK.data.load(HARD, Options()))
    assert left["left"] >= 20 * 6


@pytest.mark.parametrize("name", ["multi_step_wo_rep-01", "iter-01"])
def test_the_pipeline_makes_the_shipped_pair_again(name: str) -> None:
    row: Record = {"id": name, "subtask": hard_tasks()[name].subtask}
    for stage in (execute_task, make_twins):
        done = stage(row, Context(seed=SEED))
        assert isinstance(done, Kept)
        row = {**row, **done.fields}
    shipped = [item for item in ITEMS if item.subtask == row["subtask"]][int(name[-2:])]
    made = row_to_item(row, shipped.name, shipped.index)
    assert made == shipped
    assert tool_list(row["tools"]) == shipped.tools


SEVERAL = ("multi_step_wo_rep", "multi_step_w_rep", "os", "web")
STARTER = read_items(BENCHMARK.data.starter / "test_en.json")
ITEMS_CONTRAST = [one for each in BENCHMARK.data.shipped_folders for one in read_items(each / "test_en.json")]


@each_case("data, solver")
def test_words_tell_no_verdict(data: str, solver: str) -> None:
    samples = first_level(data)
    rates = rates_by_pair(samples, SOLVERS[solver](samples))
    mean, half_width = pooled(rates)
    assert abs(mean - 0.5) <= half_width, mean
    assert max(by_subtask(rates).values()) <= 0.65


def test_twins_have_equally_long_lists_and_tasks_and_their_surroundings_in_common() -> None:
    for item in ITEMS_CONTRAST:
        assert len(working_tools(item.tools)) == len(working_tools(item.unsolvable_tools)), item.cluster
        assert len(numbered_lines(item.task)) == len(numbered_lines(item.unsolvable_task)), item.cluster
    for item in ITEMS_CONTRAST:
        assert item.subtask not in ("os", "web") or item.task == item.unsolvable_task, item.cluster


@pytest.mark.parametrize("subtask", SEVERAL)
def test_the_gap_is_drawn_evenly(subtask: str) -> None:
    plans = [item.plan("unsolvable") for item in STARTER if item.subtask == subtask]
    places = np.array(
        [
            (place + 0.5) / len(plan)
            for plan in plans
            for place, step in enumerate(plan)
            if step == UNSOLVABLE_QUERY
        ]
    )
    assert abs(places.mean() - 0.5) <= 2.6 * places.std(ddof=1) / np.sqrt(len(places))


@pytest.mark.parametrize("subtask", SEVERAL)
def test_lines_do_not_tell_how_many_steps_there_are(subtask: str) -> None:
    own = [item for item in STARTER if item.subtask == subtask]
    unlike = [len(numbered_lines(item.task)) != len(item.plan("solvable")) for item in own]
    assert 0.5 <= np.mean(unlike) <= 0.95


Dress = Callable[[Sample, str], str]


def body(answer: str) -> str:
    return answer.removeprefix("<answer>").removesuffix("</answer>")


def lines_with(before: str, after: str) -> Dress:
    def dress(_sample: Sample, answer: str) -> str:
        lines = [line.replace("tool: ", f"tool: {before}") for line in body(answer).split("\n")]
        named = [line if "tool: " in line else before + line for line in lines]
        return "<answer>" + "\n".join(line + after for line in named) + "</answer>"

    return dress


def removed_tool_appended(sample: Sample, answer: str) -> str:
    if sample.input["level"] == 1 or not sample.gold.needed:
        return answer
    last = sample.gold.needed[0].name
    step = last if sample.input["level"] == 2 else f"Subgoal 9: more Planned tool: {last}"
    return "<answer>" + body(answer).rpartition("\n")[0] + f"\n{step}</answer>"


@cache
def some_samples() -> tuple[Sample, ...]:
    """Every fifth pair of the starter set."""
    samples = BENCHMARK.data.load(BENCHMARK.data.starter, Options())
    chosen = set(list(dict.fromkeys(sample.cluster for sample in samples))[::5])
    return tuple(sample for sample in samples if sample.cluster in chosen)


def figure(dress: Dress, name: str, profile: Profile) -> float | None:
    samples = some_samples()
    transcripts = play_offline(
        SETUP,
        samples,
        lambda sample, messages, rng: dress(sample, BENCHMARK.checks.oracle(sample, messages, rng)),
    )
    graded = grade_all(SETUP, samples, transcripts, {}, profile)
    return summarise(BENCHMARK, graded, profile).figures[name].value


@pytest.mark.parametrize(
    ("dress", "name", "paper", "official"),
    [
        (lambda sample, answer: f"<answer>\n{body(answer)}\n</answer>", "l1_em", 1.0, 0.0),
        (lines_with("1. ", ""), "l2_pr", 1.0, 0.0),
        (lines_with(" ", ""), "l2_pr", 1.0, 0.0),
        (lines_with("[", "]"), "l2_pr", 1.0, 0.0),
        (lines_with("[", "]"), "l3_pr", 1.0, 0.0),
        (lines_with("", "."), "l1_em", 1.0, 0.0),
        (lines_with("", "."), "l2_pr", 1.0, 0.0),
        (lines_with("", "."), "l3_pr", 1.0, 0.0),
        (lambda sample, answer: f"As in <answer>Tool1</answer>: {answer}", "l2_pr", 1.0, 0.0),
        (lambda sample, answer: f"<think><answer>solvable</answer></think>{answer}", "l1_em", 1.0, 0.0),
        (removed_tool_appended, "l2_pr", 0.28571, 1.0),
        (removed_tool_appended, "l3_pr", 0.28571, 1.0),
    ],
)
def test_profiles_differ_by_what_readme_says(dress: Dress, name: str, paper: float, official: float) -> None:
    assert figure(dress, name, "paper") == pytest.approx(paper, abs=1e-5)
    assert figure(dress, name, "official") == pytest.approx(official, abs=1e-5)
