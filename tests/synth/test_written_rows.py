"""Rows whose words were written by hand stand; those of an older world are renewed or named; tools stand in."""

import json
import lzma
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from restamped_sets import renewed, restamp, restamp_answers

from cases import each_case
from toolyard.benchmarks import load_benchmark
from toolyard.benchmarks.mtu.synth import written_dialogues
from toolyard.benchmarks.toolbehonest.synth import written_pairs
from toolyard.run.store.packs import read_pack
from toolyard.synth.chains.chain import Chain, ResultReference, execute
from toolyard.synth.chains.equal_ways import equal_ways
from toolyard.synth.chains.execution import executed_call, execution_line, stored_world_version
from toolyard.synth.chains.projection import returned_fields
from toolyard.synth.chains.rivals import are_near, may_replace, rivals
from toolyard.synth.chains.substitutes import can_replace, chain_jobs
from toolyard.synth.goals.goal_plans import plan
from toolyard.synth.stages import Context, Kept, Outcome, Rejected, Row
from toolyard.world import VERSION, World, call
from toolyard.world.kernel.facts import THE_WEB
from toolyard.world.kernel.registry import library


def needs_todays_world(benchmark: str) -> pytest.MarkDecorator:
    """Skips a test that executes rows of a shipped set, with the reason, while the set is of another version."""
    made = stored_world_version(load_benchmark(benchmark).data.starter)
    why = (
        f"{benchmark} was made in world {made}, this is {VERSION}: python recipes/starter_sets.py {benchmark}"
    )
    return pytest.mark.skipif(made != VERSION, reason=why)


@pytest.mark.parametrize(
    ("rows", "execute_row"),
    [
        pytest.param(
            written_dialogues.rows_by_hand(written_dialogues.WRITTEN),
            written_dialogues.execute_row,
            marks=needs_todays_world("mtu"),
            id="mtu",
        ),
        pytest.param(
            written_pairs.rows_by_hand(Context()),
            written_pairs.execute_written_pair,
            marks=needs_todays_world("toolbehonest"),
            id="toolbehonest",
        ),
    ],
)
def test_every_row_that_was_written_stands(
    rows: Iterable[Row], execute_row: Callable[[Row, Context], Outcome]
) -> None:
    fallen = {
        row["id"]: outcome
        for row in rows
        if row["written"] is not None and not isinstance(outcome := execute_row(row, Context()), Kept)
    }
    assert not fallen


def test_a_value_that_nobody_says_is_found() -> None:
    row = next(written_pairs.rows_by_hand(Context()))
    written = {**row["written"], "task": "How high is the swell going to be on Saturday?"}
    outcome = written_pairs.execute_written_pair({"id": row["id"], "written": written}, Context())
    assert isinstance(outcome, Rejected)
    assert outcome.reason == "value_not_said"


def test_a_reply_cannot_quote_what_was_not_shown() -> None:
    row = next(
        row
        for row in written_dialogues.rows_by_hand(written_dialogues.WRITTEN)
        if row["id"].startswith("M-S")
    )
    turns = [
        {**turn, "reply": "{0.colour_of_the_sky}"} if "calls" in turn else turn
        for turn in row["written"]["turns"]
    ]
    outcome = written_dialogues.execute_row(
        {"id": row["id"], "written": {**row["written"], "turns": turns}}, Context()
    )
    assert isinstance(outcome, Rejected)
    assert "colour_of_the_sky" in outcome.detail


def _dialogue(turn: dict[str, object]) -> dict[str, object]:
    turns = [turn, {"user": "Thanks!", "why": "chat", "reply": "Any time."}]
    written = {"setting": "M-S", "spare": ["Mail/Mail/send"], "inferred": ["GBP", "JPY"], "turns": turns}
    return {"id": "M-S/0", "written": written}


_CONVERTER = "Finance/Currency_Converter/currency_converter"
_EXCHANGE = {
    "user": "What are 450 pounds in yen?",
    "calls": [{_CONVERTER: {"from_currency": "GBP", "to_currency": "JPY", "amount": 450}}],
}


def test_a_reply_quotes_places_that_the_result_has_in_a_format() -> None:
    outcome = written_dialogues.execute_row(
        _dialogue({**_EXCHANGE, "reply": "{0/result:,.0f} yen."}), Context()
    )
    assert isinstance(outcome, Kept)
    first = outcome.fields["turns"][0]
    assert first["assistant"] == f"{first['executed'][0]['result']['rate'] * 450:,.0f} yen."
    outcome = written_dialogues.execute_row(_dialogue({**_EXCHANGE, "reply": "{0/items[0].name}"}), Context())
    assert isinstance(outcome, Rejected)
    assert "items[0].name" in outcome.detail


@pytest.mark.parametrize(("value", "stands"), [("USD", True), ("nothing", False)])
def test_alternatives_are_carried_by_the_row_and_have_to_run(value: str, stands: bool) -> None:
    others = [{"call": 0, "parameter": "to_currency", "values": [value]}]
    outcome = written_dialogues.execute_row(
        _dialogue({**_EXCHANGE, "reply": "Done.", "alternatives": others}), Context()
    )
    if stands:
        assert isinstance(outcome, Kept)
        assert outcome.fields["turns"][0]["alternatives"] == others
    else:
        assert isinstance(outcome, Rejected)
        assert "to_currency" in outcome.detail


RECIPES = Path(__file__).parents[2] / "recipes"
WEATHER, ZONE = "Weather/weatherapi/current_weather", "Weather/weatherapi/time_zone"


def line_of(*calls: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    """The line of a row that today's world executed."""
    world = World.fresh(0)
    done = [executed_call(tool, given, call(world, tool, given).value) for tool, given in calls]
    return execution_line("1", 0, done)


def older(line: dict[str, Any], shown: str) -> dict[str, Any]:
    """The line of a world in which the first call showed another city."""
    first, *rest = line["calls"]
    moved = {**first, "result": {**first["result"], "city": shown}, "output": "0" * 16}
    return {**line, "calls": [moved, *rest]}


@each_case("then, data, holds", ids=["nothing rests on it", "a later call takes it", "the data show it"])
def test_a_row_is_renewed_where_nothing_rests_on_what_moved(then: str, data: str, holds: bool) -> None:
    today = line_of((WEATHER, {"q": "Oslo"}), (ZONE, {"q": then}))
    found = renewed(older(today, "Bergen"), data)
    assert found == today if holds else isinstance(found, str) and "moved" in found


@pytest.mark.parametrize(("shown", "holds"), [("New York", True), ("Bergen", False)])
def test_a_further_entry_holds_while_the_answer_has_it(shown: str, holds: bool) -> None:
    today = line_of((WEATHER, {"q": "New York"}))
    first = today["calls"][0]
    then = {**first, "result": {**first["result"], "items_2_city": shown}, "output": "0" * 16}
    found = renewed({**today, "calls": [then]}, f"the weather of {shown}")
    assert isinstance(found, str) != holds


@pytest.mark.parametrize("holds", [True, False])
def test_a_whole_set_is_stamped(tmp_path: Path, holds: bool) -> None:
    line = older(line_of((WEATHER, {"q": "Oslo"})), "Bergen")
    (tmp_path / "synth.json").write_text('{"seed": 5, "world": "0"}')
    (tmp_path / "execution.jsonl").write_text(json.dumps(line) + "\n")
    (tmp_path / "rows.jsonl").write_text("Oslo" if holds else "Bergen")
    assert restamp(tmp_path) == (0 if holds else 1)
    manifest = json.loads((tmp_path / "synth.json").read_text())
    assert manifest == {"seed": 5, **({"world": VERSION, "made": "0"} if holds else {"world": "0"})}
    assert (json.loads((tmp_path / "execution.jsonl").read_text()) != line) == holds


@pytest.mark.parametrize("holds", [True, False])
def test_answers_are_stamped_when_every_episode_goes_on_as_it_did(tmp_path: Path, holds: bool) -> None:
    kept = next(
        (RECIPES.parent / "records" / "answers" / "results").glob(
            "tooleyes_smollm2-tuned_example_starter_*.xz"
        )
    )
    head, *lines = [json.loads(line) for line in lzma.decompress(kept.read_bytes()).splitlines()]
    called = next(line for line in lines if len(line["transcript"]["notes"]["conversation"]) > 2)
    seen = called["transcript"]["notes"]["conversation"][1]
    seen["value"] = seen["value"] if holds else "the answer of another world"
    head["manifest"]["identity"]["world"] = "0"
    path = tmp_path / "answers.jsonl.xz"
    path.write_bytes(lzma.compress("".join(f"{json.dumps(line)}\n" for line in (head, called)).encode()))
    assert restamp_answers(path) == (0 if holds else 1)
    assert read_pack(path).manifest["identity"]["world"] == (VERSION if holds else "0")


def chain(*calls: Any) -> Chain:
    done = execute(plan([list(call) for call in calls], "here"), 0, returned_fields)
    assert isinstance(done, Chain), done
    return done


@each_case("other, step, can")
def test_a_tool_does_the_job_of_a_step_or_not(other: str, step: int, can: bool) -> None:
    two = chain(
        ("weatherapi/search", {"q": "Lisbon"}), ("weatherapi/current_weather", {"q": "$1.coordinates"})
    )
    assert can_replace(other, chain_jobs(two)[step]) is can


def test_a_general_tool_reaches_what_it_says_it_stands_in_for() -> None:
    one = chain(("wiki_search", {"entity": "Jupiter"}), ("get_definition", {"word": "happy"}))
    assert can_replace("Search/EngineSearch/google_search", chain_jobs(one)[0])


def test_calling_others_leaves_the_world_of_a_job_as_it_was() -> None:
    two = chain(
        ("read_file", {"file_path": "notes.txt"}),
        ("write_file", {"text": "$1.text", "file_path": "copy.txt"}),
    )
    job = chain_jobs(two)[1]
    before = job.world.snapshot()
    can_replace("Mail/Mail/send", job)
    assert job.world.diff(before) == {}


JOBS = sorted({job for tool in library().values() for job in tool.facts.jobs})


@pytest.mark.parametrize("job", JOBS)
def test_tools_of_one_job_replace_each_other(job: str) -> None:
    able = [tool.id for tool in library().values() if job in tool.facts.jobs]
    assert len(able) > 1
    assert all(may_replace(one, other) for one in able for other in able)


def test_what_a_tool_stands_in_for_exists() -> None:
    known = {part for one in library().values() for part in (one.id, one.id.rsplit("/", 1)[0], one.category)}
    named = {part for tool in library().values() for part in tool.facts.stands_in_for}
    assert named - known == {THE_WEB}


@each_case("one, other, able")
def test_rivals_count_in_both_directions(one: str, other: str, able: bool) -> None:
    assert rivals(one, other) is rivals(other, one) is able


def test_tools_are_near_by_what_they_are_about_not_by_their_category() -> None:
    assert are_near("Finance/Yelp/yelp_search", "Location/Geodatabase/find_places")
    assert not are_near("Finance/Yelp/yelp_search", "Stock/Stock/get_daily_prices")


def _chain(*calls: Sequence[object]) -> Chain:
    chain = execute(plan([list(call) for call in calls], "here"))
    assert isinstance(chain, Chain)
    return chain


def test_a_country_a_make_or_an_alias_does_where_the_tool_takes_either() -> None:
    found = equal_ways(_chain(["Stock/get_open_info", {"region": "Germany"}]))
    assert (0, {"region": "DE"}) in found
    calls = (
        ["Finance/Yelp/yelp_search", {"location": "Portland", "term": "bakery"}],
        ["yelp_reviews", {"business_id_or_alias": "$1.business_id", "limit": 3}],
    )
    assert (1, {"business_id_or_alias": ResultReference(0, "alias")}) in equal_ways(_chain(*calls))
    calls = (
        ["get_makes", {"manufacturer": "Honda"}],
        ["Vehicle/get_models", {"id": "$1.make_id", "year": 2020}],
    )
    assert (1, {"id": "", "name": ResultReference(0, "make_name")}) in equal_ways(_chain(*calls))


def test_a_parameter_that_changes_nothing_proves_nothing() -> None:
    # What is sent is not shown by the tool, so any text would return the same.
    calls = (
        ["recieve_list", {"subject": "Holiday plans"}],
        ["recieve_id", {"id": "$1.mail_id"}],
        ["Mail/send", {"to_email": "ann@example.org", "subject": "Plans", "content": "$2.content"}],
    )
    assert not [each for place, each in equal_ways(_chain(*calls)) if place == 2 and "content" in each]


def test_another_file_of_the_same_kind_is_another_file() -> None:
    # Both answers name the new file and say that it is locked; only what is in it differs.
    calls = (
        ["office_to_pdf", {"file_path": "minutes.docx"}],
        ["add_watermark", {"file_path": "$1.file_path", "text": "SECRET"}],
        [
            "add_password",
            {"file_path": "$2.file_path", "password": "oak-51", "output_filename": "locked.pdf"},
        ],
    )
    assert not [each for place, each in equal_ways(_chain(*calls)) if place == 2]
