"""API-Bank and ToolTalk as multi-turn single-tool rows under both policies."""

import json
from collections import Counter
from pathlib import Path

import pytest

from cases import cases, each_case
from toolyard.benchmarks.mtu import BENCHMARK
from toolyard.benchmarks.mtu.data.corpus_dialogues import CONTINUED, corpus_tools, detect_corpus
from toolyard.benchmarks.mtu.data.rows import samples_by_dialogue
from toolyard.core.errors import UsageError
from toolyard.core.types import Options, Sample
from toolyard.text.documents import from_mtu


def load(path: Path, policy: str) -> tuple[Sample, ...]:
    return BENCHMARK.data.load(path, Options(values={"policy": policy}))


@each_case("corpus, policy, source, dialogues, calls, others")
def test_counts_of_both_policies(
    shared: Path, corpus: str, policy: str, source: str, dialogues: int, calls: int, others: int
) -> None:
    samples = [
        sample
        for sample in load(shared / "data" / "corpora" / corpus, policy)
        if sample.groups["source"] == source
    ]
    found = Counter(bool(sample.gold["calls"]) for sample in samples)
    assert (len(samples_by_dialogue(samples)), found[True], found[False]) == (dialogues, calls, others)


def test_session_tokens_are_not_the_models_to_fill_in(shared: Path) -> None:
    samples = load(shared / "data" / "corpora" / "tooltalk", "step")
    assert not any("session_token" in call["arguments"] for one in samples for call in one.gold["calls"])


def tooltalk(tmp_path: Path) -> Path:
    (tmp_path / "data" / "easy").mkdir(parents=True)
    (tmp_path / "data" / "tooltalk").mkdir()
    (tmp_path / "data" / "easy" / "x-easy.json").write_text(json.dumps(cases(__file__, "tooltalk")))
    return tmp_path


def test_a_turn_with_two_calls_becomes_two_steps_and_a_closing_one(tmp_path: Path) -> None:
    samples = load(tooltalk(tmp_path), "step")
    assert [[call["arguments"] for call in sample.gold["calls"]] for sample in samples] == [
        [{"time": "06:00:00"}],
        [{"time": "07:00:00"}],
        [],
        [],
    ]
    assert [sample.input["user"] for sample in samples] == [
        "Wake me at six and at seven.",
        CONTINUED,
        CONTINUED,
        "Thanks!",
    ]
    assert samples[1].input["history"][0]["observation"] == '{"alarm_id":"a1"}'
    assert "Today is 2023-09-11, the time is 13:00:00, the place is Oslo." in samples[0].input["instructions"]


def test_strict_leaves_a_dialogue_with_two_calls_in_a_turn_out(tmp_path: Path) -> None:
    from toolyard.core.errors import DataError

    with pytest.raises(DataError, match="--policy step"):
        load(tooltalk(tmp_path), "strict")


def test_a_policy_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="step or strict"):
        load(tooltalk(tmp_path), "loose")


def test_folders_are_recognised_by_their_form(tmp_path: Path) -> None:
    assert detect_corpus(tooltalk(tmp_path)) == "tooltalk"
    assert detect_corpus(BENCHMARK.data.starter) is None


@pytest.mark.parametrize(("form", "count"), [("api-bank", 53), ("tooltalk", 28)])
def test_every_tool_is_documented_in_full(form: str, count: int) -> None:
    documents = [from_mtu(document) for document in corpus_tools(form)]
    assert len(documents) == count
    for document in documents:
        assert document.description
        assert all(parameter.description for parameter in document.parameters)


@pytest.mark.parametrize("form", ["api-bank", "tooltalk"])
def test_names_are_those_of_the_corpora(shared: Path, form: str) -> None:
    facts = json.loads((shared / "specs" / f"{form}_tools.json").read_text())
    for document in corpus_tools(form):
        for section in ("required_parameters", "optional_parameters"):
            wanted = [parameter["name"] for parameter in facts[document["name"]][section]]
            assert [parameter["name"] for parameter in document[section]] == wanted
