"""Run files survive kills, torn lines are dropped, and records come back from their files as they were."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import each_case
from toolyard import evaluate
from toolyard.core.errors import DataError, RunMismatch
from toolyard.core.types import (
    Completion,
    Counts,
    Evidence,
    Failure,
    Message,
    Score,
    TokenLogprob,
    Transcript,
    Usage,
)
from toolyard.lines import Appender, drop_torn_line, encode, read_lines
from toolyard.run.store.records import (
    drop_defaults,
    evidence_line,
    read_evidence,
    read_score,
    read_transcript,
    score_line,
    transcript_line,
)
from toolyard.run.store.run_directory import BASELINES, MANIFEST, RunStore
from toy_benchmark import toy_benchmark


def test_a_torn_last_line_is_dropped_and_a_broken_one_in_the_middle_named(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_bytes(b'{"a": 1}\n{"a": 2}\n{"a": ')
    assert list(read_lines(path)) == [{"a": 1}, {"a": 2}]
    with Appender(path) as appender:
        appender.append({"a": 3})
    assert path.read_bytes() == b'{"a": 1}\n{"a": 2}\n{"a":3}\n'
    path.write_bytes(b"x" * 200_000)
    drop_torn_line(path)
    assert path.read_bytes() == b""
    path.write_bytes(b'{"a": 1}\n{"a": \n{"a": 3}\n')
    with pytest.raises(DataError, match="line 2 is not JSON"):
        list(read_lines(path))


@each_case("line")
def test_a_line_of_another_shape_is_named(tmp_path: Path, line: str) -> None:
    store = RunStore(tmp_path)
    with store.append_transcripts() as append:
        append(Transcript("a"))
    with (tmp_path / "transcripts.jsonl").open("a") as file:
        file.write(line + "\n")
    with pytest.raises(DataError, match=r"transcripts\.jsonl, line 2.*remove that line"):
        RunStore(tmp_path).transcripts()


WRITER = """
import sys
from pathlib import Path
from toolyard.lines import write_whole

for _ in range(500):
    write_whole(Path(sys.argv[1]), sys.argv[2].encode() * 50_000)
"""


def test_two_processes_that_replace_one_file_leave_it_whole(tmp_path: Path) -> None:
    path = tmp_path / "baselines.json"
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(path), letter]) for letter in "ab"]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    assert path.read_bytes() in (b"a" * 50_000, b"b" * 50_000)
    assert list(tmp_path.iterdir()) == [path]


def test_a_run_without_an_answer_leaves_no_directory(tmp_path: Path) -> None:
    store = RunStore(tmp_path / "run")
    with store.locked():
        for name in (MANIFEST, BASELINES):
            (store.folder / name).write_text("{}")
        store.discard_if_empty()
    assert list(tmp_path.iterdir()) == []


def test_the_last_line_of_a_sample_wins_and_a_second_process_is_refused(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    with store.append_transcripts() as append:
        append(Transcript("7", error=Failure("timeout", "slow")))
        append(Transcript.answered("7", "right"))
    assert store.transcripts()["7", 0].text == "right"
    with RunStore(tmp_path).locked(), pytest.raises(RunMismatch, match="another process"):  # noqa: SIM117
        with RunStore(tmp_path).locked():
            pass


@given(st.text(st.characters(), max_size=50))
def test_any_text_can_be_written(text: str) -> None:
    line = orjson.loads(encode(transcript_line(Transcript.answered("7", text))))
    written = read_transcript(line).text
    assert written == text or any(0xD800 <= ord(character) < 0xE000 for character in text)


def test_lone_surrogates_and_huge_integers_are_made_safe() -> None:
    line = orjson.loads(encode({"text": "a\ud83d", "number": 10**40}))
    assert line["text"].startswith("a")
    assert "1" + "0" * 40 in str(line["number"])


def test_a_run_is_held_from_its_first_answer_to_its_last_score(tmp_path: Path) -> None:
    data = tmp_path / "count.txt"
    data.write_text("2")
    toy, refused = toy_benchmark(data), []

    def score(*given: Any) -> Score:
        with pytest.raises(RunMismatch, match="another process"), RunStore(tmp_path / "r").locked():
            pass
        refused.append(given[0].id)
        return toy.scoring.score(*given)

    held = replace(toy, scoring=replace(toy.scoring, score=score))
    evaluate(held, "scripted/oracle", runs=tmp_path, name="r")
    assert len(refused) == 2
    with RunStore(tmp_path / "r").locked():
        assert (tmp_path / "r" / "scores.jsonl").exists(), "given back at the end"


Item = TypeVar("Item")

texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)
numbers = st.integers(-(2**63), 2**63 - 1)
# Larger ones are refused when they are read.
reals = st.floats(-(2.0**62), 2.0**62)
values = st.recursive(
    st.none() | st.booleans() | numbers | reals | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
objects = st.dictionaries(texts, values, max_size=3)
usages = st.builds(Usage, numbers, numbers)
failures = st.none() | st.builds(Failure, texts, texts)


def few(items: st.SearchStrategy[Item]) -> st.SearchStrategy[tuple[Item, ...]]:
    return st.lists(items, max_size=3).map(tuple)


messages = st.builds(
    Message,
    st.sampled_from(["system", "user", "assistant", "tool"]),
    texts,
    st.none() | texts,
    few(objects),
    st.none() | texts,
)
logprobs = st.builds(TokenLogprob, texts, reals, few(st.tuples(texts, reals)))
completions = st.builds(Completion, texts, texts, usages, reals, texts, few(objects), few(logprobs), texts)
transcripts = st.builds(Transcript, texts, numbers, few(messages), few(completions), objects, failures)
evidence = st.builds(
    Evidence, texts, texts, numbers, texts, numbers, reals, reals, texts, usages, failures, texts, numbers, reals
)  # fmt: skip
scores = st.builds(
    Score,
    texts,
    numbers,
    st.dictionaries(texts, st.none() | reals, max_size=3),
    st.dictionaries(texts, st.builds(Counts, reals, reals, reals), max_size=3),
    st.dictionaries(texts, st.dictionaries(texts, numbers, max_size=2), max_size=2),
    values,
    few(texts),
    st.dictionaries(texts, texts, max_size=2),
    st.none() | texts,
)


@given(transcripts)
def test_a_transcript_comes_back(transcript: Transcript) -> None:
    assert read_transcript(orjson.loads(encode(transcript_line(transcript)))) == transcript


@given(evidence)
def test_evidence_comes_back(item: Evidence) -> None:
    assert read_evidence(orjson.loads(encode(evidence_line(item)))) == item


@given(scores)
def test_a_score_comes_back(score: Score) -> None:
    line = orjson.loads(encode(score_line(score)))
    assert read_score(score.sample, score.trial, line) == score


def test_only_defaults_are_left_out_of_a_line() -> None:
    assert drop_defaults(Completion("")) == {"text": ""}
    assert drop_defaults(Completion("", finish_reason="")) == {"text": "", "finish_reason": ""}
    assert drop_defaults(Message("user", "", name="")) == {"role": "user", "content": "", "name": ""}
