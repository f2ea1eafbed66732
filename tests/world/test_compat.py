"""The official documents: each resolves to a tool of ours with the documented parameter names."""

from pathlib import Path

import pytest

from toolyard.core.errors import DataError
from toolyard.world import World, library
from toolyard.world.kernel.compat import known_defects, resolve_documents, resolve_subcategory

DOCUMENT = {
    "name": "current_date",
    "description": "Says which day it is.",
    "parameters": {"type": "object", "properties": {}, "required": []},
}


def test_every_official_document_resolves(shared: Path) -> None:
    found = resolve_documents(shared / "data" / "tooleyes" / "Tool_Library")
    assert len(found) == 568
    assert len({resolution.id for resolution in found}) == 568
    assert [(resolution.id, resolution.problem) for resolution in found if resolution.problem] == []


def test_a_resolved_document_can_be_called_with_strings() -> None:
    (resolution,) = resolve_subcategory("Calendar/Calendar", [DOCUMENT])
    assert resolution.problem is None
    assert resolution.call(World.fresh(), {}).value["date"] == "2024-05-15"


def test_equal_names_are_numbered_and_special_tools_left_out() -> None:
    twins = resolve_subcategory("Calendar/Calendar", [DOCUMENT, DOCUMENT, {**DOCUMENT, "name": "finish"}])
    assert [resolution.id for resolution in twins] == [
        "Calendar/Calendar/current_date",
        "Calendar/Calendar/current_date_2",
    ]
    assert twins[1].problem == "no tool Calendar/Calendar/current_date_2"


def test_defects_name_existing_tools_and_can_be_followed_to_the_letter(shared: Path) -> None:
    found = {
        resolution.id: resolution for resolution in resolve_documents(shared / "data/tooleyes/Tool_Library")
    }
    for defect in known_defects():
        assert defect.tool in found
        if defect.documented:
            assert defect.documented in found[defect.tool].document["parameters"]["properties"]
    for defect in known_defects():
        resolution, tool = found[defect.tool], library()[defect.tool]
        documented = {ours: name for name, ours in resolution.renames.items()}
        for example in tool.examples:
            arguments = {documented.get(name, name): value for name, value in example.items()}
            assert set(arguments) <= set(resolution.document["parameters"]["properties"])
            assert resolution.call(World.fresh(), arguments).error is None


def test_31_defects_in_28_tools_are_listed() -> None:
    assert len(known_defects()) == 31
    assert len({defect.tool for defect in known_defects()}) == 28
    assert len({(defect.tool, defect.documented) for defect in known_defects()}) == 31


def test_a_credential_that_only_the_document_has_is_accepted_and_ignored(shared: Path) -> None:
    found = resolve_documents(shared / "data/tooleyes/Tool_Library")
    (wiki,) = [resolution for resolution in found if resolution.id == "Search/CostumizeSearch/wiki_search"]
    assert "api_key" in wiki.document["parameters"]["properties"]
    assert wiki.call(World.fresh(), {"entity": "Paris", "api_key": "x"}).error is None


def test_a_folder_without_documents_is_the_users_mistake(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="Tool_Library"):
        resolve_documents(tmp_path)
