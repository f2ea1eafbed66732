"""The official documents: each resolves to a tool of ours with the documented parameter names."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolyard.core.errors import DataError
from toolyard.world import World, library
from toolyard.world.compat import defects, resolve_documents, resolve_subcategory

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


def test_documents_of_built_worlds_resolve(shared: Path) -> None:
    found = resolve_documents(shared / "data" / "tooleyes" / "Tool_Library")
    groups = {tool_id.rsplit("/", 1)[0] for tool_id in library()}
    built = [resolution for resolution in found if resolution.id.rsplit("/", 1)[0] in groups]
    assert [(resolution.id, resolution.problem) for resolution in built if resolution.problem] == []


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


def test_defects_name_existing_tools(shared: Path) -> None:
    found = {
        resolution.id: resolution for resolution in resolve_documents(shared / "data/tooleyes/Tool_Library")
    }
    for defect in defects():
        assert defect.tool in found
        if defect.documented:
            assert defect.documented in found[defect.tool].document["parameters"]["properties"]


def test_a_folder_without_documents_is_the_users_mistake(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="Tool_Library"):
        resolve_documents(tmp_path)
