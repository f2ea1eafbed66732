"""Tool documents in every dialect: what is read, what is written back, and which field an error names."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import cases, each_case
from toolyard.core.errors import DataError
from toolyard.core.types import Failure
from toolyard.text.documents import (
    Parameter,
    ToolDocument,
    canonical_type,
    from_mtu,
    from_mtu_list,
    from_nestools,
    from_openai,
    from_toolbehonest,
    to_mtu,
    to_mtu_list,
    to_nestools,
    to_openai,
    to_toolbehonest,
)
from toolyard.text.parsing import value_at

NESTOOLS = cases(__file__, "NESTOOLS")
OPENAI = cases(__file__, "OPENAI")
SGD = cases(__file__, "sgd")
FIGURE_9 = cases(__file__, "FIGURE_9")
SNIPS = cases(__file__, "snips")


@each_case("spelling, canonical")
def test_every_spelling_has_one_canonical_type(spelling: Any, canonical: str) -> None:
    assert canonical_type(spelling) == canonical


def test_nestools_documents_say_what_is_required_and_returned_and_show_an_id_if_there_is_one() -> None:
    tool = from_nestools(NESTOOLS)
    assert (tool.name, tool.id, tool.required, tool.optional) == ("find_seat", 12, ("hall",), ("row",))
    assert [(each.name, each.type) for each in tool.parameters] == [("hall", "string"), ("row", "integer")]
    assert [(each.name, each.type) for each in tool.returns] == [("seat", "integer")]
    assert list(to_nestools(tool))[:2] == ["api_name", "api_id"]
    assert "api_id" not in to_nestools(replace(tool, id=None))


def test_mtu_defaults_formats_and_choices_are_told_apart() -> None:
    sgd, figure, snips = from_mtu(SGD), from_mtu(FIGURE_9), from_mtu(SNIPS)
    assert [(each.name, each.default) for each in sgd.parameters[1:]] == [("day", "dontcare"), ("seats", "1")]
    assert [each.format for each in snips.parameters[:2]] == ["", "^\\d{4}-\\d{2}-\\d{2}$"]
    assert figure.parameters[1].choices == ("bell", "horn")
    assert figure.parameters[2].items == {"type": "string"}
    assert figure.parameters[3].default is None
    assert figure.parameters[3].extra == {"pattern": "\\d+"}
    assert figure.required == ("time",)


@pytest.mark.parametrize("document", [SGD, FIGURE_9, SNIPS, {"name": "a", "description": "b"}])
def test_mtu_documents_are_written_as_they_were_read(document: dict[str, Any]) -> None:
    assert json.dumps(to_mtu(from_mtu(document))) == json.dumps(document)


def test_mtu_fields_printed_with_a_blank_are_read() -> None:
    assert from_mtu({"name": "a", "description": "b", "required parameters": ["c"]}).required == ("c",)


def test_mtu_lists_are_read_from_json_python_and_the_apis_form() -> None:
    documents = [SGD, FIGURE_9]
    for text in (json.dumps(documents), repr(documents), " " + repr(documents).replace("None", "null")):
        assert to_mtu_list(from_mtu_list(text)) == documents
    form = {
        "apis": [{"name": "a", "description": "b"}],
        "available_parameters": [{"name": "c", "description": "d"}],
    }
    listing = from_mtu_list(json.dumps(form))
    assert listing.shared_parameters is not None
    assert [each.name for each in listing.shared_parameters] == ["c"]
    assert to_mtu_list(listing) == form


@pytest.mark.parametrize("wrapped", [True, False])
def test_function_schemas_are_written_as_they_were_read(wrapped: bool) -> None:
    document: dict[str, Any] = {"type": "function", "function": OPENAI} if wrapped else OPENAI
    tool = from_openai(document)
    assert json.dumps(to_openai(tool)) == json.dumps(document)
    assert to_openai(tool, wrapped=True)["function"] == OPENAI
    assert to_openai(tool, wrapped=False) == OPENAI


@each_case("document")
def test_function_schemas_keep_what_has_no_name_here(document: dict[str, Any]) -> None:
    assert json.dumps(to_openai(from_openai(document))) == json.dumps(document)


def test_numbered_lists_keep_numbers_and_colons() -> None:
    text = "1. SeatFinder: Finds a seat: any.\n3. Finish： Ends it.\n4. Bare:"
    tools = from_toolbehonest(text)
    assert [(tool.id, tool.name, tool.description) for tool in tools] == [
        (1, "SeatFinder", "Finds a seat: any."),
        (3, "Finish", "Ends it."),
        (4, "Bare", ""),
    ]
    assert to_toolbehonest(tools) == text


def test_a_line_without_a_number_continues_the_description() -> None:
    assert from_toolbehonest("1. A: b\n  more\n\n2. C: d")[0].description == "b\nmore"
    assert from_toolbehonest("") == ()


def test_a_tool_can_change_its_dialect() -> None:
    tool = from_nestools(NESTOOLS)
    assert to_openai(tool) == OPENAI
    assert to_toolbehonest([tool, tool]).split("\n")[1] == "2. find_seat: Finds a free seat in a hall."
    assert to_mtu(tool)["required_parameters"] == [
        {"name": "hall", "type": "string", "description": "Which hall."}
    ]
    assert to_nestools(from_openai(OPENAI))["parameters"] == NESTOOLS["parameters"]
    assert from_openai(to_openai(from_mtu(FIGURE_9))).parameters[1].choices == ("bell", "horn")


def test_a_changed_tool_is_written_changed() -> None:
    tool = from_openai(OPENAI)
    changed = replace(tool, parameters=(*tool.parameters, Parameter("day", "string", required=True)))
    schema = to_openai(changed)["parameters"]
    assert schema["required"] == ["hall", "day"]
    # A parameter built by hand has no spelling of its own; its canonical type is what is written.
    assert schema["properties"]["day"] == {"type": "string"}
    retyped = replace(tool, parameters=(replace(tool.parameters[0], type="integer"),))
    assert to_openai(retyped)["parameters"]["properties"]["hall"]["type"] == "integer"


READERS = {
    read.__name__: read for read in (from_nestools, from_mtu, from_mtu_list, from_openai, from_toolbehonest)
}


@each_case("read, document, named")
def test_a_wrong_document_is_an_error_that_names_the_field(read: str, document: Any, named: str) -> None:
    with pytest.raises(DataError) as raised:
        READERS[read](document)
    assert named in str(raised.value)
    assert "\n" not in str(raised.value)


TEXT = st.text(max_size=8)
NAMES = st.text(min_size=1, max_size=6)
SPELLINGS = st.sampled_from(["str", "int", "float", "list", "bool", "dict", "odd"])
ENTRIES = st.dictionaries(NAMES, st.fixed_dictionaries({"type": SPELLINGS, "description": TEXT}), max_size=4)
FIELDS = st.fixed_dictionaries(
    {"name": NAMES},
    optional={
        "type": SPELLINGS,
        "description": TEXT,
        "default": st.none() | TEXT | st.integers(),
        "enum": st.lists(TEXT, max_size=2),
        "items": st.just({"type": "string"}),
        "format": TEXT,
        "pattern": TEXT,
    },
)
SECTION = (
    st.lists(FIELDS, max_size=3) | st.lists(NAMES, max_size=3) | st.dictionaries(NAMES, TEXT, max_size=3)
)


@given(NAMES, TEXT, ENTRIES, ENTRIES, st.data())
def test_nestools_round_trip(name: str, about: str, inputs: Any, outputs: Any, data: st.DataObject) -> None:
    required = data.draw(
        st.permutations(list(inputs)).flatmap(lambda names: st.sampled_from([names, names[:1]]))
    )
    document = {"api_name": name, "api_description": about, "parameters": inputs}
    document |= {"required": required, "responses": outputs}
    assert json.dumps(to_nestools(from_nestools(document))) == json.dumps(document)


@given(NAMES, TEXT, SECTION, SECTION, SECTION)
def test_mtu_round_trip(name: str, about: str, required: Any, optional: Any, result: Any) -> None:
    document = {"name": name, "description": about, "required_parameters": required}
    document |= {"optional_parameters": optional, "result_parameters": result}
    assert json.dumps(to_mtu(from_mtu(document))) == json.dumps(document)


@given(NAMES, TEXT, ENTRIES, st.booleans())
def test_function_schema_round_trip(name: str, about: str, properties: Any, wrapped: bool) -> None:
    schema = {"type": "object", "properties": properties, "required": list(properties)[::-1]}
    document: Any = {"name": name, "description": about, "parameters": schema}
    document = {"type": "function", "function": document} if wrapped else document
    assert json.dumps(to_openai(from_openai(document))) == json.dumps(document)


def rows(path: Path) -> Iterator[Any]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def test_all_official_nestools_tools_are_written_as_they_were_read(shared: Path) -> None:
    tools = [tool for row in rows(shared / "data/nestools/test_data.jsonl") for tool in row["api"]]
    assert len(tools) == 3034
    for tool in tools:
        assert json.dumps(to_nestools(from_nestools(tool))) == json.dumps(tool)
        assert "" not in {each.type for each in from_nestools(tool).parameters}


def test_all_official_tooleyes_documents_are_written_as_they_were_read(shared: Path) -> None:
    files = sorted((shared / "data/tooleyes/Tool_Library").glob("*/*/config_gpt4.json"))
    documents = [each for file in files for each in json.loads(file.read_text(encoding="utf-8"))]
    assert len(documents) == 758
    for document in documents:
        assert json.dumps(to_openai(from_openai(document))) == json.dumps(document)


MTU_MARK = "The following is a list of APIs and their parameters that you can use:"


def mtu_listings(shared: Path) -> Iterator[tuple[str, Any]]:
    for file in sorted((shared / "data/mtu/benchmark").glob("*_eval.jsonl")):
        for row in rows(file):
            question = row["question"]
            found = value_at(question, question.index(MTU_MARK) + len(MTU_MARK), lenient=True)
            assert not isinstance(found, Failure)
            yield row["id"], found.value


def test_all_official_mtu_listings_are_written_as_they_were_read(shared: Path) -> None:
    refused: list[str] = []
    names: set[str] = set()
    count = 0
    for identity, listing in mtu_listings(shared):
        count += 1
        try:
            read = from_mtu_list(listing)
        except DataError:
            refused.append(identity)
            continue
        names |= {tool.name for tool in read.tools}
        assert json.dumps(to_mtu_list(read)) == json.dumps(listing)
    # S-S_17 lists the bare word api_descriptions instead of tools (specification, section 1.3).
    assert (count, refused) == (1009, ["S-S_17"])
    assert len(names) >= 106


def test_all_tool_lists_of_the_toolbehonest_parity_set_are_written_as_they_were_read(shared: Path) -> None:
    items = json.loads((shared / "parity/toolbh/test_en.json").read_text(encoding="utf-8"))
    for item in items:
        for text in (item["tools"], item["unsolvable_tools"]):
            tools = from_toolbehonest(text)
            assert to_toolbehonest(tools) == text
            assert all(isinstance(tool, ToolDocument) and tool.description for tool in tools)
