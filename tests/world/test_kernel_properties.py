"""The kernel against plain models: what it answers is what reading every row, or writing down every change, gives."""

import math
import re
from collections import Counter
from datetime import date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import cases
from toolyard.world import World, call, library
from toolyard.world.index import Index, words
from toolyard.world.index.postings import Postings
from toolyard.world.kernel import tables
from toolyard.world.kernel.date_arguments import normalise_dates
from toolyard.world.kernel.faults import ToolFault
from toolyard.world.kernel.schema import schema_leaves
from toolyard.world.kernel.state import EPOCH, Store
from toolyard.world.kernel.tables import plain

THINGS = Store("test_things", lambda seed: {"m": [seed], "n": [0]}, most_entries=3, most_characters=9)
STEPS = st.lists(
    st.tuples(
        st.sampled_from(("set", "delete", "keep", "back", "copy")), st.sampled_from("klmn"), st.integers(0, 2)
    ),
    max_size=12,
)
TEXTS = st.text("aAßbøZ", max_size=3)
ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "name": TEXTS,
            "tags": st.lists(st.sampled_from(("Red", "blue")), max_size=2),
            "n": st.integers(-3, 3),
        }
    ),
    max_size=8,
)


def changes(was: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    both = was.keys() & now.keys()
    return {
        "added": {key: now[key] for key in now.keys() - both},
        "removed": {key: was[key] for key in was.keys() - both},
        "changed": {key: {"before": was[key], "after": now[key]} for key in both if was[key] != now[key]},
    }


@given(STEPS)
def test_a_store_holds_what_was_written_and_tells_what_changed(steps: list[tuple[str, str, int]]) -> None:
    world, model = World.fresh(1), {"m": [1], "n": [0]}
    kept, then = world.snapshot(), dict(model)
    for action, key, number in steps:
        view = world.store(THINGS)
        if action == "set":
            view[key] = model[key] = [number]
        elif action == "delete" and key in model:
            del view[key], model[key]
        elif action == "delete":
            with pytest.raises(KeyError):
                del view[key]
        elif action == "keep":
            kept, then = world.snapshot(), dict(model)
        elif action == "back":
            world.restore(kept)
            model = dict(then)
        else:
            world, twin = world.copy(), world
            twin.store(THINGS)["z"] = ["of the twin"]
            twin.advance(1)
        view = world.store(THINGS)
        assert (dict(view), len(view)) == (model, len(model))
        assert [each in view for each in "klmnz"] == [each in model for each in "klmnz"]
        assert world.new_key(THINGS, "k") not in view
    wanted = changes(then, model)
    assert world.diff(kept) == ({"test_things": wanted} if any(wanted.values()) else {})
    assert world.now == EPOCH and world.store(THINGS).get("z") is None


@given(st.lists(st.text("ab", max_size=4), max_size=5))
def test_a_store_is_overfull_beyond_its_entries_or_its_characters(texts: list[str]) -> None:
    world = World.fresh()
    before = world.snapshot()
    for place, text in enumerate(texts):
        world.store(THINGS)[str(place)] = text
    full = len(texts) > 3 or sum(map(len, texts)) > 9
    assert world.overfull_since(before) is (THINGS if full else None)
    assert world.overfull_since(world.snapshot()) is None
    assert world.is_untouched is (not texts)


@given(st.integers(1, 9), st.integers(0, 4), st.integers(0, 99))
def test_what_is_drawn_anew_does_not_come_again_soon(size: int, opening: int, seed: int) -> None:
    world, rows = World.fresh(seed), range(size)
    opening = min(opening, size)
    drawn = [world.draw_anew(rows, "x", opening=opening) for _ in range(3 * size)]
    assert sorted(drawn[:opening]) == [*range(opening)]
    for place, row in enumerate(drawn):
        assert row not in drawn[0 if place < size else place - size // 2 : place]
    assert not world.is_untouched


@given(ROWS, TEXTS, st.integers(-3, 3), st.integers(0, 4))
def test_rows_are_chosen_as_by_reading(rows: list[dict[str, Any]], text: str, low: int, count: int) -> None:
    assert tables.filter_rows(rows, name=text, n=None) == [
        row for row in rows if plain(row["name"]) == plain(text)
    ]
    assert tables.filter_rows(rows, tags="RED", n=low) == [
        row for row in rows if "Red" in row["tags"] and row["n"] == low
    ]
    assert tables.rows_between(rows, "n", low, low + count) == [
        row for row in rows if low <= row["n"] <= low + count
    ]
    assert tables.rows_between(rows, "n", high=low) == [row for row in rows if row["n"] <= low]
    by_name = sorted(rows, key=lambda row: str(row["name"]))
    assert tables.sort_rows(rows, "-n, name", ("n", "name")) == sorted(by_name, key=lambda row: -row["n"])
    assert tables.page(rows, count, low + 3) == {
        "total": len(rows), "offset": low + 3, "items": rows[low + 3 : low + 3 + count],
    }  # fmt: skip
    first = next((row for row in rows if tables.fold_case(row["name"]) == tables.fold_case(text)), None)
    for known in (rows, tables.index_by(rows, "name")):
        if first is not None:
            assert tables.find(known, text, "name") is first
        else:
            with pytest.raises(ToolFault, match="no entry"):
                tables.find(known, text, "name")


@given(st.dictionaries(TEXTS, st.lists(st.integers(0, 2**33), max_size=3), max_size=5), TEXTS)
def test_postings_are_a_mapping_to_lists(lists: dict[str, list[int]], key: str) -> None:
    postings = Postings(lists)
    assert [list(postings[name]) for name in (*lists, key)] == [*lists.values(), lists.get(key, [])]


SENTENCES = st.lists(
    st.sampled_from(["red", "fox", "foxes", "berries", "berry", "the", "jumps", "gras"]), max_size=6
).map(" ".join)


@given(st.lists(SENTENCES, max_size=6), SENTENCES, st.sampled_from((0.0, 0.4, 1.0)))
def test_a_search_ranks_by_the_formula_names_first(texts: list[str], query: str, bound: float) -> None:
    rows = [{"name": text, "about": f"{text} dog"} for text in texts]
    held = [Counter([*words(text) * 2, *words(f"{text} dog")]) for text in texts]
    mean = sum(each.total() for each in held) / len(held) if held else 1
    asked = dict.fromkeys(words(query))
    often = {term: sum(term in each for each in held) for term in asked}
    weight = {term: math.log(1 + (len(rows) - n + 0.5) / (n + 0.5)) for term, n in often.items()}

    def score(each: Counter[str]) -> float:
        norm = 1.2 * (0.25 + 0.75 * each.total() / mean)
        return sum(weight[term] * each[term] * 2.2 / (each[term] + norm) for term in asked)

    called = [plain(text) == plain(query) for text in texts]
    found = [place for place, each in enumerate(held) if called[place] or any(map(each.__contains__, asked))]
    enough = bound * sum(weight.values()) - 1e-9
    found = [p for p in found if called[p] or sum(weight[t] for t in asked if t in held[p]) >= enough]
    found.sort(key=lambda n: (not called[n], 0 if called[n] else -round(score(held[n]), 9), n))
    assert Index(rows, ("name", "name", "about"), name="name").row_numbers(query, bound) == found


GAMES = library()["Competition/balldontlie/get_all_games"].document
FORMS = tuple(cases(__file__, "forms"))


@given(st.dates(date(1901, 1, 1), date(2099, 12, 31)), st.sampled_from(FORMS), st.integers(0, 400))
def test_dates_and_nothing_else_are_brought_into_the_declared_form(day: date, form: str, ahead: int) -> None:
    written = datetime(day.year, day.month, day.day).strftime(form)
    given_ = {
        "dates": [written, "no day"],
        "start_date": "tomorrow",
        "end_date": f"in {ahead + 2} days",
        "page": written,
    }
    assert normalise_dates(GAMES, given_, day) == {
        "dates": [day.isoformat(), "no day"],
        "start_date": str(day + timedelta(1)),
        "end_date": str(day + timedelta(ahead + 2)),
        "page": written,
    }


def test_a_key_that_is_not_found_names_its_argument_and_a_tool_that_lists_such_keys() -> None:
    named, unnamed = set[str](), list[str]()
    for tool in [*library().values()][::3]:
        beside = [other for other in library() if other != tool.id and other.startswith(tool.category)]
        for parameter in tool.document.parameters:
            if parameter.schema.get("type") != "string" or {"enum", "pattern"} & parameter.schema.keys():
                continue
            given_ = {**tool.examples[0], parameter.name: "Zzyzx Qwrtn"}
            seen = call(World.fresh(), tool.id, given_, offered=[tool.id, *beside])
            if seen.error != "not_found":
                continue
            if seen.value["error"].get("parameter") != parameter.name:
                unnamed.append(tool.id)
            if lister := re.search(r"[;?] (\w+) lists them$", seen.value["error"]["message"]):
                named.add(lister[1].split("__")[-1])
                assert "lists them" not in call(World.fresh(), tool.id, given_, offered=[tool.id]).text
    assert len(unnamed) <= 1, unnamed
    assert len(named) > 10
    for name in named:
        found = [tool.document.result for tool in library().values() if tool.name == name]
        assert any("[]" in path for result in found for path, _ in schema_leaves(result)), name


@pytest.mark.parametrize("kind", ["airport_code", "city"])
def test_all_arguments_that_name_nothing_are_told_at_once(kind: str) -> None:
    told = 0
    for tool in library().values():
        names = [each.name for each in tool.document.parameters if each.schema.get("x-semantic") == kind]
        given_ = {**tool.examples[0], **dict.fromkeys(names, "QQZ"), **dict.fromkeys(names[1:], "ZQQ")}
        if len(names) > 1 and (seen := call(World.fresh(), tool.id, given_)).error == "not_found":
            assert seen.value["error"]["parameters"] == names
            assert "QQZ" in seen.text and "ZQQ" in seen.text
            told += 1
    assert told
