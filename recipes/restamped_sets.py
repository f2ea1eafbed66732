"""A set of an older world under today's version: every row is executed again, and nothing that a model reads moves.

A row holds where its calls return what is stored. Where they return something else it is renewed: its calls still work with
their arguments, and what its fields showed before stands neither in a later call nor in the data. ToolBeHonest's proofs
that no other listed tool gives what is missing are made again where tools were tried for them. Any other row is named, and
the set stays as it is. Stored answers hold where every episode, played again with them, goes on as it did.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from toolyard.benchmarks import load_benchmark
from toolyard.benchmarks.toolbehonest.synth.world.missing_tool_proof import answered_by
from toolyard.core.benchmark import Options, RunSetup
from toolyard.core.declared_world import FIRST_VERSION, VERSION
from toolyard.core.types import Completion, Request
from toolyard.core.untrusted.unpacking import unpack_xz
from toolyard.lines import encode
from toolyard.run.play.offline import play_with
from toolyard.run.store.packs import LARGEST_PACK
from toolyard.synth.chains.chain import Chain, ChainStep
from toolyard.synth.chains.execution import EXECUTION, executed_call, output_digest, re_execution
from toolyard.synth.chains.projection import field, value_at_path
from toolyard.synth.data_card import MANIFEST
from toolyard.text.json_values import leaves
from toolyard.world.kernel.executor import call
from toolyard.world.kernel.state import World

Line = Mapping[str, Any]


def restamp(folder: Path) -> int:
    """Renews a folder; how many of its rows do not hold, in which case nothing is written."""
    old = (folder / EXECUTION).read_text("utf-8").splitlines()
    data = "".join(
        path.read_text("utf-8") for path in folder.iterdir() if path.name not in (EXECUTION, MANIFEST)
    )
    new, failed = [], 0
    for text in old:
        line = json.loads(text)
        found = renewed(line, data)
        if isinstance(found, str):
            print(f"{folder}: row {line['id']} does not hold: {found}")
            failed += 1
        elif found != line:
            print(f"{folder}: row {line['id']} is renewed")
        new.append(text if found == line else json.dumps(found, ensure_ascii=False))
    if not failed:
        manifest = json.loads((folder / MANIFEST).read_text("utf-8"))
        (folder / EXECUTION).write_text("".join(f"{line}\n" for line in new), "utf-8")
        stamped = {"made": manifest.get("world", FIRST_VERSION), **manifest, "world": VERSION}
        (folder / MANIFEST).write_text(json.dumps(stamped, indent=2) + "\n", "utf-8")
    return failed


def is_restamped(folder: Path) -> bool:
    """Whether the rows of a set were only executed again since the world that they were made in."""
    return "made" in json.loads((folder / MANIFEST).read_text("utf-8"))


def executes_again(folder: Path) -> bool:
    """Whether a restamped set executes to what it stores; what today's recipe would write is not looked at."""
    found = re_execution(folder)
    print(
        f"{folder}: restamped, so {found.lines} rows are executed and not made again; "
        f"{len(found.wrong)} return something else"
    )
    return not found.wrong


def renewed(line: Line, data: str) -> Line | str:
    """A line as today's world executes it, itself where nothing moved; why it does not hold otherwise."""
    world, moved = World.fresh(line["seed"]), set[str]()
    steps, calls = list[ChainStep](), list[Any]()
    for stored in line["calls"]:
        tool, arguments = stored["tool"], stored["arguments"]
        seen = call(world, tool, arguments)
        if seen.error != stored.get("error"):
            return f"{tool}: {seen.error}"
        shown = stored["result"]
        if output_digest(seen.value) != stored["output"]:
            shown = {name: shown_value(tool, name, seen.value, old) for name, old in shown.items()}
        if set(shown_texts(arguments)) & moved:
            return f"{tool} is called with a value that moved"
        moved |= set(shown_texts(stored["result"])) - set(shown_texts(shown))
        steps.append(ChainStep(tool, arguments, shown, seen.value))
        failure = {"error": seen.error} if seen.error else {}
        calls.append({**executed_call(tool, arguments, seen.value, shown), **failure})
    told = [value for value in moved if value in data]
    if told:
        return f"the data show {told[0]}, which moved"
    again = {**line, "calls": calls}
    return proven(again, Chain(tuple(steps), line["seed"])) if "unsolvable" in line else again


def restamp_answers(path: Path) -> int:
    """Renews packed answers; how many of their episodes go on otherwise now, in which case nothing is written."""
    head, *lines = unpack_xz(path.read_bytes(), LARGEST_PACK).splitlines()
    manifest = json.loads(head)["manifest"]
    identity = manifest["identity"]
    told = {line["sample"]: line for text in lines if (line := json.loads(text).get("transcript"))}
    replies = {name: iter(line["completions"]) for name, line in told.items()}
    setup = RunSetup.default(
        load_benchmark(identity["benchmark"]), Options(identity["style"], values=identity["options"])
    )
    data = setup.benchmark.data
    folder = {"starter": data.starter, "hard": data.hard or data.starter}[manifest["data"]]
    samples = tuple(each for each in data.load(folder, setup.options) if each.id in told)

    def answer(request: Request) -> Completion:
        return Completion(next(replies[request.sample], {"text": ""})["text"])

    played = {each.sample: each.notes for each in play_with(setup, samples, answer)}
    failed = [name for name in told if encode(played.get(name)) != encode(told[name]["notes"])]
    for name in failed:
        print(f"{path}: the episode of {name} goes on otherwise")
    if not failed:
        stamped = {**json.loads(head), "manifest": {**manifest, "identity": {**identity, "world": VERSION}}}
        content = b"\n".join([encode(stamped).rstrip(), *lines, b""])
        path.write_bytes(lzma.compress(content, preset=9 | lzma.PRESET_EXTREME))
    return len(failed)


def shown_value(tool: str, name: str, value: Any, old: Any) -> Any:
    """The value of a shown field in a result. That of a further entry has no path: it is the old one, if still there."""
    known = field(tool, name)
    if known is not None:
        return value_at_path(value, known.path)
    return old if set(shown_texts(old)) <= set(shown_texts(value)) else None


def shown_texts(value: Any) -> Iterator[str]:
    """The values in something, as texts."""
    return map(str, leaves(value))


def proven(line: Line, chain: Chain) -> Line | str:
    """A line of ToolBeHonest whose proof by execution is made again; why it fails otherwise."""
    proof = line["unsolvable"]
    if "needed" not in proof:
        return line
    needed = []
    for step in proof["needed"]:
        place = step["step"]
        found = {name: chain.steps[place].result[name] for name in step["wanted"]}
        steps = (*chain.steps[:place], replace(chain.steps[place], result=found))
        rivals = answered_by(Chain(steps, chain.seed), place, step.get("tried", ()))
        if rivals:
            return f"{rivals[0]} shows what {step['tool']} found"
        needed.append({**step, "wanted": found})
    return {**line, "unsolvable": {**proof, "needed": needed}}
