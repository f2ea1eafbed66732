"""The library: every member's call keeps all its values, no document contradicts a call, and replies are read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import cases, each_case
from toolyard.benchmarks.mtu.synth.corpora import corpus_tools
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import CorpusTool, DialogueCall
from toolyard.benchmarks.mtu.synth.instruct.corpus_rows import standard_call
from toolyard.benchmarks.mtu.synth.instruct.tool_library import (
    build_library,
    document_prompt,
    merge_tools,
    parse_document,
    tool_document,
)
from toolyard.core.errors import DataError
from toolyard.core.types import Failure
from toolyard.models.embed.embedding import hash_vectors
from toolyard.text.documents import Parameter, from_mtu


def test_a_call_of_no_known_tool_keeps_its_name() -> None:
    assert standard_call(DialogueCall("Nothing", {"x": 1}, service="sea"), {}) == DialogueCall(
        "Nothing", {"x": 1}
    )


def test_names_are_plain_in_calls_results_and_documents() -> None:
    tool = CorpusTool("find ferry", "sea", "", (Parameter("port.from"),), (), (Parameter("the fare"),))
    library = build_library({"own": [tool]}, (), hash_vectors)
    call = DialogueCall("find ferry", {"port.from": "Como"}, ({"the fare": "9"},), service="sea")
    written = DialogueCall("find_ferry", {"port_from": "Como"}, [{"the_fare": "9"}])
    assert standard_call(call, library.names) == written
    document = library.documents["own", "find_ferry"]
    assert [each["name"] for each in document["required_parameters"]] == ["port_from"]
    assert [each["name"] for each in document["result_parameters"]] == ["the_fare"]


def test_two_parameters_that_would_become_one_are_refused_and_never_overwrite_one_another() -> None:
    both = (Parameter("a b"), Parameter("a_b"))
    with pytest.raises(DataError, match="one plain name"):
        build_library({"own": [CorpusTool("x", "s", "", both)]}, (), hash_vectors)
    call = DialogueCall("x", {"a b": 1, "a_b": 2}, service="s")
    assert standard_call(call, {}).arguments == {"a b": 1, "a_b": 2}


def test_every_call_of_sgd_has_its_parameters_in_the_document_of_its_tool(shared: Path) -> None:
    tools = corpus_tools("sgd", shared / "data" / "corpora" / "sgd")
    library = build_library({"sgd": tools}, (), hash_vectors)
    assert len(library.names) == len(tools)
    for tool in tools:
        whole = library.tools["sgd"][library.names[tool.service, tool.name]].whole
        allowed = {each.name for each in (*whole.required, *whole.optional)}
        assert {each.name for each in (*tool.required, *tool.optional)} <= allowed
        assert {each.name for each in whole.required} <= {each.name for each in tool.required}


def test_required_is_what_all_require_and_choices_are_what_any_allows() -> None:
    one = CorpusTool("A", "a", "", (Parameter("size", choices=("S",)), Parameter("dish")))
    two = CorpusTool(
        "B", "b", "", (Parameter("dish"),), (Parameter("size", choices=("S", "L"), default="L"),)
    )
    both = merge_tools("A", [one, two])
    assert [each.name for each in both.required] == ["dish"]
    assert both.optional == (Parameter("size", choices=("S", "L")),)


def test_a_document_has_the_five_keys_of_figure_9_in_order() -> None:
    document = tool_document(
        CorpusTool(
            "SetAlarm",
            "clock",
            "Sets an alarm",
            (Parameter("time", description="When it rings", format="HH:MM"),),
            (Parameter("repeat", "boolean", "Whether it repeats", choices=(True, False), default=False),),
        )
    )
    assert json.dumps(document) == json.dumps(cases(__file__, "figure_9"))
    assert from_mtu(document).required == ("time",)


REPLY = """Here it is:
```json
{"name": "find_trail", "description": "Trails of a park",
 "required_parameters": [{"name": "park", "type": "string", "description": "The park"}],
 "optional_parameters": [{"name": "length", "type": "int", "description": "At most this long", "default": 5}],
 "result_parameters": [{"name": "trail", "type": "string", "description": "Its name"}], "note": "ignored"}
```"""


def test_a_reply_is_read_into_the_five_keys_and_nothing_else() -> None:
    document = parse_document(REPLY, "find_trail", ["park", "length"])
    assert isinstance(document, dict)
    assert list(document) == [
        *("name", "description", "required_parameters", "optional_parameters", "result_parameters")
    ]
    assert document["optional_parameters"][0]["type"] == "integer"


@each_case(
    "reply, kind",
    besides=[
        (REPLY.replace("find_trail", "FindTrail"), "wrong_name"),
        (REPLY.replace('"int"', '"whole"'), "unknown_type"),
        (REPLY.replace('"length"', '"park"'), "repeated_parameter"),
        (REPLY.replace('"length"', '"longest"'), "missing_parameter"),
    ],
)
def test_a_bad_reply_fails_with_its_reason(reply: str, kind: str) -> None:
    failure = parse_document(reply, "find_trail", ["park", "length"])
    assert isinstance(failure, Failure)
    assert failure.kind == kind


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["name", "type", "description", "enum", "x"]), inner, max_size=4)
    ),
    max_leaves=12,
)


@settings(deadline=None)
@given(
    st.dictionaries(st.sampled_from(["name", "description", "required_parameters"]), VALUES), st.booleans()
)
def test_no_reply_raises(value: dict[str, object], quoted: bool) -> None:
    parse_document(repr(value) if quoted else f"x {value} y", "find_trail")


@given(st.text())
def test_no_text_raises(text: str) -> None:
    assert isinstance(parse_document(text + "{'name': \ud800"), dict | Failure)


def test_the_request_for_a_document_shows_name_and_calls() -> None:
    prompt = document_prompt("find_trail", [{"park": "{{name}}"}])
    assert "Tool: find_trail" in prompt
    assert '{"parameters":{"park":"{{name}}"},"results":null}' in prompt
