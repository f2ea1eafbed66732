"""Every door holds against bad input: it reads, or refuses in one line, in no more memory than was asked for."""

import json
import lzma
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cases import each_case
from parser_targets import targets
from toolyard.benchmarks.mtu import BENCHMARK as MTU
from toolyard.benchmarks.mtu.scoring.parse import parse
from toolyard.benchmarks.mtu.scoring.score import score
from toolyard.benchmarks.tooleyes.data.references import look_up
from toolyard.benchmarks.tooleyes.data.rows import query_key
from toolyard.core.errors import DataError, ToolyardError, UsageError
from toolyard.core.types import Failure, Options, Transcript
from toolyard.core.untrusted.json_size import reason_too_large
from toolyard.models.cache.stored_completions import read_completion
from toolyard.models.scripted import read_recorded
from toolyard.run.store.run_directory import RunStore
from toolyard.text.documents.toolbehonest import from_toolbehonest
from toolyard.text.templates import MOST_CHARACTERS, render
from toolyard.traffic.log_reading import read_traffic
from toolyard.world import World
from toolyard.world import call as call_tool

CORPUS = Path(__file__).parent / "corpus"
FOUND = sorted(path.relative_to(CORPUS).as_posix() for path in CORPUS.glob("*/*"))
DOORS = {re.sub(r"[ .]", "-", name): name for name in targets()}
BAD = {
    "nothing": b"",
    "only a byte order mark": b"\xef\xbb\xbf",
    "UTF-16": '{"id": "7"}'.encode("utf-16"),
    "no UTF-8": b'{"id": "\xff\xfe", "text": "\xed\xa0\x80"}\n',
    "NUL": b"\x00" * 40,
    "deep list": b"[" * 1200 + b"]" * 1200,
    "deep object": b'{"a":' * 1200 + b"1" + b"}" * 1200,
    "deep and open": b"[" * 5000,
    "NaN": b"NaN\n",
    "numbers out of range": b'{"id": 1e999, "trial": -Infinity, "label": NaN}\n',
    "digits": b'{"id": ' + b"9" * 5000 + b"}\n",
    "a long line": b'{"id": "' + b"a" * 300_000 + b'"}\n',
    "many lines": b"{}\n" * 2000,
    "the wrong type": b'[1, null, {}, "x"]\n',
    "a scalar": b"7\n",
    "half a line": b'{"id": "7", "tex',
    "twice the same key": b'{"id": 1, "id": 2, "id": []}\n',
    "a lone surrogate": b'{"id": "\\ud800", "response": "\\udfff"}\n',
    "line separators": '{"id": "a\u2028b\u0085c"}\r\n'.encode(),
}


def stands(name: str, data: bytes) -> None:
    """Passes where the door reads or refuses in one line; anything else that leaves it fails the test."""
    try:
        targets()[name].run(data)
    except ToolyardError as error:
        assert str(error)
        assert "\n" not in str(error)


@pytest.mark.parametrize("name", list(targets()))
def test_well_formed_input_is_read(name: str) -> None:
    for seed in targets()[name].seeds:
        targets()[name].run(seed)


@pytest.mark.parametrize("bad", list(BAD))
@pytest.mark.parametrize("name", list(targets()))
def test_bad_input_is_read_or_refused(name: str, bad: str) -> None:
    stands(name, BAD[bad])
    stands(name, targets()[name].seeds[0] + b"\n" + BAD[bad])


@pytest.mark.parametrize("path", FOUND)
def test_inputs_of_the_corpus_are_read(path: str) -> None:
    data = (CORPUS / path).read_bytes()
    stands(DOORS[path.split("/")[0]], lzma.decompress(data) if path.endswith(".xz") else data)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


def places(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The paths to all values inside a JSON value."""
    keys: list[str | int] = []
    if isinstance(value, dict):
        keys = list(value)
    elif isinstance(value, list):
        keys = list(range(len(value)))
    return [path, *(place for key in keys for place in places(value[key], (*path, key)))]  # type: ignore[index]


def put(value: object, path: tuple[str | int, ...], new: object) -> object:
    """The value with another one at a path."""
    if not path:
        return new
    first, *rest = path
    if isinstance(value, dict):
        return {key: put(item, tuple(rest), new) if key == first else item for key, item in value.items()}
    assert isinstance(value, list)
    return [put(item, tuple(rest), new) if key == first else item for key, item in enumerate(value)]


JSON_DOORS = [name for name in targets() if targets()[name].seeds[0].lstrip()[:1] in (b"{", b"[")]


@pytest.mark.parametrize("name", JSON_DOORS)
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_any_value_at_any_place_is_read_or_refused(name: str, data: st.DataObject) -> None:
    seed = targets()[name].seeds[0]
    text = seed if name.startswith(("toolbehonest", "tooleyes official")) else seed.split(b"\n")[0]
    row = json.loads(text)
    changed = put(row, data.draw(st.sampled_from(places(row))), data.draw(JSON_VALUES))
    stands(name, json.dumps(changed).encode() + b"\n")


@each_case("line, said")
def test_a_damaged_transcript_is_named_by_line_and_field(tmp_path: Path, line: object, said: str) -> None:
    good = {"sample": "7", "trial": 0, "messages": [], "completions": [], "notes": {}, "error": None}
    path = tmp_path / "transcripts.jsonl"
    path.write_text(f"{json.dumps(good)}\n{json.dumps(line)}\n")
    with pytest.raises(DataError, match=re.escape(f"{path}, {said}; remove that line and run again")):
        RunStore(tmp_path).transcripts()


def test_damaged_evidence_and_completions_are_named_with_line_and_field(tmp_path: Path) -> None:
    (tmp_path / "evidence.jsonl").write_text('{"sample": "7", "question": "q", "usage": {}, "trial": "x"}\n')
    with pytest.raises(DataError, match="line 1: trial: found str, wanted int"):
        RunStore(tmp_path).evidence()
    (tmp_path / "r.jsonl").write_text('{"sample": "7", "completions": 7}\n')
    with pytest.raises(DataError, match="line 1: completions is a int; wanted a list"):
        read_recorded(tmp_path / "r.jsonl")


def test_odd_references_names_and_messages_are_harmless() -> None:
    assert isinstance(look_up("9" * 5001, [{"id": 7}]), Failure)
    assert isinstance(look_up(f"0[{'9' * 5001}]", [[7]]), Failure)
    assert look_up("0.id", [{"id": 7}]) == 7
    assert len(query_key("Random", "a \ud800 b")) == 20
    assert str(DataError("x/Ran\r\ndom is no folder")) == "x/Ran dom is no folder"


def test_a_template_that_would_fill_the_memory_is_refused() -> None:
    with pytest.raises(UsageError, match="characters; wanted"):
        render("{{tools}}" * 1000, {"tools": "x" * (MOST_CHARACTERS // 1000 + 1)})


def test_a_value_without_a_word_is_wrong() -> None:
    samples = [each for each in MTU.data.load(MTU.data.starter, Options("default")) if each.gold["calls"]]
    for sample in samples[:60]:
        lines = ["Thought: I call it."]
        for call in sample.gold["calls"]:
            lines += [
                f"Action: {call['name']}",
                f"Action Input: {json.dumps(dict.fromkeys(call['arguments'], '?!'))}",
            ]
        transcript = Transcript.answered(sample.id, "\n".join(lines))
        values = score(sample, parse(sample, transcript, "paper"), {}, "paper").values
        assert values["outcome"] == (0 if any(call["arguments"] for call in sample.gold["calls"]) else 1), (
            sample.id
        )


@pytest.mark.parametrize("query", ["a@b@c", "\U0002d9bb\U0007978e\ude12", "..."])
def test_a_query_without_a_word_finds_little_and_breaks_nothing(query: str) -> None:
    found = call_tool(World.fresh(0), "Search/EngineSearch/yahoo_search", {"query": query})
    assert found.error in (None, "invalid_value", "not_found")


@each_case(
    "tool, arguments, ends",
    ids=["name that ends with a full stop", "company", "coin without a price", "another"],
)
def test_names_with_stops_and_unpriced_coins(tool: str, arguments: dict[str, str], ends: str | None) -> None:
    assert call_tool(World.fresh(0), tool, arguments).error == ends


def test_a_stored_answer_that_took_longer_than_a_number_can_say_is_none() -> None:
    for name in ("latency", "first_token"):
        assert read_completion({"text": "y", name: 10**400}) is None
    assert read_completion({"text": "y", "logprobs": [{"token": "a", "logprob": -(10**400)}]}) is None


def test_a_list_of_one_tool_and_hundreds_of_thousands_of_lines_is_read_line_by_line() -> None:
    lines = 300_000
    (tool,) = from_toolbehonest("1. Tide: High water.\n" + "s\n" * lines)
    assert tool.description == "High water." + "\ns" * lines


CEILING_MB = 1_500
# Becomes 2.4 GB of empty lists where it is read.
LISTS = b"[" + b"[]," * 33_000_000 + b"[]]\n"
MEASURE = """
import os, resource, sys
from toolyard.cli import main
try:
    main()
finally:
    # Of this program: the system's own number is that of the process which started it, where that was larger.
    peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
    print("peak", int(peak.split()[1]) // 1024, file=sys.stderr)
"""


@pytest.fixture(scope="module")
def swollen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("memory") / "content"
    path.write_bytes(LISTS)
    return path


@each_case("words, name", ids=lambda value: value[0] if isinstance(value, tuple) else value)
def test_what_would_fill_the_memory_is_refused_in_one_line(
    words: tuple[str, ...], name: str, swollen: Path, tmp_path: Path
) -> None:
    os.link(swollen, tmp_path / name)
    (tmp_path / "test_api_ids.jsonl").write_text("{}\n")
    given = [word.format(f=tmp_path / name, d=tmp_path) for word in words]
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, *given], capture_output=True, text=True, timeout=120, cwd=tmp_path
    )
    lines = done.stderr.splitlines()
    assert (done.returncode, len(lines)) == (1, 2), done.stderr[-2000:]
    assert int(lines[1].removeprefix("peak ")) < CEILING_MB


def test_traffic_of_a_million_requests_is_refused(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text('{"request": {}, "response": {}}\n' * 1_000_000)
    with pytest.raises(DataError, match="1,000,000 lines; at most 200,000 are read"):
        read_traffic(log)


def test_a_text_is_judged_by_what_it_becomes() -> None:
    assert not reason_too_large(b'{"text": "' + b"a" * 50_000_000 + b'"}')
    assert not reason_too_large("[]," * 1_000_000)
    assert "MB of objects" in reason_too_large("[]," * 20_000_000)
    assert "MB of objects" in reason_too_large(b'{"a": 1},' * 4_000_000)
    assert "bytes" in reason_too_large(b" " * 200_000_001)
