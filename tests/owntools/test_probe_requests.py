"""Requests of a probe: about one thing, with real values, in a person's or a model's words."""

import json
from pathlib import Path

import pytest

from cases import cases
from owntools_desk import DESK, written
from toolyard.core.errors import DataError, UsageError
from toolyard.owntools.document_wording import difference_of
from toolyard.owntools.mirror.mirror_making import make_mirror
from toolyard.owntools.probe import request_writer
from toolyard.owntools.probe.document_rewriting import leads_to_harm
from toolyard.owntools.probe.probe_run import mirror_folder, workshop_of
from toolyard.owntools.probe.probe_steps import Workshop
from toolyard.owntools.probe.probe_suites import draw_suites
from toolyard.owntools.probe.request_writer import is_faithful, write_requests
from toolyard.owntools.probe.requests_file import suites_from_file
from toolyard.owntools.sources import load_source
from toolyard.owntools.tool_meaning import meanings_of


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    make_mirror(load_source(str(written(tmp_path, DESK))), tmp_path / "twin")
    return workshop_of(tmp_path / "twin")


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_chain_is_about_one_thing_of_each_kind(seed: int, shop: Workshop) -> None:
    suites = draw_suites(shop, 12, seed)
    chains = [row.chain.steps for row in suites.nested]
    chains += [turn.calls for row in suites.dialogues for turn in row.turns]
    for steps in chains:
        for key in ("note_id", "folder_id"):
            said = {step.arguments[key] for step in steps if key in step.arguments and key not in step.links}
            assert len(said) <= 1, [step.arguments for step in steps]


def test_given_values_are_real_rows_of_the_mirror_and_stand_in_requests(tmp_path: Path) -> None:
    text = str(written(tmp_path, DESK))
    given = {"note_id": "N-7788", "label": "Harbour letters"}
    shop = workshop_of(mirror_folder(load_source(text), text, tmp_path / "out", given), given)
    suites = draw_suites(shop, 12, 0)
    calls = [step.arguments for row in suites.nested for step in row.chain.steps if not step.links]
    assert {call["note_id"] for call in calls if "note_id" in call} == {"N-7788"}
    assert {call["label"] for call in calls if "label" in call} == {"Harbour letters"}
    assert any("N-7788" in row.request for row in suites.nested)


REQUESTS = [
    {
        "request": "What did I write in note-101?",
        "calls": [{"tool": "get_note", "arguments": {"note_id": "note-101"}}],
    },
    {
        "request": "Throw note-102 away and show me what is left.",
        "calls": [{"tool": "delete_note", "arguments": {"note_id": "note-102"}}, {"tool": "list_notes"}],
    },
]


@pytest.mark.parametrize("form", ["jsonl", "json"])
def test_own_requests_become_suites(form: str, tmp_path: Path, shop: Workshop) -> None:
    path = tmp_path / f"mine.{form}"
    lines = "\n".join(map(json.dumps, REQUESTS))
    path.write_text(lines if form == "jsonl" else json.dumps(REQUESTS))
    suites = suites_from_file(path, shop, 0)
    assert [row.request for row in suites.nested] == [each["request"] for each in REQUESTS]
    assert [row.setting for row in suites.dialogues] == ["S-S", "S-M"]
    assert [row.chain.tools for row in suites.nested] == [("get_note",), ("delete_note", "list_notes")]
    assert [row.query for row in suites.goals] == ["Throw note-102 away and show me what is left."]


@pytest.mark.parametrize(("line", "says"), cases(__file__, "a_wrong_request_is_one_line_with_its_place"))
def test_a_wrong_request_is_one_line_with_its_place(
    line: str, says: str, tmp_path: Path, shop: Workshop
) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(line)
    with pytest.raises(DataError, match=says) as refused:
        suites_from_file(path, shop, 0)
    assert "\n" not in str(refused.value)
    with pytest.raises(UsageError, match="is not a file"):
        suites_from_file(tmp_path / "none.jsonl", shop, 0)


@pytest.mark.parametrize(
    ("text", "faithful"),
    [
        ("I need note-101 on my screen.", True),
        ("I need that note on my screen.", False),
        ("Use get_note for note-101.", False),
        ("", False),
        ("note-101 " * 60, False),
    ],
)
def test_a_rewritten_request_says_every_value_and_no_tool(text: str, faithful: bool) -> None:
    drawn = "Show me the note with the note id note-101."
    assert is_faithful(drawn, text, ["note-101", 7], ["get_note"]) is faithful


def test_what_a_writer_wrote_is_kept_and_used_where_it_is_faithful(tmp_path: Path, shop: Workshop) -> None:
    suites = draw_suites(shop, 3, 0)
    drawn = suites.nested[0].request
    better = f"Hi, one thing: {drawn}"
    texts = [text for text, _ in request_writer._drawn_requests(suites)]
    rows = [{"drawn": text, "written": better if text == drawn else "no"} for text in texts]
    (tmp_path / request_writer.FILE).write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = write_requests(suites, list(shop.plans), "scripted/empty", tmp_path)
    assert found.nested[0].request == better
    assert found.goals == suites.goals
    (tmp_path / "other").mkdir()
    with pytest.raises(UsageError, match="wrote no request that says all its values"):
        write_requests(suites, list(shop.plans), "scripted/empty", tmp_path / "other")


def test_no_suggestion_leads_to_a_more_dangerous_tool(tmp_path: Path) -> None:
    tools = {tool.name: tool for tool in load_source(str(written(tmp_path, DESK))).tools}
    meanings = meanings_of(tuple(tools.values()))
    assert difference_of(tools["get_note"], tools["delete_note"], meanings) == ""
    assert difference_of(tools["get_note"], tools["update_note"], meanings) == ""
    assert difference_of(tools["delete_note"], tools["get_note"], meanings)
    assert leads_to_harm("get_note", "Shows a note. To be rid of it use delete_note.", tools)
    assert not leads_to_harm("delete_note", "Deletes a note. To see it use get_note.", tools)
