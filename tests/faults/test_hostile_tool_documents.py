"""Tool documents, logs and traces of strangers: read or refused in one line, and never code."""

import ast
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cases import cases
from owntools_desk import DESK, written
from toolyard.cli.app import app
from toolyard.cli.output import print_json
from toolyard.core.errors import DataError, ToolyardError
from toolyard.lines import whole_text
from toolyard.models.scripted import read_recorded
from toolyard.owntools.lint.lint_rules import review_documents
from toolyard.owntools.mirror.mirror_files import load_mirror, make_mirror
from toolyard.owntools.sources import load_source
from toolyard.report.compare.model_facts import read_model_facts
from toolyard.report.gate.policy import read_policy
from toolyard.text.yaml_text import read_yaml
from toolyard.traffic.log_reading import read_traffic
from toolyard.traffic.row_drafts import draft_rows
from toolyard.traffic.traffic_scoring import estimate_figures, judge_trajectory
from toolyard.world import World, call

DOUBLED = "".join(f"b{n}: &b{n} [*b{n - 1}, *b{n - 1}]\n" for n in range(1, 40))
ENDLESS = {
    "deep list": "a: " + "[" * 100_000,
    "deep object": "a: " + "{b: " * 100_000,
    "deep block": "- " * 100_000,
    "deep key": "? " * 50_000,
    "doubled": f"b0: &b0 [x]\n{DOUBLED}",
    "merged": "b0: &b0 {x: 1}\n" + "".join(f"b{n}: &b{n}\n  <<: [*b{n - 1}, *b{n - 1}]\n" for n in range(1, 40)),
    "inside itself": "a: &a [*a]\n",
    "inside itself, deeper": "a: &a {b: [{c: *a}]}\n",
}  # fmt: skip


@pytest.mark.parametrize("text", ENDLESS.values(), ids=ENDLESS)
def test_yaml_without_an_end_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "tools.yaml"
    file.write_text(text)
    for read in (lambda: read_policy(file), lambda: load_source(str(file))):
        with pytest.raises(DataError) as refused:
            read()
        assert len(str(refused.value)) < 400


def test_yaml_with_aliases_is_read_and_dates_stay_text() -> None:
    text = "a: &a {x: 2024-01-01}\nb: [*a, *a]\nc:\n  <<: *a\n  y: 1\n"
    day = {"x": "2024-01-01"}
    assert read_yaml(text) == {"a": day, "b": [day, day], "c": {**day, "y": 1}}


NAMES = cases(__file__, "NAMES")
PARAMETERS = (
    'a\r");import os#', "x\0y", "²", "½a", "ﬁ", "fi", "µ", "μ", "given", "MIRROR", "NOTES", "world", "row", "a\\", 'a"b',
    "a\nb", "*", "**k", "\u2028z", "\ud800", "class", "x" * 3000,
)  # fmt: skip
DEFAULTS: tuple[Any, ...] = (
    float("nan"), float("inf"), 10**4000, True, None, [], {}, "x\ry", "\0", '"""', "\\", "\ud800", 1.5,
)  # fmt: skip
EXECUTES = '__import__("os").system("false")'
DESCRIPTIONS = (
    f'"""\n{EXECUTES}\n"""', 'x"""', '\\"""', "x\\", '"' * 7, "\0", f"x\r{EXECUTES}", f"\u2028{EXECUTES}", "{name}", "%s",
    "a" * 299 + '"""', "\ud800", f"\x1c{EXECUTES}",
)  # fmt: skip


def hostile_tools() -> list[Any]:
    """Documents whose every text could break the code that is written from them."""

    def tool(name: str, properties: Any, description: str = "Does it.") -> Any:
        schema = {"type": "object", "properties": properties, "required": []}
        return {"name": name, "description": description, "inputSchema": schema}

    text = {"type": "string"}
    found = [tool(name, {"q": text}) for name in NAMES]
    found += [tool(f"with_{n}", {name: {**text, "default": name}}) for n, name in enumerate(PARAMETERS)]
    found += [tool("with_all", dict.fromkeys(PARAMETERS, text))]
    found += [
        tool(f"default_{n}_{kind}", {"v": {"type": kind, "default": value}})
        for n, value in enumerate(DEFAULTS)
        for kind in ("integer", "string", "array")
    ]
    found += [tool(f"told_{n}", {"q": text}, told) for n, told in enumerate(DESCRIPTIONS)]
    for noun in ("note", 'x"); import os', "table\r", "given", "²"):
        fields = {f"{noun}_id": text, "MIRROR": text, "NOTES": text}
        found += [tool(f"{verb}_{noun}", fields) for verb in ("get", "list", "create", "update", "delete")]
    return found


def test_the_code_of_a_mirror_runs_whatever_its_source_says(tmp_path: Path) -> None:
    file, folder = tmp_path / "tools.json", tmp_path / 'a"""\\'
    file.write_text(json.dumps(hostile_tools()))
    source = load_source(str(file))
    make_mirror(source, folder, number=0, allowed=(), given={}, seed=0, anew=False)
    mirror = load_mirror(folder)
    assert len(mirror.tools) == len(source.tools)
    names = {
        node.id
        for node in ast.walk(ast.parse((folder / "tools.py").read_text("utf-8")))
        if isinstance(node, ast.Name)
    }
    assert not names & {"__import__", "os"}
    offered = [tool.id for tool in mirror.tools]
    for tool in mirror.tools:
        given = {
            name: "x"
            for name, part in tool.document.schema()["properties"].items()
            if part.get("type") == "string"
        }
        seen = call(World.fresh(), tool.id, given, offered=offered)
        assert seen.error in (None, "not_found"), (tool.name, seen.text)
    review_documents(source, "words")


ESCAPE = "from pathlib import Path\nPath(__file__).with_name('ran').write_text('x')\n"


@pytest.mark.parametrize(
    "file", ["tools.py", "__init__.py", "__main__.py", "pathlib.py", "toolyard.py", "json.py"]
)
@pytest.mark.parametrize("command", ["serve", "probe"])
def test_no_code_of_a_mirror_is_run_unless_it_is_trusted(file: str, command: str, tmp_path: Path) -> None:
    source, folder = tmp_path / "tools.json", tmp_path / "twin"
    source.write_text(json.dumps(hostile_tools()[:8]))
    make_mirror(load_source(str(source)), folder)
    code = folder / file
    code.write_text((code.read_text() if code.exists() else "") + ESCAPE)
    (folder / "__pycache__").mkdir(exist_ok=True)
    words = [command, str(folder)]
    if command == "probe":
        words += ["-m", "scripted/random", "--rows", "1", "--out", str(tmp_path / "out")]
    done = CliRunner().invoke(app, words, input="")
    assert not (folder / "ran").exists()
    if file == "tools.py":
        assert done.exit_code == 1
        assert "read it, then run it with --trust" in str(done.exception)
        CliRunner().invoke(app, [*words, "--trust"], input="")
        assert (folder / "ran").exists()
    else:
        assert done.exit_code == 0, done.exception


FILES = ("mirror.json", "tables.json", "tools.json", "recorded.jsonl")
CONTENTS = {
    "empty": "", "list": "[]", "text": '"x"', "object": "{}", "null": "null", "torn": "{", "deep": "[" * 100_000,
    "odd parts": '{"name": 5, "kind": [], "seed": "x", "tools": 5, "tables": {"a": 5}, "notes": {"rows": 3}}',
    "odd rows": '{"notes": {"key": [], "rows": [5, {}]}, "tools": [{"name": {}}], "seed": 1e999, "name": {}, "kind": 1}',
}  # fmt: skip


@pytest.mark.parametrize("content", CONTENTS)
@pytest.mark.parametrize("file", FILES)
def test_foreign_mirrors_are_taken_or_refused_in_one_line(file: str, content: str, tmp_path: Path) -> None:
    make_mirror(load_source(str(written(tmp_path, DESK))), tmp_path / "twin")
    (tmp_path / "twin" / file).write_text(CONTENTS[content])
    try:
        mirror = load_mirror(tmp_path / "twin")
    except ToolyardError as error:
        assert "\n" not in str(error)
        return
    for tool in mirror.tools:
        call(World.fresh(), tool.id, {}, offered=[each.id for each in mirror.tools])


def test_a_mirror_answers_from_its_data_as_its_code_does(tmp_path: Path) -> None:
    folder = tmp_path / "twin"
    make_mirror(load_source(str(written(tmp_path, [*DESK, *hostile_tools()]))), folder)
    seen = []
    for edit in ("", "\n# edited\n"):
        (folder / "tools.py").write_text((folder / "tools.py").read_text() + edit)
        mirror, world = load_mirror(folder, trust=True), World.fresh()
        offered = [tool.id for tool in mirror.tools]
        calls = [(tool.id, _some_arguments(tool.document.schema())) for tool in mirror.tools]
        seen.append([call(world, name, given, offered=offered).text for name, given in calls])
        seen[-1] += [str(world.diff())]
    assert seen[0] == seen[1]


def _some_arguments(schema: Any) -> dict[str, Any]:
    """Values for every second parameter, ids that exist among them."""
    names = [name for name, part in schema["properties"].items() if part.get("type") == "string"]
    return {name: "note-101" if name == "note_id" else "x" for name in names[::2]}


def test_a_document_with_values_that_json_has_not_is_reviewed(tmp_path: Path) -> None:
    file = tmp_path / "tools.yaml"
    file.write_text(
        "- name: a\n  description: !!binary AAA=\n  inputSchema:\n    properties:\n"
        "      1: {type: string, default: .nan}\n      null: {enum: !!set {x, y}}\n      b: {default: 2024-01-01}\n"
    )
    names = [each.name for each in load_source(str(file)).tools[0].parameters]
    assert names == ["1", "null", "b"]


def trace(*attributes: Any, **fields: Any) -> Any:
    return {
        "resourceSpans": [{"scopeSpans": [{"spans": [{"traceId": "t", "attributes": attributes, **fields}]}]}]
    }


def called(*calls: Any, **fields: Any) -> Any:
    return {
        "messages": [{"role": "user", "content": "x"}, {"role": "assistant", "tool_calls": calls}],
        **fields,
    }


CHAT = {"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}}
SAID = {
    "key": "gen_ai.input.messages",
    "value": {"stringValue": '[{"parts": [{"type": "text", "content": "x"}]}]'},
}
NESTED = json.loads("[" * 900 + "]" * 900)
ODD: dict[str, Any] = {
    "calls that are none": called("x", 1, None, [], {"function": 3}),
    "a request that is text": {"messages": [{"role": "user"}], "request": "x"},
    "a request that is a list": {"messages": [{"role": "user"}], "request": [1]},
    "messages of any kind": {"request": {"messages": [1, None, {"role": [], "content": {}}], "tools": [1, {"function": 3}]}},
    "a time without end": trace(CHAT, SAID, startTimeUnixNano="9" * 5000),
    "lists that are none": trace(CHAT, SAID, *({"key": "a", "value": {kind: value}} for kind in ("arrayValue", "kvlistValue")
                                 for value in ([1], "x", None, {"values": None}, {"values": [{}, {"key": []}, 1]}))),
    "names that are lists": called({"id": "1", "function": {"name": "t", "arguments": "{}"}},
                                   tools=[{"name": "t", "parameters": {"properties": {"a": 1}, "required": [[], {}, 3]}}]),
    "nested arguments": called({"id": "1", "function": {"name": "t", "arguments": {"a": NESTED}}}),
    "nested arguments in text": called({"id": "1", "function": {"name": "t", "arguments": json.dumps(NESTED)}}),
    "half a character": called({"id": "\ud800", "function": {"name": "\ud800", "arguments": "\ud800"}}, id="\ud800"),
    "numbers that are none": called({"function": {"name": "t", "arguments": {"a": float("nan"), "b": float("inf")}}}),
    "thousands of digits": {"messages": [{"role": "assistant", "content": f"it is {'9' * 5000} or 1.{'9' * 5000}"}]},
}  # fmt: skip


@pytest.mark.parametrize("value", ODD.values(), ids=ODD)
def test_any_shape_is_judged(value: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "log.json"
    file.write_text(json.dumps(value))
    try:
        judged = [judge_trajectory(item) for item in read_traffic(file)]
    except DataError as refused:
        assert "wanted" in str(refused)
        return
    estimate_figures(judged)
    print_json({"found": [item.to_json() for item in judged], "rows": list(draft_rows(judged))})
    json.loads(capsys.readouterr().out)


def test_long_conversations_take_time_by_their_length(tmp_path: Path) -> None:
    failing = [
        message
        for number in range(3000)
        for message in (
            {"role": "assistant", "tool_calls": [{"id": f"{number}", "function": {"name": "t", "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": f"{number}", "content": "error"},
        )
    ]  # fmt: skip
    told = " ".join(str(7 * number + 13) for number in range(20_000))
    claims = " ".join(f"{11 * number + 10**7}.{number}" for number in range(20_000))
    rows = [
        {"messages": failing},
        {"messages": [{"role": "user", "content": told}, {"role": "assistant", "content": claims}]},
        {"messages": [{"role": "user", "content": f"{number}"} for number in range(20_000)]},
    ]
    file = tmp_path / "log.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    first, second, third = (judge_trajectory(item) for item in read_traffic(file))
    assert first.counts["recovery"].gold == 3000
    assert second.counts["supported_claims"].gold == 20_000
    assert third.counts["format"].gold == 0


READERS: dict[str, Callable[[Path], object]] = {
    "traffic": read_traffic, "policy": read_policy, "models": read_model_facts, "replay": read_recorded,
}  # fmt: skip


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_a_pipe_is_no_file(read: Callable[[Path], object], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    with pytest.raises(DataError, match="is a pipe or a device, no file"):
        read(tmp_path / "pipe.json")


def test_a_folder_a_device_and_a_name_that_is_none_are_named(tmp_path: Path) -> None:
    for path, said in (
        (tmp_path, "is a folder"),
        (Path("/dev/zero"), "a device"),
        (tmp_path / "\0", "cannot be read"),
    ):
        with pytest.raises(DataError, match=said):
            whole_text(path, "wanted a file")
