"""A review names what models suffer from, line by line."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cases import cases, each_case
from owntools_desk import DESK, damaged, written
from toolyard.cli.app import app
from toolyard.owntools.document_wording import difference_text, values_in_prose
from toolyard.owntools.lint.lint_page import render_review
from toolyard.owntools.lint.lint_rules import review_documents
from toolyard.owntools.sources import load_source
from toolyard.owntools.tool_meaning import tool_meanings, with_article


def test_a_sound_set_has_no_errors(tmp_path: Path) -> None:
    found = review_documents(load_source(str(written(tmp_path, DESK))), "words")
    assert found.at_least("error") == ()


def test_a_damaged_set_is_flagged_line_by_line(tmp_path: Path) -> None:
    path = written(tmp_path, damaged())
    found = review_documents(load_source(str(path)), "words")
    lines = path.read_text().splitlines()
    errors = {(each.tool, each.rule): each for each in found.at_least("error")}
    assert set(errors) == {
        ("create_note", "contradiction"),
        ("delete_note", "contradiction"),
        ("get_folder", "missing_description"),
        ("count_words", "missing_description"),
        ("list_notes", "near_duplicate"),
        ("list_folders", "near_duplicate"),
    }
    for (tool, _), finding in errors.items():
        assert lines[finding.place.line].strip() == f'"name": "{tool}",'  # type: ignore[index]
        assert finding.proposal
    assert errors["get_folder", "missing_description"].proposal == (
        "Returns one folder by its folder id. Returns folder id and label."
    )
    # its description speaks of notes
    assert errors["list_folders", "near_duplicate"].proposal == (
        "Lists folders. Returns folder id and label. This is about folders; for notes use list_notes."
    )
    assert errors["delete_note", "contradiction"].proposal == "Deletes a note for good by its note id."
    assert errors["list_notes", "near_duplicate"].proposal == (
        "Lists every note on the desk. This is about notes; for folders use list_folders."
    )


def test_each_rule_sees_its_own_defect(tmp_path: Path) -> None:
    schema = cases(__file__, "each_rule_sees_its_own_defect_schema")
    tools = [
        {"name": "run", "description": "Run", "inputSchema": schema},
        {"name": "find seat", "description": "Finds a free seat in one of the halls.", "inputSchema": {}},
        {"name": "FindSeat", "description": "Something quite different about wine and cheese.", "inputSchema": {}},
        {"name": "big", "description": "Takes a great deal of arguments at once.",
         "inputSchema": {"properties": {f"p{n}": {"type": "string", "description": f"Part {n} of a letter."}
                                        for n in range(25)}}},
    ]  # fmt: skip
    found = review_documents(load_source(str(written(tmp_path, tools))), "words").findings
    rules = {(each.tool, each.parameter, each.rule) for each in found}
    assert {
        ("run", "api_key", "credential"),
        ("run", "order", "hidden_enum"),
        ("run", "thing", "untyped_parameter"),
        ("run", "size", "undescribed_parameter"),
        ("run", "", "vague_name"),
        ("run", "", "vague_description"),
        ("run", "", "no_result_shape"),
        ("find_seat", "", "foreign_name"),
        ("FindSeat", "", "colliding_names"),
        ("big", "", "oversized"),
    } <= rules
    assert next(each for each in found if each.rule == "hidden_enum").proposal == '"enum": ["asc", "desc"]'


@each_case("text, values")
def test_values_in_prose(text: str, values: list[str]) -> None:
    assert list(values_in_prose(text)) == values


def test_meanings_follow_names_shapes_and_words(tmp_path: Path) -> None:
    found = tool_meanings(load_source(str(written(tmp_path, DESK))).tools)
    assert {name: (each.kind, each.noun, each.key) for name, each in found.items()} == {
        "create_note": ("create", "note", ""),
        "get_note": ("read", "note", "note_id"),
        "list_notes": ("list", "note", ""),
        "update_note": ("update", "note", "note_id"),
        "delete_note": ("delete", "note", "note_id"),
        "create_folder": ("create", "folder", ""),
        "get_folder": ("read", "folder", "folder_id"),
        "list_folders": ("list", "folder", ""),
        "count_words": ("compute", "count word", ""),
    }


def test_the_page_shows_a_picture_and_escapes_strangers(tmp_path: Path) -> None:
    tools = [*damaged(), {"name": "x", "description": "<script>alert(1)</script>", "inputSchema": {}}]
    page = render_review(review_documents(load_source(str(written(tmp_path, tools))), "words"))
    assert "<svg " in page
    assert "<script>alert(1)</script>" not in page
    assert "Confusability of the tools" in page


def test_the_command_exits_by_severity(tmp_path: Path) -> None:
    path = str(written(tmp_path, damaged()))
    run = CliRunner().invoke
    told = run(app, ["tools", "lint", path, "--embedder", "words", "--json"])
    assert told.exit_code == 1
    assert json.loads(told.stdout)["counts"]["error"] == 6
    assert run(app, ["tools", "lint", path, "--embedder", "words", "--fail-on", "never"]).exit_code == 0
    sound = str(written(tmp_path, DESK, "sound.json"))
    assert run(app, ["tools", "lint", sound, "--embedder", "words"]).exit_code == 0


@pytest.mark.parametrize(
    ("noun", "wanted"), [("order", "an order"), ("note", "a note"), ("user", "a user"), ("hour", "an hour")]
)
def test_a_proposal_has_the_right_article(noun: str, wanted: str) -> None:
    assert with_article(noun) == wanted


def test_functions_that_are_described_alike_are_told_apart_by_their_own_words() -> None:
    source = load_source("python:statistics:median_high,median_low")
    high, low = source.tools
    meanings = tool_meanings(source.tools)
    assert difference_text(high, low, meanings).startswith("Unlike median_low: high")
    assert difference_text(high, high, meanings) == ""


def test_only_what_says_nothing_is_vague(tmp_path: Path) -> None:
    schema = {"properties": {"ticket_id": {"type": "string"}}, "required": ["ticket_id"]}
    texts = {
        "get_ticket": "Get a support ticket by its id.",
        "close_ticket": "does stuff",
        "drop_ticket": "Drop ticket",
    }
    tools = [{"name": name, "description": text, "inputSchema": schema} for name, text in texts.items()]
    found = review_documents(load_source(str(written(tmp_path, tools))), "words").findings
    vague = {each.tool: (each.reason, each.proposal) for each in found if each.rule == "vague_description"}
    assert set(vague) == {"close_ticket", "drop_ticket"}
    assert vague["close_ticket"] == (
        "'does stuff' says nothing",
        "Sets the status of a ticket to closed by its ticket id.",
    )
    parameter = next(each for each in found if each.rule == "undescribed_parameter")
    assert parameter.proposal == "Which ticket is meant, by its id."


LENDING = """\
openapi: 3.0.3
info: {title: Lending, version: "1"}
paths:
  /loans:
    post:
      operationId: createLoan
      requestBody:
        $ref: "#/components/requestBodies/Loan"
  /loans/{loan_id}/renew:
    post:
      operationId: renewLoan
      parameters: [{name: loan_id, in: path, required: true, schema: {type: string}}]
      requestBody:
        content:
          application/json:
            schema:
              type: object
              properties:
                days: {type: integer}
components:
  requestBodies:
    Loan: {content: {application/json: {schema: {$ref: "#/components/schemas/Loan"}}}}
  schemas:
    Loan:
      type: object
      properties:
        reader_id: {type: string}
        copy_id: {type: string}
"""


def test_the_fields_of_a_body_have_their_own_lines(tmp_path: Path) -> None:
    (tmp_path / "lending.yaml").write_text(LENDING)
    found = review_documents(load_source(str(tmp_path / "lending.yaml")), "words").findings
    lines = LENDING.splitlines()
    told = {each.parameter: lines[(each.place.line or 0) - 1].strip() for each in found if each.parameter}
    assert told == {
        "loan_id": "parameters: [{name: loan_id, in: path, required: true, schema: {type: string}}]",
        "days": "days: {type: integer}",
        "reader_id": "reader_id: {type: string}",
        "copy_id": "copy_id: {type: string}",
    }


def test_a_proposal_keeps_the_verb_and_a_result_has_the_form_of_what_is_done(tmp_path: Path) -> None:
    plant = {"properties": {"plant": {"type": "string"}}, "required": ["plant"]}
    bed = {"properties": {"bed_id": {"type": "string"}}, "required": ["bed_id"]}
    schemas = {
        "order_seeds": plant,
        "book_hour": plant,
        "add_bed": plant,
        "frost_days": plant,
        "delete_bed": bed,
    }
    tools = [{"name": name, "description": "", "inputSchema": schema} for name, schema in schemas.items()]
    found = review_documents(load_source(str(written(tmp_path, tools))), "words").findings
    texts = {each.tool: each.proposal for each in found if each.rule == "missing_description"}
    assert texts == cases(__file__, "a_proposal_keeps_the_verb_and_a_result_has_the_form_of_what_is_done")
    shapes = {each.tool: each.proposal for each in found if each.rule == "no_result_shape"}
    assert '{"frost_days": {"type": "string"}}' in shapes["frost_days"]
    assert '{"deleted": {"type": "boolean"}}' in shapes["delete_bed"]
    assert '{"bed_id": {"type": "string"}}' in shapes["add_bed"]
