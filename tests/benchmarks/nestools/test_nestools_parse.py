"""Replies become calls, or a failure that says why; nothing raises."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import cases
from toolyard.benchmarks.nestools.scoring.parse import ParsedCall, parse_official, parse_paper
from toolyard.core.types import Failure

ONE = '[{"api_name": "x", "api_id": 1, "parameters": {"a": true}, "responses": {"b": "API_call_0"}}]'
CALL = ParsedCall("x", 1, {"a": True}, {"b": "API_call_0"})
OBJECT = ONE[1:-1]

HOSTILE = [
    "[" * 100_000,
    "[" * 300 + "]" * 300,
    '[{"api_name": "x", "api_id": 1, "parameters": {"a": ' + "[" * 5_000 + "]" * 5_000 + "}}]",
    "[" + "9" * 10_000 + "]",
    '[{"api_name": "x", "api_id": 0x' + "f" * 10_000 + ', "parameters": {}}]',
    "[" + "-" * 50_000 + "1]",
    "[" + "1+" * 50_000 + "1]",
    "[\x00]",
    "[\ud800]",
    '[{"api_name": "\\ud800", "api_id": 1, "parameters": {"\\udfff": "\\ud800"}}]',
    "[{[]: 1}]",
    "[...]",
    "[b'x', 1j, {1, 2}]",
    "`" * 50_000,
    "<think>" * 10_000,
    '"' * 50_001,
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_is_a_failure_or_harmless(text: str) -> None:
    for read in (parse_official, parse_paper):
        calls = read(text)
        assert isinstance(calls, Failure) or all(isinstance(call, ParsedCall) for call in calls)


@pytest.mark.parametrize("piece", cases(__file__, "brackets_that_nothing_closes_are_read_in_linear_work"))
def test_brackets_that_nothing_closes_are_read_in_linear_work(
    monkeypatch: pytest.MonkeyPatch, piece: str
) -> None:
    """A decoder that refuses a place counts the lines before it: these characters are the work that is bounded."""
    counted = 0
    refuse = json.JSONDecodeError.__init__

    def counting(error: json.JSONDecodeError, message: str, document: str, place: int) -> None:
        nonlocal counted
        counted += place
        refuse(error, message, document, place)

    monkeypatch.setattr(json.JSONDecodeError, "__init__", counting)
    text = piece * 4_000
    assert isinstance(parse_paper(text), Failure)
    assert counted <= 40 * len(text)


@pytest.mark.parametrize(
    ("text", "official", "paper"),
    [
        (ONE, 1, 1),
        ("[]", 0, 0),
        ("", None, None),
        ("no calls are needed", None, None),
        (f"```json\n{ONE}\n```", 1, 1),
        (f"Here is the list:\n{ONE}\nDone.", 1, 1),
        (f"As in [1]: {ONE}", None, 1),
        (f"<think>maybe [x]</think>{ONE}", None, 1),
        (f"<think>maybe {ONE}", 1, None),
        (OBJECT, None, 1),
        (f"{OBJECT}\n{OBJECT}", None, 2),
        (ONE[:-1], None, None),
        (f"[{OBJECT}, {OBJECT[:-9]}", None, None),
        (f"{ONE},{ONE}", None, 1),
        (ONE[:-1] + ",]", None, 1),
        (str(json.loads(ONE)), 1, 1),
        (ONE.replace("true", "'quite' "), 1, 1),
        (ONE.replace("true", '"two\nlines"'), None, 1),
        ('[{"api_name": "x", "parameters": {}}]', None, 1),
        ('[{"api_name": "x", "api_id": 1}]', None, 1),
        ('[{"parameters": {}}]', None, None),
        ('[{"api_name": "x", "api_id": 1, "parameters": null}]', None, None),
        (f"[{OBJECT}, 5]", None, None),
    ],
)
def test_each_profile_reads_what_it_says(text: str, official: int | None, paper: int | None) -> None:
    for read, wanted in ((parse_official, official), (parse_paper, paper)):
        calls = read(text)
        assert (None if isinstance(calls, Failure) else len(calls)) == wanted


def test_a_call_keeps_what_the_reply_says() -> None:
    assert parse_official(ONE) == parse_paper(ONE) == (CALL,)


def test_the_official_reader_takes_python_before_json() -> None:
    calls = parse_official('[{"api_name": "x", "api_id": 1, "parameters": {"a": "p\\/q"}}]')
    assert not isinstance(calls, Failure)
    assert calls[0].parameters == {"a": "p\\/q"}


@settings(max_examples=300)
@given(
    st.text(alphabet=st.sampled_from("[]{}\",:'api_name\\ud1<think>/ `\n"), max_size=120)
    | st.text(max_size=80)
)
def test_no_text_raises(text: str) -> None:
    for read in (parse_official, parse_paper):
        assert isinstance(read(text), Failure | tuple)
