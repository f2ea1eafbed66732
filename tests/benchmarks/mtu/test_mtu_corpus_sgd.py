"""SGD: calls moved to the user turn, the calendar moved to 2024, labels by system acts, tools by schema."""

import json
from collections import Counter
from dataclasses import asdict
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from cases import cases, each_case
from toolyard.benchmarks.mtu.synth.corpora import corpus_tools, load_corpus
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import (
    CorpusDialogue,
    Skipped,
)
from toolyard.benchmarks.mtu.synth.corpora.sgd import TODAY, shift_year
from toolyard.core.errors import DataError
from toolyard.text.documents import Parameter

SCHEMA = cases(__file__, "SCHEMA")


def user(text: str, *frames: dict[str, Any]) -> dict[str, Any]:
    return {"speaker": "USER", "utterance": text, "frames": list(frames)}


def state(service: str, intent: str) -> dict[str, Any]:
    told = {"active_intent": intent, "requested_slots": [], "slot_values": {}}
    return {"service": service, "state": told, "slots": [], "actions": []}


def system(text: str, *acts: str, call: Any = None, results: Any = None) -> dict[str, Any]:
    actions = [{"act": act, "slot": "", "values": [], "canonical_values": []} for act in acts]
    frame: dict[str, Any] = {"service": "Hotels_1", "slots": [], "actions": actions}
    if call:
        frame |= {"service_call": call, "service_results": results}
    return {"speaker": "SYSTEM", "utterance": text, "frames": [frame]}


def load(folder: Path, turns: list[dict[str, Any]], services: Any = ("Hotels_1",)) -> CorpusDialogue:
    (folder / "train").mkdir()
    (folder / "train" / "schema.json").write_text(json.dumps(SCHEMA))
    row = {"dialogue_id": "9_00001", "services": list(services), "turns": turns}
    (folder / "train" / "dialogues_009.json").write_text(json.dumps([row]))
    (item,) = load_corpus("sgd", folder)
    assert isinstance(item, CorpusDialogue)
    return item


GREETING = [user("Hi.", state("Hotels_1", "NONE")), system("Bye.", "GOODBYE")]


@each_case("row", ids=lambda row: row["rule"])
def test_a_dialogue_is_read_into_turns_with_calls(tmp_path: Path, row: dict[str, Any]) -> None:
    dialogue = load(tmp_path, row["said"], row["services"])
    assert json.loads(json.dumps(asdict(dialogue))) == row["dialogue"]


@each_case("act, label")
def test_the_system_act_tells_the_situation(tmp_path: Path, act: str, label: str | None) -> None:
    dialogue = load(tmp_path, [user("Hi.", state("Hotels_1", "NONE")), system("So.", act)])
    assert dialogue.turns[0].label == label
    assert dialogue.turns[0].intents == ()


@pytest.mark.parametrize(
    ("method", "results", "failed"),
    [("SearchHotel", [], False), ("ReserveHotel", [], True), ("ReserveHotel", [{"city": "Oslo"}], True)],
)
def test_an_empty_search_is_kept_and_only_a_refused_transaction_has_failed(
    tmp_path: Path, method: str, results: list[dict[str, str]], failed: bool
) -> None:
    call = {"method": method, "parameters": {}}
    answer = system("Sorry.", "NOTIFY_FAILURE", "REQ_MORE", call=call, results=results)
    dialogue = load(tmp_path, [user("Go.", state("Hotels_1", method)), answer])
    (made,) = dialogue.turns[0].calls
    assert (made.results, made.failed) == (tuple(results), failed)


@each_case("text, shifted")
def test_only_the_year_of_a_date_is_moved(text: Any, shifted: Any) -> None:
    assert shift_year(text) == shifted


def test_days_of_the_week_are_the_same_after_the_move() -> None:
    today = date.fromisoformat(TODAY)
    for days in range(60):
        before, after = (day + timedelta(days) for day in (date(2019, 3, 1), today))
        assert (before.weekday(), before.month, before.day) == (after.weekday(), after.month, after.day)


def test_a_row_in_another_form_is_skipped_and_a_broken_schema_refused(tmp_path: Path) -> None:
    load(tmp_path, GREETING)
    (tmp_path / "train" / "dialogues_010.json").write_text(
        '[{"dialogue_id": "x"}, 7, {"dialogue_id": "y", "services": [], "turns": []}]'
    )
    skipped = [item for item in load_corpus("sgd", tmp_path) if isinstance(item, Skipped)]
    assert [item.reason for item in skipped] == ["not_the_row_form", "not_the_row_form", "no_user_turn"]
    assert skipped[0].where.startswith("sgd/train/dialogues_010.json entry 0: KeyError")
    (tmp_path / "train" / "schema.json").write_text('[{"service_name": "A_1"}]')
    with pytest.raises(DataError, match=r"schema\.json entry 0 is no SGD service"):
        list(load_corpus("sgd", tmp_path))


def test_a_tool_is_documented_by_its_intent(tmp_path: Path) -> None:
    load(tmp_path, GREETING)
    search, reserve = corpus_tools("sgd", tmp_path)
    assert (search.name, search.service, search.verb, search.topics) == (
        "SearchHotel", "Hotels_1", "query", ("Hotel",),
    )  # fmt: skip
    assert search.required == (Parameter("city", "string", "Where."),)
    assert search.optional == (
        Parameter("size", "string", "How big.", choices=("1", "2"), default="dontcare"),
    )
    assert [one.name for one in search.results] == ["city", "size"]
    assert reserve.verb == "create"
    assert reserve.optional == (
        Parameter("date", "string", "When.", default="2024-03-01", format="YYYY-MM-DD"),
    )


def test_the_shipped_part_has_its_counts_and_no_parameter_that_its_tool_does_not_know(shared: Path) -> None:
    counts: Counter[str] = Counter()
    topics: Counter[str] = Counter()
    identities = set()
    folder = shared / "data" / "corpora" / "sgd"
    tools = {(tool.service, tool.name): tool for tool in corpus_tools("sgd", folder)}
    for item in load_corpus("sgd", folder):
        assert isinstance(item, CorpusDialogue)
        identities.add(item.id)
        topics.update(item.topics)
        for turn in item.turns:
            counts[str(turn.label)] += 1
            assert len(turn.calls) <= 1
            for call in turn.calls:
                tool = tools[call.service, call.name]
                assert set(call.arguments) <= {one.name for one in (*tool.required, *tool.optional)}
                counts["empty"] += not call.results
                counts["failed"] += call.failed
                counts["2019"] += "2019-" in str(call)
    assert len(identities) == 4822
    assert counts == Counter(
        {"call": 12456, "missing": 8227, "confirmed": 5327, "exists": 3824 + 1432, "chat": 4822 + 2709 + 2404}
        | {"empty": 382, "failed": 560, "2019": 0}
    )
    assert topics["Apartment"] == 196


def test_the_schemas_hold_88_tools_of_45_services(shared: Path) -> None:
    folder = shared / "data" / "corpora" / "sgd"
    tools = corpus_tools("sgd", folder)
    assert len(tools) == 88
    assert len({tool.service for tool in tools}) == 45
    assert len({tool.name for tool in tools}) == 46
    assert all(tool.topics for tool in tools)
