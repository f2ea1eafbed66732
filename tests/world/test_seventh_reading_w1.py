"""What a further reading found in sport, vehicles, calendars, programs, files, numbers and jokes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.state import World

PDF = "/workspace/Tool_learning_test/Tools/File/Pdf/test_file/world.pdf"


def result(tool: str, arguments: dict[str, Any], world: World | None = None) -> Any:
    found = call(world or World.fresh(0), tool, arguments)
    assert found.error is None, found.text
    return json.loads(found.text)


def refusal(tool: str, arguments: dict[str, Any]) -> str:
    found = call(World.fresh(0), tool, arguments)
    assert found.error is not None
    return found.text


def test_a_watermark_that_no_font_can_print_is_refused() -> None:
    assert "Western Europe" in refusal("File/Pdf/add_watermark", {"file_path": PDF, "text": "机密"})
    marked = result("File/Pdf/add_watermark", {"file_path": PDF, "text": "Copie nº 3 – für 5 €"})
    assert marked["pages"] == 3


def test_a_large_network_has_all_its_addresses() -> None:
    found = result("Anti_Malware/Anti_Malware/check_block_ip", {"network": "2001:db8::/32"})
    assert found["numPossibleHosts"] == 2**96


@pytest.mark.parametrize(
    ("number", "country", "written", "kind"),
    [
        ("06 69812345", "IT", "+390669812345", "fixed line"),
        ("+39 06 69812345", "IT", "+390669812345", "fixed line"),
        ("347 1234567", "IT", "+393471234567", "mobile"),
        ("800 123456", "IT", "+39800123456", "toll-free"),
        ("1-800-555-0199", "US", "+18005550199", "toll-free"),
        ("8 (495) 123-45-67", "RU", "+74951234567", "fixed line"),
        ("(812) 123-45-67", "RU", "+78121234567", "fixed line"),
        ("246 234 5678", "BB", "+12462345678", "fixed line or mobile"),
        ("44 20 7946 0958", "GB", "+442079460958", "fixed line"),
    ],
)
def test_phone_numbers_as_people_write_them(number: str, country: str, written: str, kind: str) -> None:
    found = result("Validation/Validation/check_phone_number", {"number": number, "country_code": country})
    assert (found["valid"], found["international_format"], found["line_type"]) == (True, written, kind)


def test_accepted_solutions_of_a_problem_passed_the_same_tests() -> None:
    world = World.fresh(0)
    passed: dict[str, set[int]] = {}
    for arguments in ({"contest_id": 1951}, {"contest_id": 1971}):
        for first in (1, 31):
            page = result(
                "Competition/Codeforces/contest_status", {**arguments, "count": 30, "from": first}, world
            )
            for one in page["items"]:
                if one["verdict"] == "OK":
                    passed.setdefault(one["problem"], set()).add(one["passed_tests"])
    assert len(passed) > 5
    assert all(len(counts) == 1 for counts in passed.values())


def test_recent_solutions_of_an_unknown_collection_are_refused() -> None:
    arguments = {"count": 3, "problem_set_name": "nonsense"}
    assert "acmsguru" in refusal("Competition/Codeforces/problem_set_recent_status", arguments)


@pytest.mark.parametrize(
    ("tool", "key", "count"),
    [("Joke/jokes/random_joke", "joke_number", 25), ("Advice/Advice_slip/random_advice", "advice", 25)],
)
def test_what_is_drawn_by_chance_does_not_come_again_soon(tool: str, key: str, count: int) -> None:
    world = World.fresh(0)
    assert len({result(tool, {}, world)[key] for _ in range(count)}) == count


@pytest.mark.parametrize(
    "code", ["class B: pass\nclass C(B): pass", "d = {1: 2}\ndel d[1]", "def g():\n    yield 1"]
)
def test_what_the_interpreter_lacks_is_named(code: str) -> None:
    error = result("Execute/Execute/execute_pycode", {"code": code})["error"]
    assert "knows no subclasses, generators or del" in error
