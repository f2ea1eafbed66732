"""Texts, words, names, code and small tools as a strict reader expects them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.state import World


def _told(tool: str, world: World | None = None, **arguments: Any) -> Any:
    result = call(world or World.fresh(0), tool, arguments)
    assert result.error is None, result.text
    return json.loads(result.text)


def _refused(tool: str, **arguments: Any) -> dict[str, Any]:
    result = call(World.fresh(0), tool, arguments)
    assert result.error is not None, result.text
    return dict(json.loads(result.text)["error"])


@pytest.mark.parametrize(
    ("tool", "field"),
    [
        ("Joke/jokes/random_joke", "joke_number"),
        ("Joke/jokes/random_quote", "quote"),
        ("Advice/Advice_slip/random_advice", "slip_id"),
        ("Advice/Bored/get_random_event", "key"),
    ],
)
def test_what_is_drawn_comes_anew(tool: str, field: str) -> None:
    for drawn_before in (0, 4, 25):
        world = World.fresh(3)
        for _ in range(drawn_before):
            world.draw("something else")
        found = [_told(tool, world)[field] for _ in range(6)]
        assert len(set(found)) == 6


def test_cats_are_at_home_where_they_come_from() -> None:
    homes = {row["breed"]: row["country"] for row in _told("Animal/Animal/cat_breed", limit=50)}
    assert homes["Burmese"] == "Myanmar"
    assert homes["Manx"] == "Isle of Man"


@pytest.mark.parametrize(
    ("code", "printed"),
    [
        ("class B:\n    def f(self): return 'b'\nclass C(B):\n    def f(self): return super().f() + 'c'\n"
         "print(C().f())", "bc\n"),
        ("d = {'a': 1, 'b': 2}\ndel d['a']\nprint(d)", "{'b': 2}\n"),
        ("def f():\n    a, b = 0, 1\n    while True:\n        yield a\n        a, b = b, a + b\ng = f()\n"
         "print([next(g) for _ in range(6)])", "[0, 1, 1, 2, 3, 5]\n"),
        ("class E(Exception): pass\ntry:\n    raise E('x')\nexcept E as e:\n    print(type(e).__name__, e)", "E x\n"),
        ("class P:\n    @property\n    def q(self): return 4\nprint(P().q)", "4\n"),
        ("import sys\nprint(1)\nsys.exit(0)\nprint(2)", "1\n"),
    ],
)  # fmt: skip
def test_python_has_subclasses_generators_and_del(code: str, printed: str) -> None:
    found = _told("Execute/Execute/execute_pycode", code=code)
    assert (found["output"], found["error"]) == (printed, None)


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        ("for i in 1 2; do echo $((i*i)); done", "1\n4\n"),
        ("awk -F, 'NR>1 {s+=$3} END {print s}' sales.csv", "947\n"),
        ("sed -n '1p' sales.csv | sed 's/month/m/'", "m,region,units,revenue\n"),
        ("if grep -q milk notes.txt; then echo yes; fi", "yes\n"),
        ("echo $(seq 1 3 | paste -sd+ | bc)", "6\n"),
    ],
)
def test_shell_has_loops_and_editors(line: str, printed: str) -> None:
    assert _told("Execute/Execute/execute_bash_code", commands=line)["stdout"] == printed


def test_nobody_orders_before_joining() -> None:
    early = (
        "SELECT COUNT(*) n FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.ordered < c.joined"
    )
    assert _told("Execute/Execute/execute_mysql_query", sql_cmd=early)["rows"] == [{"n": 0}]
    shift = "SELECT DATE_ADD('2024-01-31', INTERVAL 1 MONTH) d, LEFT('abc', 2) l"
    assert _told("Execute/Execute/execute_mysql_query", sql_cmd=shift)["rows"] == [
        {"d": "2024-02-29", "l": "ab"}
    ]


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("Oh great, another delay.", -1),
        ("I can't recommend this highly enough.", 1),
        ("The hotel was overpriced and slow.", -1),
        ("The killer whale is a beautiful animal.", 1),
    ],
)
def test_turns_of_phrase_are_understood(text: str, sign: int) -> None:
    assert _told("NLP/NLP/sentiment_analysis", txt=text)["score"] * sign > 0


def test_sentences_and_names_are_kept_whole() -> None:
    text = "Apple Inc. rose on Thursday. Analysts at Goldman Sachs met Erik ten Hag at 5 pm."
    assert _told("NLP/NLP/summarization", txt=text)["sentences_in_text"] == 2
    topics = _told("NLP/NLP/get_topics", txt=text)
    assert topics["companies"] == ["Apple Inc.", "Goldman Sachs"]
    assert topics["other_names"] == ["Erik ten Hag"]
    assert "5 pm" in topics["time_expressions"]
    tokens = _told("NLP/NLP/linguistic_analysis", txt="Mice ate them.")["tokens"]
    assert [(row["lemma"], row["part_of_speech"]) for row in tokens] == [
        ("mouse", "noun"), ("eat", "verb"), ("they", "pronoun")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("number", "country", "form", "kind"),
    [
        ("06 69812345", "IT", "+390669812345", "fixed line"),
        ("1300 123 456", "AU", "+611300123456", "shared cost"),
        ("+86 10 6552 9988", "CN", "+861065529988", "fixed line"),
        ("416-555-0123", "US", None, None),
    ],
)
def test_phone_numbers_by_plan(number: str, country: str, form: str | None, kind: str | None) -> None:
    found = _told("Validation/Validation/check_phone_number", number=number, country_code=country)
    assert (found["international_format"], found["line_type"]) == (form, kind)


def test_scores_of_scans_add_up() -> None:
    world = World.fresh(0)
    scan = _told("Validation/Validation/analyze_scan", world, website="github.com")
    tests = _told("Validation/Validation/get_scan_results", world, id=scan["scan_id"])["tests"]
    assert 100 + sum(row["score_modifier"] for row in tests.values()) == scan["score"]


def test_words_by_sound_and_kind() -> None:
    assert _told("Word/Word/search_word", pronunciationPattern="^ʃ")["total"] > 300
    assert _refused("Word/Word/search_word", lettersMin=9, lettersMax=3)["parameter"] == "lettersMin"
    assert _told("Word/Word/get_synonyms", word="photosynthesis")["synonyms"] == []


def test_names_come_from_where_they_are_at_home() -> None:
    rows = _told("Predict/Predict/predict_nationality", names=["Giovanni", "Zeynep", "Svetlana"])
    assert [row["countries"][0]["country_id"] for row in rows] == ["IT", "TR", "RU"]
    assert _told("Predict/Predict/predict_gender", names=["Nguyen"])[0]["gender"] is None


def test_what_cannot_be_is_refused_by_name() -> None:
    rent = "Database/non_local/rent_estimate"
    assert _refused(rent, address="Paris", propertyType="Studio", bedrooms=3)["parameter"] == "bedrooms"
    assert _refused("Database/non_local/gutendex", mime_type="foo/bar")["parameter"] == "mime_type"
    assert _refused("Database/non_local/company_name_match", source="Oracle")["parameter"] == "source"
    assert _refused("Validation/Validation/analyze_scan", website="999.1.1.1")["parameter"] == "website"
    fake = _refused("Faker/fake_data/fake_data", resource="products", _price_min=9, _price_max=1)
    assert fake["parameter"] == "_price_min"


def test_a_text_in_the_target_language_stays() -> None:
    found = _told("Translation/Translation/get_translation_baidu", text="good morning", tgt_lang="en")
    assert (found["detected_language"], found["result"]) == ("en", "good morning")
    assert (
        _told("Translation/Translation/get_translation_baidu", text="bonjour", tgt_lang="en")["result"]
        == "hello"
    )
