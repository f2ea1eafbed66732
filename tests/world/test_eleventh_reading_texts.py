"""Texts, words, code, books and invented data: what a reading of four calls per tool found."""

from __future__ import annotations

from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.state import World


def said(tool: str, **arguments: Any) -> Any:
    result = call(World.fresh(0), tool, arguments)
    assert result.error is None, result.text
    return result.value


def test_topics_find_firms_at_the_beginning_and_things_of_two_words() -> None:
    found = said(
        "NLP/NLP/get_topics",
        txt="Google and Samsung met in the US on the first of June. Climate change and artificial intelligence matter.",
    )
    assert found["companies"] == ["Google", "Samsung"]
    assert found["countries"] == ["United States"]
    assert found["time_expressions"] == ["the first of June"]
    assert {"climate change", "artificial intelligence"} <= {row["form"] for row in found["concepts"]}


@pytest.mark.parametrize(
    ("text", "word", "tag"),
    [
        ("He sold his boats before the storms came.", "before", "conjunction"),
        ("The storm passed before dawn.", "before", "preposition"),
        ("They decided to walk home.", "walk", "verb"),
        ("I like Italian food.", "Italian", "adjective"),
        ("He has not answered yet.", "yet", "adverb"),
    ],
)
def test_words_are_tagged_by_what_follows(text: str, word: str, tag: str) -> None:
    tokens = {
        row["form"]: row["part_of_speech"] for row in said("NLP/NLP/linguistic_analysis", txt=text)["tokens"]
    }
    assert tokens[word] == tag


def test_reviews_and_subjects_of_everyday() -> None:
    assert said("NLP/NLP/sentiment_analysis", txt="The battery drains too fast.")["score"] < 0
    assert said("NLP/NLP/sentiment_analysis", txt="I am satisfied.")["positive_words"] == ["satisfied"]
    labels = said("NLP/NLP/get_categorization", txt="We flew to a resort near the beach.", model="IAB_2.0_en")
    assert labels[0]["label"] == "Travel"
    rows = said(
        "NLP/NLP/text_cluster",
        txt="Flights to Paris are cheap\nCheap flights to Rome\nHotel in Rome\nParis hotel deals",
    )
    assert [row["lines"] for row in rows] == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("word", "wanted"), [("intelligent", "smart"), ("tired", "weary"), ("money", "cash"), ("cold", "chilly")]
)
def test_synonyms_begin_with_words_of_everyday(word: str, wanted: str) -> None:
    found = said("Word/Word/get_synonyms", word=word)["synonyms"]
    assert wanted in found[:3]
    assert not {"fuck", "shit"} & set(said("Word/Word/get_synonyms", word="love")["synonyms"])


def test_words_have_examples_opposites_and_common_meanings_first() -> None:
    assert said("Word/Word/get_examples", word="journey")["examples"]
    assert said("Word/Word/get_antonyms", word="early")["antonyms"] == ["late"]
    assert "1871" not in said("Word/Word/get_definition", word="crane")["definitions"][0]["definition"]
    assert "who" in said("Word/Word/get_rhymes", word="blue")["rhymes"]
    assert said("Word/Word/get_pronunciation", word="island")["syllables"] == ["is", "land"]


def test_poems_by_whole_title_and_as_plain_text() -> None:
    text = said(
        "Database/non_local/poetry",
        input_field=["title"],
        search_term=["The Raven"],
        search_type="abs",
        form="text",
    )
    assert text.startswith("The Raven (beginning)\nEdgar Allan Poe\n\nOnce upon a midnight dreary")


def test_free_books_have_readable_titles_authors_and_years() -> None:
    book = said("Database/non_local/gutendex", search="art of war")["items"][0]
    assert (book["title"], book["author"]) == ("The Art of War", "Sunzi")
    assert said("Database/non_local/gutendex", search="three musketeers")["items"][0]["id"] == 1257
    assert 20686 not in [
        row["id"] for row in said("Database/non_local/gutendex", search="austen pride")["items"]
    ]
    plays = said("Database/non_local/gutendex", search="shakespeare william romeo")["items"]
    assert {row["birth_year"] for row in plays if row["author"] == "William Shakespeare"} == {1564}


def _luhn(digits: str) -> bool:
    doubled = [int(sign) * (1 + n % 2) for n, sign in enumerate(reversed(digits))]
    return sum(value - 9 * (value > 9) for value in doubled) % 10 == 0


def test_invented_rows_fit_together() -> None:
    firms = said("Faker/fake_data/fake_data", resource="companies", _locale="it_IT", _quantity=20, _seed=1)[
        "data"
    ]
    assert all(_luhn(row["vat"][2:]) for row in firms)
    goods = said("Faker/fake_data/fake_data", resource="products", _quantity=50, _seed=2)["data"]
    assert max(row["net_price"] for row in goods) <= 600
    fields = {"lat": "latitude", "land": "country_code", "firm": "company", "site": "website"}
    (row,) = said("Faker/fake_data/fake_data_custom", custom_fields=fields, _quantity=1, _seed=3)["rows"]
    assert row["land"] == "US" and 18 < row["lat"] < 72
    assert row["site"][12:18] == "".join(sign for sign in row["firm"].lower() if sign.isalnum())[:6]


@pytest.mark.parametrize(
    ("code", "value", "kind"),
    [
        ("from collections import Counter\nCounter('hello')", "Counter({'l': 2, 'h': 1, 'e': 1, 'o': 1})", "Counter"),
        ("from fractions import Fraction\nFraction(1, 3) + Fraction(1, 6)", "Fraction(1, 2)", "Fraction"),
        ("class Stack(list):\n    def peek(self):\n        return self[-1]\ns = Stack([1])\ns += [5]\ns.peek()", "5", "int"),
        ("class D(dict):\n    def __missing__(self, key):\n        return 0\nd = D(a=1)\n(d['a'], d['b'], d)",
         "(1, 0, {'a': 1})", "tuple"),
    ],
)  # fmt: skip
def test_python_values_are_written_as_python_writes_them(code: str, value: str, kind: str) -> None:
    found = said("Execute/Execute/exectue_pycode_REPL_Ast", code=code)
    assert (found["value"], found["value_type"], found["failure"]) == (value, kind, None)


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("awk 'BEGIN{for(i=1;i<=3;i++) printf \"%d \", i}'", "1 2 3 "),
        ("[[ foo.txt == *.txt ]] && echo yes", "yes\n"),
        ("x=7; cat <<EOF\nval $x\nEOF", "val 7\n"),
        ("echo {a,b}{1,2}", "a1 a2 b1 b2\n"),
        ("ls sales.csv notes.txt", "notes.txt\nsales.csv\n"),
        ("wc sales.csv", "  9   9 233 sales.csv\n"),
    ],
)
def test_the_shell_prints_what_a_shell_prints(command: str, output: str) -> None:
    assert said("Execute/Execute/execute_bash_code", commands=command)["stdout"] == output


def test_sql_describes_and_joins_as_mysql_does() -> None:
    rows = said("Execute/Execute/execute_mysql_query", sql_cmd="DESCRIBE products")["rows"]
    assert rows[0] == {
        "Field": "id", "Type": "int", "Null": "NO", "Key": "PRI", "Default": None, "Extra": "auto_increment",
    }  # fmt: skip
    joined = "SELECT GROUP_CONCAT(name ORDER BY price DESC SEPARATOR '|') AS n FROM products WHERE category = 'Office'"
    assert said("Execute/Execute/execute_mysql_query", sql_cmd=joined)["rows"] == [
        {"n": "Fountain pen|Notebook"}
    ]
    months = "SELECT COUNT(*) AS n FROM orders GROUP BY MONTH(ordered)"
    assert len({row["n"] for row in said("Execute/Execute/execute_mysql_query", sql_cmd=months)["rows"]}) > 2


def test_calculators_write_numbers_as_people_do() -> None:
    def asked(question: str) -> Any:
        return said("Calculator/Calculator/wolfram_alpha_calculator", input_query=question)

    assert asked("limit of (1 + 1/n)^n as n -> infinity")["exact"] == "e"
    assert asked("72 fahrenheit in celsius")["exact"] == "200/9 °C"
    assert asked("area of a circle with radius 5")["exact"] == "25*pi"
    assert asked("solve 2x + 3 = 7")["decimal"] == 2
    assert said("Calculator/Calculator/calculator", input_query="200 + 15%")["result"] == 230
    wrong = call(
        World.fresh(0), "Calculator/Calculator/newton_calculator", {"operation": "arcsin", "expression": "2"}
    )
    assert wrong.error == "invalid_value"


def test_german_nouns_and_only_they_have_capitals() -> None:
    def german(word: str) -> str:
        return str(said("Translation/Translation/get_translation_baidu", text=word, tgt_lang="de")["result"])

    assert [german(word) for word in ("red", "two", "tomorrow", "goodbye", "fire", "man")] == [
        "rot", "zwei", "morgen", "auf Wiedersehen", "Feuer", "Mann",
    ]  # fmt: skip
    assert (
        said("Translation/Translation/get_translation_baidu", text="je t'aime", tgt_lang="en")["result"]
        == "I love you"
    )


def test_grades_are_spread_and_breeds_are_many() -> None:
    grades = said("Validation/Validation/get_grade_distribution")
    assert max(grades.values()) < sum(grades.values()) / 2
    assert not said("Validation/Validation/profanity_detect", text="Moby Dick is a novel")["has_profanity"]
    breeds = {row["breed"]: row["sub_breeds"] for row in said("Animal/Animal/dog_breed")}
    assert breeds["australian"] == ["shepherd"] and "cavalier" in breeds
