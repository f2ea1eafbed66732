"""toolyard tools and toolyard serve: what is printed, and one line for each mistake."""

import json
import socket
from collections import Counter

import pytest

from cases import cases
from toolyard_command import toolyard


def test_list_prints_the_568_official_tools_by_scenario_and_any_others() -> None:
    rows = json.loads(toolyard("tools", "list", "--json").stdout)
    assert {tuple(sorted(row)) for row in rows} == {("category", "id", "name", "scenario", "subcategory")}
    counts = {"TG": 27, "DU": 26, "RS": 75, "PL": 164, "IR": 150, "AM": 30, "FT": 96}
    assert Counter(row["scenario"] for row in rows) >= Counter(counts)


def test_an_example_that_show_prints_can_be_called_as_it_stands() -> None:
    document = json.loads(toolyard("tools", "show", "Calendar/Calendar/public_holidays", "--json").stdout)
    assert document["id"] == "Calendar/Calendar/public_holidays"
    (example, *_) = document["examples"]
    assert set(example) == {"arguments"}
    done = toolyard("tools", "call", document["id"], json.dumps(example["arguments"]), "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)


def test_an_error_of_a_tool_is_printed_as_data_and_exits_1() -> None:
    done = toolyard("tools", "call", "public_holidays", '{"year": 2024}', "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["error"]["kind"] == "missing_parameter"


def test_search_and_graph_answer_in_json() -> None:
    hits = json.loads(toolyard("tools", "search", "weather tomorrow", "--limit", "3", "--json").stdout)
    assert len(hits) == 3
    assert {hit["category"] for hit in hits} == {"Weather"}
    edges = json.loads(toolyard("tools", "graph", "Advice/Advice_slip", "--json").stdout)
    assert ("Advice/Advice_slip/search_advice", "Advice/Advice_slip/advice_by_id") in {
        (edge["producer"], edge["consumer"]) for edge in edges
    }


def test_a_search_without_a_hit_says_so() -> None:
    done = toolyard("tools", "search", "zzzqqq")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "no tool fits 'zzzqqq'; try other words, or see: toolyard tools list\n"
    assert json.loads(toolyard("tools", "search", "zzzqqq", "--json").stdout) == []


@pytest.mark.parametrize(("words", "said"), cases(__file__, "a_mistake_is_one_line"))
def test_a_mistake_is_one_line(words: tuple[str, ...], said: str) -> None:
    done = toolyard(*words)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert said in done.stderr


def test_a_port_in_use_is_one_line() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = toolyard("serve", "Weather", "--http", "--port", str(taken.getsockname()[1]))
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "cannot listen on 127.0.0.1" in done.stderr
