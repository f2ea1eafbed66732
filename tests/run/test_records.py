"""Records come back from their files as they were: empty is not default, and nothing is lost."""

from typing import TypeVar

import orjson
from hypothesis import given
from hypothesis import strategies as st

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
from toolyard.lines import encode
from toolyard.run.store.records import (
    evidence_line,
    read_evidence,
    read_score,
    read_transcript,
    score_line,
    transcript_line,
    without_defaults,
)

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
    assert without_defaults(Completion("")) == {"text": ""}
    assert without_defaults(Completion("", finish_reason="")) == {"text": "", "finish_reason": ""}
    assert without_defaults(Message("user", "", name="")) == {"role": "user", "content": "", "name": ""}
