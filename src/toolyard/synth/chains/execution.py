"""Proof of gold by execution: `execution.jsonl` beside the data of a set made from the world.

{"id": "7", "seed": 0, "calls": [{"tool": "Weather/weatherapi/current", "arguments": {"q": "Paris"},
                                 "result": {"temp_c": 14.2}, "output": "5f1c0e9a3b7d2468"}]}

The calls of one line run one after the other in one fresh world of that seed. `result` holds the fields that the
data show, `output` is a digest of everything that the tool returned; a call that fails has an `error` too. In which
version of the world they ran, the set's `synth.json` says; a set without one is older than versions.
"""

import hashlib
import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from toolyard.core.declared_world import FIRST_VERSION
from toolyard.core.types import JsonValue, Record
from toolyard.lines import encode, read_json_object, read_lines
from toolyard.synth.chains.chain import Chain
from toolyard.synth.chains.projection import project_result
from toolyard.synth.chains.remembered_calls import call
from toolyard.synth.data_card import MANIFEST
from toolyard.world.kernel.result_text import encode as world_json
from toolyard.world.kernel.state import World

EXECUTION = "execution.jsonl"


@dataclass(frozen=True, slots=True)
class Reexecution:
    """How many lines were executed again, and which did not return what is stored."""

    lines: int
    calls: int
    wrong: tuple[str, ...]


def executed_call(
    tool: str,
    arguments: Mapping[str, JsonValue],
    output: JsonValue,
    shown: Mapping[str, JsonValue] | None = None,
) -> dict[str, JsonValue]:
    """One call of a line: what was asked, what came back, and what of it is shown (the tool's own fields)."""
    return {
        "tool": tool,
        "arguments": dict(arguments),
        "result": project_result(tool, output) if shown is None else dict(shown),
        "output": output_digest(output),
    }


def output_digest(output: object) -> str:
    """A short name for everything that a tool returned."""
    return hashlib.blake2b(world_json(output).encode(), digest_size=8).hexdigest()


def chain_calls(chain: Chain) -> list[JsonValue]:
    """The calls of a chain, references replaced by the values they stood for."""
    return [
        executed_call(step.tool, chain.resolved(index), step.output, step.result)
        for index, step in enumerate(chain.steps)
    ]


def execution_line(name: str, seed: int, calls: Iterable[JsonValue]) -> dict[str, JsonValue]:
    """The line of one record, dialogue or task."""
    return {"id": name, "seed": seed, "calls": list(calls)}


def write_execution(folder: Path, lines: Iterable[Mapping[str, JsonValue]]) -> None:
    """Writes the file beside the data."""
    with (folder / EXECUTION).open("wb") as file:
        for line in lines:
            file.write(encode(line))


def execution_holds(line: Record) -> bool:
    """Whether the calls of a line return again what is stored."""
    world = World.fresh(line["seed"])
    for stored in line["calls"]:
        seen = call(world, stored["tool"], stored["arguments"])
        if seen.error != stored.get("error") or output_digest(seen.value) != stored["output"]:
            return False
        returned = set(_json_parts(seen.value))
        if not all(world_json(value) in returned for value in stored["result"].values()):
            return False
    return True


def _json_parts(value: object) -> Iterator[str]:
    """A value and everything in it, as JSON text."""
    yield world_json(value)
    parts = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    for part in parts:
        yield from _json_parts(part)


def stored_world_version(folder: Path) -> str:
    """The version of the world that a set was made in."""
    return str((read_json_object(folder / MANIFEST) or {}).get("world", FIRST_VERSION))


def rebuild_command(benchmark: str, folder: Path) -> str:
    """The command that makes a set again, as far as the manifest beside it tells how it was made."""
    made = read_json_object(folder / MANIFEST) or {}
    origin = str(made.get("pipeline", "world")).removesuffix("+model")
    words = [
        "toolyard",
        "synth",
        benchmark,
        "--from",
        origin,
        *(["-m", "MODEL"] if made.get("model") else []),
    ]
    for name in ("seed", "rows"):
        words += [f"--{name}", str(made[name])] if name in made else []
    return shlex.join([*words, "--out", str(folder)])


def re_execution(folder: Path) -> Reexecution:
    """All lines of a folder executed again."""
    lines = calls = 0
    wrong = []
    for line in read_lines(folder / EXECUTION):
        lines += 1
        calls += len(line["calls"])
        if not execution_holds(line):
            wrong.append(str(line["id"]))
    return Reexecution(lines, calls, tuple(wrong))
