"""Drafts of NesTools rows: every way in which one can be wrong has its own reason; released records pass."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import cases, each_case
from nestools_drafts import GOOD
from toolyard.benchmarks.nestools.data.rows import nested_calls
from toolyard.benchmarks.nestools.synth.examples import example_names, read_example
from toolyard.benchmarks.nestools.synth.model import MODEL
from toolyard.core.nesting import STRUCTURES, chain_structure, depth, edges, is_label
from toolyard.synth.stages import Context, Each, Kept, Rejected, visible_row

CHECKS = [stage for stage in MODEL.stages if isinstance(stage, Each)]


def checked(reply: str, shown: str = example_names()[0], **options: str) -> dict[str, Any] | Rejected:
    """What becomes of a reply when no model is asked any more."""
    row: dict[str, Any] = {"id": "1", "reply": reply, "example": shown}
    for stage in CHECKS:
        outcome = stage.work(visible_row(stage, row), Context(options=options))
        if isinstance(outcome, Rejected):
            return outcome
        assert isinstance(outcome, Kept)
        row |= outcome.fields
        row["repairs"] = [*row.get("repairs", ()), *outcome.repairs]
    return row


def reason(reply: str, **options: str) -> str:
    outcome = checked(reply, **options)
    return outcome.reason if isinstance(outcome, Rejected) else "kept"


def broken(old: str, new: str) -> str:
    assert GOOD.count(old) >= 1, old
    return GOOD.replace(old, new, 1)


def test_a_draft_becomes_tools_calls_and_a_task() -> None:
    row = checked(GOOD)
    assert isinstance(row, dict)
    assert row["api"][1] == cases(__file__, "the_second_tool_of_the_draft")
    assert row["call"] == cases(__file__, "the_calls_of_the_draft")
    assert row["task"] == "Find the next ferry from Turku to Mariehamn on 2025-05-03 and book 2 seats on it."
    assert row["missing"] == []
    assert row["repairs"] == []


def other_than(name: str) -> str:
    return next(other for other in example_names() if other != name)


@pytest.mark.parametrize("name", example_names())
def test_a_draft_that_copies_the_example_it_was_shown_is_rejected(name: str) -> None:
    outcome = checked(read_example(name).reply, name)
    assert isinstance(outcome, Rejected)
    assert outcome.reason == "copied_example"


@pytest.mark.parametrize("name", example_names())
def test_every_example_passes_every_check(name: str) -> None:
    row = checked(read_example(name).reply, other_than(name), nested="yes")
    assert isinstance(row, dict), row
    assert (row["missing"], row["repairs"]) == ([], [])
    assert "/" in read_example(name).field


def test_the_examples_show_all_structures_of_the_paper_and_depths_up_to_four() -> None:
    assert len(example_names()) >= 8
    shapes, depths = set(), set()
    for name in example_names():
        row = checked(read_example(name).reply, other_than(name))
        assert isinstance(row, dict)
        links = edges(nested_calls(row["call"]))
        shapes.add(chain_structure(len(row["call"]), links))
        depths.add(depth(len(row["call"]), links))
    assert shapes >= set(STRUCTURES)
    assert depths >= {2, 3, 4}


BOOK = "data2 = book_seats(data0, 2)"


@each_case(
    "reply, wanted",
    besides=[
        (GOOD.removesuffix("```"), "no_code_block"),
        (GOOD.replace("```python", "```json"), "no_code_block"),
    ],
)
def test_replies_that_hold_no_code_to_read(reply: str, wanted: str) -> None:
    assert reason(reply) == wanted


@each_case(
    "old, new, wanted",
    besides=[
        ('"Turku"', '"' + "x" * 20_000 + '"', "too_long"),
        ('"Turku"', "[" * 500 + "]" * 500, "too_deep"),
        ('"Turku"', "-" * 9000 + "1", "too_deep"),
        ('"Turku"', '"' + "x" * 1001 + '"', "too_large"),
        *cases(__file__, "tools"),
        (
            "    booking (str)",
            "".join(f"    b{n} (str): b\n" for n in range(12)) + "    booking (str)",
            "too_large",
        ),
        *cases(__file__, "calls"),
        (BOOK, "\n    ".join(f"data{n} = book_seats(data0, {n})" for n in range(2, 20)), "too_large"),
        *cases(__file__, "texts"),
        ("number of seats", "n" * 601, "too_long"),
        ("# Find the next", "# " + "find " * 601, "too_long"),
    ],
)
def test_one_wrong_place_ends_a_row_with_its_reason(old: str, new: str, wanted: str) -> None:
    assert reason(broken(old, new)) == wanted


def test_a_function_without_docstring_is_no_tool() -> None:
    start, stop = GOOD.index('    """Book'), GOOD.index("    ...\n\n\ndef main")
    assert reason(GOOD[:start] + GOOD[stop:]) == "no_docstring"


def test_chains_without_nesting_go_only_where_nesting_is_wanted() -> None:
    flat = broken(BOOK, 'data2 = book_seats("M-17", 2)').replace("book 2 seats", "book 2 seats on M-17")
    assert reason(flat) == "kept"
    assert reason(flat, nested="yes") == "not_nested"
    assert reason(GOOD, nested="yes") == "kept"


def test_plain_values_behind_variables_are_inlined() -> None:
    row = checked(broken(BOOK, "seats: int = 2\n    code = data0\n    data2 = book_seats(code, seats)"))
    assert isinstance(row, dict)
    assert row["call"][1]["parameters"] == {"ferry": "API_call_0", "seats": 2}


def test_values_that_grow_through_variables_are_bounded() -> None:
    doubling = "\n    ".join(f"v{n + 1} = [v{n}, v{n}, v{n}, v{n}]" for n in range(60))
    assert reason(broken(BOOK, f"v0 = [1]\n    {doubling}\n    {BOOK}")) in ("too_large", "too_deep")


def test_labels_count_over_all_return_values_and_negative_numbers_are_values() -> None:
    row = checked(
        broken(BOOK, f"{BOOK}\n    data3, _ = find_ferry(data2, data0)\n    x = book_seats(data3, -4)")
    )
    assert isinstance(row, dict)
    assert [call["responses"] for call in row["call"]] == [
        ["API_call_0", "API_call_1"], ["API_call_2"], ["API_call_3", "API_call_4"], ["API_call_5"],
    ]  # fmt: skip
    assert row["call"][3]["parameters"] == {"ferry": "API_call_3", "seats": -4}
    assert row["missing"] == ["-4"]


def test_repairs_of_a_draft_are_counted() -> None:
    row = checked(
        broken('day: str = ""', 'day: Optional[str] = ""').replace("day (str)", "day (str, optional)")
    )
    assert isinstance(row, dict)
    assert row["api"][0]["parameters"]["day"]["type"] == "str"
    assert row["repairs"] == ["type_simplified"]
    row = checked(GOOD.replace("    # Find", "    x = 1  # Find"))
    assert isinstance(row, dict)
    assert (row["task"], row["repairs"]) == ("", ["no_task"])


def test_ordinary_words_are_no_instructions() -> None:
    harmless = (
        "Ignore delays under 5 minutes, answer the previous letter and print the system report. Find the next"
    )
    assert reason(broken("# Find the next", f"# {harmless}")) == "kept"


PIECES = st.sampled_from(
    ["(", ")", "[", "]", "{", "}", '"', "'", '"""', "\\", "\n", "\r", "    ", "\t", "#", "*", "**", "=", ":=", "->",
     ",", ":", ".", "@", "-", "not ", "lambda: ", "await ", "yield ", "...", "data0", "data1", "book_seats", "main",
     "def ", "f'{x}'", "0x", "1e999", "9" * 40, "\0", "\ud800", "\u2028", "é", "```", "API_call_0", "None", "Returns:"]
)  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=300))
def test_arbitrary_text_never_raises(text: str) -> None:
    checked(text)
    checked(f"```python\ndef f():\n    '''{text}'''\ndef main():\n    {text}\n```")


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(GOOD)), st.integers(0, 12), PIECES), min_size=1, max_size=4))
def test_mutated_drafts_never_raise_and_what_is_kept_is_whole(edits: list[tuple[int, int, str]]) -> None:
    reply = GOOD
    for start, length, piece in edits:
        reply = reply[:start] + piece + reply[start + length :]
    row = checked(reply)
    if isinstance(row, Rejected):
        assert row.reason
        return
    tools = {tool["api_name"]: tool for tool in row["api"]}
    assert {call["api_name"] for call in row["call"]} == set(tools)
    for call in row["call"]:
        tool = tools[call["api_name"]]
        assert set(tool["required"]) <= set(call["parameters"]) <= set(tool["parameters"])
        assert len(call["responses"]) == len(tool["responses"])


REPEATED = cases(__file__, "REPEATED")


@pytest.mark.parametrize("piece", [*REPEATED, "if x:\n "])
@pytest.mark.parametrize("times", [400, 19_000])
def test_repeated_syntax_exhausts_nothing(piece: str, times: int) -> None:
    code = (piece * times)[:19_500]
    assert reason(f"```python\ndef f():\n    ...\n\ndef main():\n    x = {code}1\n```") != "kept"


def as_code(row: dict[str, Any]) -> str:
    functions = [_function(tool) for tool in row["api"]]
    calls = "\n".join(f"    {_call(call)}" for call in row["call"])
    task = " ".join(row["task"].split())
    return "```python\n" + "\n\n".join(functions) + f"\n\ndef main():\n{calls}\n    # {task}\n```"


def _function(tool: dict[str, Any]) -> str:
    required = [name for name in tool["parameters"] if name in tool["required"]]
    optional = [name for name in tool["parameters"] if name not in tool["required"]]
    typed = {name: f"{name}: {entry['type']}" for name, entry in tool["parameters"].items()}
    signature = ", ".join(
        [*(typed[name] for name in required), *(f"{typed[name]} = None" for name in optional)]
    )
    lines = [" ".join(tool["api_description"].split())]
    for title, names, entries in (
        ("required parameters:", required, tool["parameters"]),
        ("optional parameters:", optional, tool["parameters"]),
        ("Returns:", list(tool["responses"]), tool["responses"]),
    ):
        lines += [title] if names else []
        lines += [
            f"{name} ({entries[name]['type']}): {' '.join(entries[name]['description'].split())}"
            for name in names
        ]
    text = "\n    ".join(lines)
    return f"def {tool['api_name']}({signature}):\n    {json.dumps(text)}\n    ..."


def _call(call: dict[str, Any]) -> str:
    given = ", ".join(f"{name}={_value(value)}" for name, value in call["parameters"].items())
    targets = ", ".join(label.replace("API_call_", "data") for label in call["responses"])
    return f"{targets} = {call['api_name']}({given})" if targets else f"{call['api_name']}({given})"


def _value(value: Any) -> str:
    if is_label(value):
        return str(value).replace("API_call_", "data")
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    return repr(value)


def outcome(row: dict[str, Any]) -> dict[str, Any] | Rejected:
    made: dict[str, Any] = {"id": "1", "reply": as_code(row), "example": example_names()[0]}
    for stage in MODEL.stages:
        if isinstance(stage, Each):
            result = stage.work(visible_row(stage, made), Context())
            if isinstance(result, Rejected):
                return result
            made |= result.fields  # type: ignore[union-attr]
    return made


def test_the_checks_read_the_release_as_it_is(shared: Path) -> None:
    path = shared / "data/nestools/test_data.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    reasons: Counter[str] = Counter()
    for row in rows:
        made = outcome(row)
        if isinstance(made, Rejected):
            reasons[made.reason] += 1
            continue
        assert made["call"] == row["call"], row["test_id"]
        assert {tool["api_name"]: tool["required"] for tool in made["api"]} == {
            tool["api_name"]: tool["required"] for tool in row["api"]
        }
        reasons["kept"] += 1
    # Names that are no names in Python (ids 908 and 924, and a parameter `class` in 942), and a null in a list (986).
    assert reasons == {"kept": 996, "bad_name": 2, "syntax_error": 1, "literal_type": 1}
