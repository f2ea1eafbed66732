"""What a strict reading of the tools for texts, programs, words and sums found, one test for each kind of fault."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.state import World


def _answer(tool: str, world: World | None = None, /, **arguments: Any) -> Any:
    return json.loads(call(world or World.fresh(0), tool, arguments).text)


def _python(code: str) -> tuple[str, str | None]:
    found = _answer("Execute/Execute/execute_pycode", code=code)
    return found["output"], found["error"]


_PROGRAMS = {
    "print(sorted('bAc', key=str.lower), list(map(str.strip, [' a ', 'b '])))": "['A', 'b', 'c'] ['a', 'b']\n",
    "print(int.from_bytes(b'\\x00\\x10', 'big'), (258).to_bytes(2, 'big'))": "16 b'\\x01\\x02'\n",
    "d = {'a': 3, 'b': 5}\nprint(max(d, key=d.get), 'abc'.translate(str.maketrans('ab', 'xy')))": "b xyc\n",
    "from collections import OrderedDict\nd = OrderedDict(a=1, b=2)\nd.move_to_end('a')\nprint(d)": (
        "OrderedDict([('b', 2), ('a', 1)])\n"
    ),
    "from dataclasses import dataclass\n@dataclass(order=True)\nclass P:\n    n: int\n"
    "print(max(P(1), P(2)), P(1) <= P(1))": ("P(n=2) True\n"),
    "from enum import Enum\nclass C(Enum):\n    A = 1\n    B = 2\nprint(C(2), C['A'].value, [c.name for c in C])": (
        "C.B 1 ['A', 'B']\n"
    ),
    "class E(ValueError):\n    def __init__(self, n):\n        self.n = n\n        super().__init__(f'no {n}')\n"
    "try:\n    raise E(3)\nexcept ValueError as e:\n    print(e, e.n)": "no 3 3\n",
    "import re\nprint(re.sub(r'\\d', lambda m: str(int(m.group()) * 2), 'a1b2'))": "a2b4\n",
    "from functools import wraps\ndef d(f):\n    @wraps(f)\n    def g(*a):\n        return f(*a)\n    return g\n"
    "@d\ndef h():\n    return 1\nprint(h(), h.__name__)": "1 h\n",
    "from contextlib import contextmanager\n@contextmanager\ndef c():\n    try:\n        yield 1\n    finally:\n"
    "        print('end')\nwith c() as x:\n    print(x)": "1\nend\n",
    "def n():\n    i = 0\n    while True:\n        yield i\n        i += 1\nprint(next(x for x in n() if x > 5))": "6\n",
    "class S:\n    def __bool__(self):\n        return False\nprint('full' if S() else 'empty')": "empty\n",
    "from fractions import Fraction\nprint(Fraction(1, 3) + Fraction(1, 6) < 1)": "True\n",
}


@pytest.mark.parametrize("code", _PROGRAMS)
def test_everyday_python_runs_as_elsewhere(code: str) -> None:
    assert _python(code) == (_PROGRAMS[code], None)


@pytest.mark.parametrize(
    "code", ["bytearray(b'a')", "import logging", "class A:\n    def __new__(cls):\n        pass"]
)
def test_what_the_small_python_lacks_is_called_lacking(code: str) -> None:
    assert "this small Python lacks" in (_python(code)[1] or "")


def test_a_session_knows_the_classes_of_earlier_inputs() -> None:
    world = World.fresh(0)
    tool = "Execute/Execute/exectue_pycode_REPL"
    _answer(tool, world, code="from enum import Enum\nclass C(Enum):\n    A = 1")
    assert _answer(tool, world, code="print([c.name for c in C])")["printed"] == "['A']\n"


@pytest.mark.parametrize(
    ("line", "output"),
    [
        ("a=hello; echo ${a:1:3} ${#a} ${a^^} ${b:-no}", "ell 5 HELLO no\n"),
        ("date -d '2024-05-15 +3 days' +%F", "2024-05-18\n"),
        ("echo 3 4 | { read a b; echo $((a+b)); }", "7\n"),
        ("basename /a/b.txt .txt; exit 3; echo no", "b\n"),
        ("python3 -c \"print(open('notes.txt').read()[:3])\"", "Buy\n"),
    ],
)
def test_the_shell_does_what_shells_do(line: str, output: str) -> None:
    assert _answer("Execute/Execute/execute_bash_code", commands=line)["stdout"] == output


def test_mysql_divides_and_compares_as_mysql() -> None:
    tool = "Execute/Execute/execute_mysql_query"
    assert _answer(tool, sql_cmd="SELECT 7/2 a, 7 DIV 2 b, LAST_DAY('2024-02-05') c")["rows"] == [
        {"a": 3.5, "b": 3, "c": "2024-02-29"}
    ]
    assert _answer(tool, sql_cmd="SELECT name FROM customers WHERE city='berlin'")["rows"]


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("My sister's cats sleep all day.", {"sister's": ("sister", "noun"), "sleep": ("sleep", "verb")}),
        ("Big dogs bark loudly", {"bark": ("bark", "verb")}),
        ("I saw a saw.", {"saw": ("saw", "noun")}),
        (
            "We found a new species here since Monday.",
            {"species": ("species", "noun"), "since": ("since", "preposition")},
        ),
    ],
)
def test_words_are_tagged_in_their_sentence(text: str, tags: dict[str, tuple[str, str]]) -> None:
    tokens = _answer("NLP/NLP/linguistic_analysis", txt=text)["tokens"]
    found = {token["form"]: (token["lemma"], token["part_of_speech"]) for token in tokens}
    assert tags.items() <= found.items()


def test_german_is_no_english() -> None:
    assert "only English" in str(
        _answer("NLP/NLP/linguistic_analysis", txt="Wir gehen heute ins Kino und danach essen.")
    )


def test_headings_under_lines_and_fenced_code() -> None:
    text = "Introduction\n============\n\nHello.\n\nMethods\n-------\n\nDone.\n\n```\n# no heading\n```\n"
    found = _answer("NLP/NLP/document_structure", txt=text)
    assert (found["title"], found["abstract"]) == ("Introduction", "Hello.")
    assert found["headings"] == [{"level": 2, "heading": "Methods"}]


def test_rents_know_which_paris_and_how_many_bathrooms() -> None:
    tool = "Database/non_local/rent_estimate"
    texan, french = (
        _answer(tool, address=f"Paris, {where}", bedrooms=3)["rent"] for where in ("TX", "France")
    )
    assert texan < french / 1.5
    homes = _answer(tool, address="Boise, ID", bedrooms=3, propertyType="Single Family")["comparables"]
    assert {home["bathrooms"] for home in homes} == {1, 2}


def test_sums_of_the_calculators() -> None:
    assert _answer("Calculator/Calculator/calculator", input_query="17%5")["result"] == 2
    assert _answer("Calculator/Calculator/calculator", input_query="√16")["result"] == 4
    assert "error" in _answer("Calculator/Calculator/newton_calculator", operation="log", expression="0|5")


def test_masked_swear_words_are_seen() -> None:
    found = _answer("Validation/Validation/profanity_detect", text="What the f*ck")
    assert found["found"] == ["f*ck"]


def test_the_named_subject_is_the_subject() -> None:
    text = "Send to ann@example.org the text 'see you' with subject 'Meeting'"
    found = _answer("Zapier/Zapier/run_zapier_NLA_action", action_id="gmail_send_email", instructions=text)
    assert (found["result"]["subject"], found["result"]["content"]) == ("Meeting", "see you")


def test_all_parts_of_speech_have_meanings_and_names_capitals() -> None:
    parts = [row["part_of_speech"] for row in _answer("Word/Word/get_definition", word="run")["definitions"]]
    assert parts.count("verb") > 3
    assert "Menachem Begin" not in _answer("Word/Word/get_synonyms", word="begin")["synonyms"]
