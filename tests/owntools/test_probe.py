"""Suites out of a mirror: requests in a person's or a model's words, gold proven by execution, a profile of faults."""

import json
import re
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from typer.testing import CliRunner

from cases import cases, each_case
from owntools_desk import DESK, damaged, written
from plain_service import chat_answer, plain_service
from toolyard.benchmarks import load_benchmark
from toolyard.cli.app import app
from toolyard.core.errors import BudgetExceeded, DataError, UsageError
from toolyard.core.types import Options
from toolyard.models.base import Respond
from toolyard.owntools.document_wording import difference_text
from toolyard.owntools.mirror.mirror_files import make_mirror
from toolyard.owntools.mirror.mirror_plan import plan_mirror
from toolyard.owntools.mirror.recorded_calls import RecordedCall
from toolyard.owntools.probe import request_rewriting
from toolyard.owntools.probe.document_rewriting import (
    _write_descriptions,
    documents_patch,
    leads_to_harm,
    suggest_rewritings,
)
from toolyard.owntools.probe.model_profile import ToolProfile, make_profile
from toolyard.owntools.probe.probe_page import TERMINAL, profile_tables, render_profile
from toolyard.owntools.probe.probe_rows import write_suites
from toolyard.owntools.probe.probe_run import (
    ProbeSettings,
    ToolProbe,
    all_documents,
    mirror_folder,
    open_workshop,
    probe_model,
    spent_below,
)
from toolyard.owntools.probe.probe_steps import Workshop, shared_values
from toolyard.owntools.probe.probe_suites import draw_suites, possible_substitutes
from toolyard.owntools.probe.probe_wording import phrase_imperative
from toolyard.owntools.probe.request_rewriting import is_faithful, write_requests
from toolyard.owntools.probe.requests_file import suites_from_file
from toolyard.owntools.sources import load_source
from toolyard.owntools.tool_meaning import tool_meanings
from toolyard.report.export.terminal import fit_to_width
from toolyard.run.api import evaluate
from toolyard.run.plan.data_sources import load_samples
from toolyard.world import World, call

# Words that mean one operation; of all others the first five letters count.
SENSES = {
    **dict.fromkeys(("create", "creates", "add", "adds", "set", "opens", "new"), "CREATE"),
    **dict.fromkeys(("show", "open", "look", "looks", "reads", "read", "returns", "one", "by"), "READ"),
    **dict.fromkeys(("list", "lists", "all", "every", "names"), "LIST"),
    **dict.fromkeys(("change", "changes", "update", "edit", "existing"), "UPDATE"),
    **dict.fromkeys(("delete", "deletes", "remove", "removes", "get", "rid", "good"), "DELETE"),
}
EMPTY = frozenset(
    re.findall(
        r"\w+",
        "a an the of with in to it its and me there is so that has i would like you could please from using",
    )
)


def senses(text: str) -> set[str]:
    """The operation and the things that a text speaks of, values left out."""
    words = re.findall(r"[a-z]+", re.sub(r"\"[^\"]*\"|\S*\d\S*", " ", text.lower()))
    found = {SENSES.get(word, word[:5].removesuffix("s")) for word in words if word not in EMPTY}
    return found - {"id", "label", "title", "body", "text"}


def chosen(request: str, tools: list[tuple[str, str]]) -> str | None:
    """The tool whose description shares most with the request; the first on ties, none where nothing is shared."""
    wanted = senses(request)
    # "Show me all notes" asks for a list, though it says "show".
    scores = [
        len(wanted & senses(text))
        + 0.5 * ("LIST" in wanted & senses(text))
        - 0.01 * len(senses(text) - wanted)
        for _, text in tools
    ]
    best = max(scores, default=0)
    return tools[scores.index(best)][0] if best > 0.9 else None


def literal(messages: list[dict[str, str]]) -> str:
    """The answer in whichever form the prompt asks for."""
    first, last = messages[0]["content"], messages[-1]["content"]
    if "<provided_tools>" in last:
        return _plan(last)
    if '"api_description"' in last or '"api_description"' in first:
        return _nested(first if '"api_description"' in first else last)
    if "Observation:" in last:
        return 'Thought: It is done.\nAction: finish\nAction Input: {"answer": "It is done."}'
    documents = [json.loads(line) for line in first.splitlines() if line.startswith('{"name"')]
    request = last.rsplit("User:", 1)[-1] if len(messages) == 1 else last
    name = chosen(request, _listed(documents, "name", "description"))
    return (
        "Thought: Nothing fits." if name is None else f"Thought: It fits.\nAction: {name}\nAction Input: {{}}"
    )


def _listed(documents: list[dict[str, Any]], name: str, text: str) -> list[tuple[str, str]]:
    return [(each[name], each[text]) for each in documents if each[name] not in ("ask_to_user", "finish")]


def _steps(request: str) -> list[str]:
    plain = re.sub(r'"[^"]*"', "X", request)
    return [step for step in re.split(r"[.?!]\s+(?=[A-Z])", plain) if len(step) > 8] or [request]


def _plan(prompt: str) -> str:
    task = prompt.split("<task>")[-1].split("</task>")[0].strip()
    lines = re.findall(r"^\d+\. ([^:\n]+):(.*)$", prompt.split("<provided_tools>")[-1], re.MULTILINE)
    tools = [(name, text) for name, text in lines if name not in ("Finish", "UnsolvableQuery")]
    names = [chosen(step, tools) or "UnsolvableQuery" for step in _steps(task)]
    if "Reply with exactly one of these two lines" in prompt:
        return f"<answer>{'unsolvable' if 'UnsolvableQuery' in names else 'solvable'}</answer>"
    lines = [*names, "Finish"]
    if "Planned tool:" in prompt:
        lines = [f"Subgoal {place}: a step Planned tool: {name}" for place, name in enumerate(lines, 1)]
    return "<answer>" + "\n".join(lines) + "</answer>"


def _nested(prompt: str) -> str:
    documents = json.loads(re.findall(r"^\[\{\"api_name.*\]$", prompt, re.MULTILINE)[-1])
    ids = {each["api_name"]: each["api_id"] for each in documents}
    task = prompt.rsplit("Task:", 1)[-1].rsplit("Calls:", 1)[0]
    names = [chosen(step, _listed(documents, "api_name", "api_description")) for step in _steps(task)]
    calls = [{"api_name": one, "api_id": ids[one], "parameters": {}, "responses": {}} for one in names if one]
    return json.dumps(calls)


def made(
    folder: Path, tools: list[dict[str, object]], model: str | Respond, rows: int, style: str = "default"
) -> ToolProbe:
    source = str(written(folder, tools))
    return probe_model(source, load_source(source), ProbeSettings(model, folder / "probe", style, rows))


def test_the_gold_of_all_four_suites_is_proven_by_execution(tmp_path: Path) -> None:
    found = made(tmp_path, DESK, "scripted/oracle", 12)
    assert set(found.results) == {"nestools", "mtu", "toolbehonest", "tooleyes"}
    for name, result in found.results.items():
        summary = result.summaries["paper"]
        assert summary.unscored == 0, name
        assert summary.figures["outcome"].value == 1.0, name
    profile = make_profile(found)
    assert profile.confusions == ()
    assert profile.invented == ()
    assert {rate.share.value for rate in (*profile.refusals, *profile.turns, *profile.depths)} == {1.0}
    assert [rate.name for rate in profile.depths] == ["depth 1", "depth 2", "depth 3"]
    assert [rate.name for rate in profile.turns] == ["turn 1", "turn 2", "turn 3"]


def test_every_kind_of_row_is_there_and_the_same_seed_gives_the_same(tmp_path: Path) -> None:
    make_mirror(load_source(str(written(tmp_path, DESK))), tmp_path / "twin")
    first = draw_suites(open_workshop(tmp_path / "twin"), 15, 4)
    assert first == draw_suites(open_workshop(tmp_path / "twin"), 15, 4)
    assert first != draw_suites(open_workshop(tmp_path / "twin"), 15, 5)
    assert {row.kind for row in first.dialogues} == {"plain", "missing", "changing", "several", "refused"}
    assert {row.chain.depth for row in first.nested} == {1, 2, 3}
    assert any(row.slots for row in first.goals)
    assert any("state" in row.checks for row in first.goals)
    assert any("facts" in row.checks for row in first.goals)


def test_chains_run_again_and_tasks_become_unsolvable_by_taking_every_stand_in_away(tmp_path: Path) -> None:
    make_mirror(load_source(str(written(tmp_path, DESK))), tmp_path / "twin")
    shop = open_workshop(tmp_path / "twin")
    for row in draw_suites(shop, 12, 0).nested:
        world = World.fresh()
        for step in row.chain.steps:
            assert call(world, step.tool, step.arguments, offered=shop.offered).value == step.result
            for parameter, link in step.links.items():
                assert step.arguments[parameter] == row.chain.steps[link.step].result[link.field]
    assert possible_substitutes(shop, "get_note") == {"get_note", "list_notes"}
    assert possible_substitutes(shop, "delete_note") == {"delete_note"}
    for row in draw_suites(shop, 12, 0).twins:
        assert row.chain.tools[row.removed] in row.gone
        assert not {name for at, name in enumerate(row.chain.tools) if at != row.removed} & set(row.gone)


def test_data_folders_load_without_the_mirror(tmp_path: Path) -> None:
    made(tmp_path, DESK, "scripted/oracle", 6)
    for name in ("nestools", "mtu", "toolbehonest", "tooleyes"):
        benchmark = load_benchmark(name)
        options = Options(benchmark.task.styles[0], values={"language": "en"})
        assert load_samples(benchmark, str(tmp_path / "probe" / "suites" / name), options)


def damaged_profile(folder: Path, rows: int = 40) -> tuple[ToolProbe, ToolProfile]:
    found = made(folder, damaged(), literal, rows)
    return found, make_profile(found)


def test_damage_shows_in_the_profile_and_is_repaired(tmp_path: Path) -> None:
    (tmp_path / "sound").mkdir()
    (tmp_path / "hurt").mkdir()
    sound = {
        rate.name: rate.share.value
        for rate in make_profile(made(tmp_path / "sound", DESK, literal, 40)).per_tool
    }
    hurt, profile = damaged_profile(tmp_path / "hurt")
    rates = {rate.name: rate.share.value for rate in profile.per_tool}
    for name in ("create_note", "delete_note", "get_folder", "count_words", "list_folders"):
        assert rates[name] <= 0.7 * sound[name], name  # type: ignore[operator]
    pairs = {(wanted, called) for wanted, called, _ in profile.confusions}
    assert {("create_note", "delete_note"), ("delete_note", "create_note")} <= pairs
    found = suggest_rewritings(hurt, profile)
    kept = {each.tool for each in found.rewritings if each.kept}
    assert {"create_note", "delete_note", "get_folder", "count_words", "list_folders"} <= kept
    assert found.overall is not None
    assert found.overall.p_value is not None
    assert found.overall.p_value < 0.01
    assert found.overall.difference.low > 0.1  # type: ignore[operator]
    assert (
        '+  "description": "Returns one folder by its folder id. Returns folder id and label.",'
        in found.patch
    )


def test_a_rewriting_that_changes_nothing_is_not_kept(tmp_path: Path) -> None:
    found = made(tmp_path, DESK, "scripted/random", 8)
    said = suggest_rewritings(found, make_profile(found))
    assert said.rewritings
    assert not any(each.kept for each in said.rewritings)
    assert (said.patch, said.overall) == ("", None)


def test_the_page_has_matrix_decay_samples_and_no_foreign_markup(tmp_path: Path) -> None:
    tools = [*DESK[:-1], {**DESK[-1], "description": "Counts <script>alert(1)</script> words of a text."}]
    found = made(tmp_path, tools, "scripted/random", 6)
    profile = make_profile(found)
    page = render_profile(profile)
    assert page.count("<svg ") >= 3
    assert "<script>alert(1)" not in page
    assert "best trivial baseline" in page
    for wrong in profile.per_tool[0].wrong[:2]:
        assert f'id="{wrong}"' in page
    assert json.dumps(profile.to_json())


@pytest.mark.parametrize("model", ["scripted/oracle", "scripted/random"])
def test_tables_of_a_probe_have_rows_and_fit_a_terminal(tmp_path: Path, model: str) -> None:
    profile = make_profile(made(tmp_path, DESK, model, 3))
    tables = profile_tables(profile, TERMINAL)
    assert [table.title for table in tables if not table.rows] == []
    assert [table.columns for table in tables if len(set(table.columns)) < len(table.columns)] == []
    assert [table.title for table in tables if fit_to_width(table, 140).left_out] == []
    assert {name for table in tables for name in table.columns if "cent" in name} == {"percent [95 %]"}


def test_every_link_of_the_page_leads_to_a_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolyard.owntools.probe.probe_page.MOST_SAMPLES", 3)
    found = made(tmp_path, DESK, "scripted/random", 6)
    page = render_profile(make_profile(found))
    links, places = (
        set(re.findall(r'href="#([^"]+/[^"]+)"', page)),
        set(re.findall(r'details id="([^"]+)"', page)),
    )
    assert links and links <= places


def test_a_patch_is_a_unified_diff_of_documents(tmp_path: Path) -> None:
    tools = {tool.name: tool for tool in load_source(str(written(tmp_path, DESK))).tools}
    patch = documents_patch(tools, {"get_note": "Shows one note."})
    assert patch.startswith("--- a/get_note.json\n+++ b/get_note.json\n@@ ")
    assert (
        '-  "description": "Reads one note with its whole text.",\n+  "description": "Shows one note.",\n'
        in patch
    )


def test_what_tools_return_without_a_schema_is_seen_by_calling_them(tmp_path: Path) -> None:
    make_mirror(
        load_source("python:textwrap:fill,dedent,shorten"), tmp_path / "twin", number=2, allowed=("*",)
    )
    shop = open_workshop(tmp_path / "twin")
    documents = all_documents(shop, shop.mirror.source.tools)
    assert [each.name for each in documents.known["fill"].returns] == ["result"]
    depths = [row.chain.depth for row in draw_suites(shop, 9, 0).nested]
    assert max(depths) > 1


def test_the_command_writes_the_page_and_refuses_nonsense(tmp_path: Path) -> None:
    source, out = str(written(tmp_path, DESK)), tmp_path / "out"
    told = CliRunner().invoke(
        app, ["probe", source, "-m", "scripted/oracle", "--rows", "3", "--out", str(out), "--json"]
    )
    assert told.exit_code == 0, told.stderr
    assert (out / "profile.html").exists()
    assert json.loads((out / "profile.json").read_text())["confused"] == []
    wrong = CliRunner().invoke(
        app,
        ["probe", source, "-m", "scripted/oracle", "--writer", "local", "--requests", "x", "--out", str(out)],
    )
    assert isinstance(wrong.exception, UsageError)


def test_a_value_that_recorded_calls_of_several_tools_share_is_used_again() -> None:
    source = load_source("python:owntools_shop:get_order,delete_order,quote")
    recorded = (
        RecordedCall("get_order", {"order_id": "real-1"}, {}),
        RecordedCall("delete_order", {"order_id": "real-1"}, True),
        RecordedCall("quote", {"item": "lamp"}, 4.0),
    )
    assert shared_values(plan_mirror(source, 0, recorded)) == {"order_id": ["real-1"]}


def test_a_documented_default_that_is_spelled_out_is_as_right_as_leaving_it_out(tmp_path: Path) -> None:
    schema = cases(__file__, "a_documented_default_that_is_spelled_out_is_as_right_as_leaving_it_out")
    tool = {"name": "search_notes", "description": "Searches the notes by topic.", "inputSchema": schema}
    other = {"name": "count_words", "description": "Counts the words of a text.", "inputSchema": schema}
    make_mirror(load_source(str(written(tmp_path, [tool, other]))), tmp_path / "twin")
    shop = open_workshop(tmp_path / "twin")
    documents = all_documents(shop, shop.mirror.source.tools)
    folders = write_suites(draw_suites(shop, 6, 0), documents, tmp_path / "suites")

    def spelled_out(limit: int) -> Respond:
        def respond(messages: list[dict[str, str]]) -> str:
            sample = next(each for each in samples if each.input["query"] in messages[-1]["content"])
            calls = [
                {
                    "api_name": call["api_name"],
                    "parameters": {"limit": limit, "order": None, **call["parameters"]},
                    "responses": {},
                }
                for call in sample.gold["calls"]
            ]
            return json.dumps(calls)

        return respond

    samples = load_benchmark("nestools").data.load(folders["nestools"], Options("default"))
    assert any("limit" not in call["parameters"] for each in samples for call in each.gold["calls"])
    right, wrong = (
        evaluate(
            "nestools", spelled_out(limit), data=str(folders["nestools"]), runs=tmp_path / f"runs{limit}"
        )
        for limit in (7, 8)
    )
    assert right.summaries["paper"].figures["outcome"].value == 1
    assert (wrong.summaries["paper"].figures["outcome"].value or 0) < 1


@each_case("description, wanted")
def test_a_request_is_an_imperative(description: str, wanted: str, tmp_path: Path) -> None:
    schema = {"properties": {"area": {"type": "number"}}, "required": ["area"]}
    tool = {"name": "garden_thing", "description": description, "inputSchema": schema}
    (plan,) = plan_mirror(load_source(str(written(tmp_path, [tool])))).tools
    assert phrase_imperative(plan, Random(0)) == wanted


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    make_mirror(load_source(str(written(tmp_path, DESK))), tmp_path / "twin")
    return open_workshop(tmp_path / "twin")


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
    shop = open_workshop(mirror_folder(load_source(text), text, tmp_path / "out", given), given)
    suites = draw_suites(shop, 12, 0)
    calls = [step.arguments for row in suites.nested for step in row.chain.steps if not step.links]
    assert {call["note_id"] for call in calls if "note_id" in call} == {"N-7788"}
    assert {call["label"] for call in calls if "label" in call} == {"Harbour letters"}
    assert any("N-7788" in row.request for row in suites.nested)


REQUESTS = cases(__file__, "REQUESTS")


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


@each_case("line, says")
def test_a_wrong_request_is_named_by_its_place(line: str, says: str, tmp_path: Path, shop: Workshop) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(line)
    with pytest.raises(DataError, match=says) as refused:
        suites_from_file(path, shop, 0)
    assert "\n" not in str(refused.value)
    with pytest.raises(UsageError, match="is not a file"):
        suites_from_file(tmp_path / "none.jsonl", shop, 0)


@each_case("text, faithful", besides=[("note-101 " * 60, False)])
def test_a_rewritten_request_says_every_value_and_no_tool(text: str, faithful: bool) -> None:
    drawn = "Show me the note with the note id note-101."
    assert is_faithful(drawn, text, ["note-101", 7], ["get_note"]) is faithful


def test_what_a_writer_wrote_is_kept_and_used_where_it_is_faithful(tmp_path: Path, shop: Workshop) -> None:
    suites = draw_suites(shop, 3, 0)
    drawn = suites.nested[0].request
    better = f"Hi, one thing: {drawn}"
    texts = [text for text, _ in request_rewriting._drawn_requests(suites)]
    rows = [{"drawn": text, "written": better if text == drawn else "no"} for text in texts]
    (tmp_path / request_rewriting.FILE).write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = write_requests(suites, list(shop.plans), "scripted/empty", tmp_path)
    assert found.nested[0].request == better
    assert found.goals == suites.goals
    (tmp_path / "other").mkdir()
    with pytest.raises(UsageError, match="wrote no request that says all its values"):
        write_requests(suites, list(shop.plans), "scripted/empty", tmp_path / "other")


def test_the_limit_of_a_writer_counts_what_was_spent_before_once(tmp_path: Path) -> None:
    tools = {tool.name: tool for tool in load_source(str(written(tmp_path, DESK))).tools}
    settings = ProbeSettings("scripted/oracle", tmp_path, max_cost=5.0)
    with plain_service(lambda path, body: chat_answer("Shows a note.", read=900, written=100)) as service:
        writer = f"openai/w?base_url={service.address}/v1&price=1000,1000"
        for _ in range(2):
            _write_descriptions(["get_note"], {"get_note": []}, tools, writer, settings)
        with pytest.raises(BudgetExceeded, match=r"--max-cost 2.1 with \$2.0000 spent"):
            _write_descriptions(
                ["get_note"], {"get_note": []}, tools, writer, replace(settings, max_cost=2.1)
            )
    assert spent_below(tmp_path) == pytest.approx(2.0)


def test_no_suggestion_leads_to_a_more_dangerous_tool(tmp_path: Path) -> None:
    tools = {tool.name: tool for tool in load_source(str(written(tmp_path, DESK))).tools}
    meanings = tool_meanings(tuple(tools.values()))
    assert difference_text(tools["get_note"], tools["delete_note"], meanings) == ""
    assert difference_text(tools["get_note"], tools["update_note"], meanings) == ""
    assert difference_text(tools["delete_note"], tools["get_note"], meanings)
    assert leads_to_harm("get_note", "Shows a note. To be rid of it use delete_note.", tools)
    assert not leads_to_harm("delete_note", "Deletes a note. To see it use get_note.", tools)
