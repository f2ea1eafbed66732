"""What a dialogue is about: a script of moves over an executed chain of calls, and what makes it hard.

    Script("missing", "M-S", "1->2", (("missing", (0,)), ("supply", (0,)), ("ask", (1,))))

`1` stands for a single call. Hard scripts name the type of Table 8 that they are built for.
"""

from __future__ import annotations

import functools
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from toolyard.benchmarks.mtu.synth.world.dialogue_sentences import said_value
from toolyard.benchmarks.mtu.synth.world.tool_documents import alike, is_day
from toolyard.core.types import Failure, JsonValue, Record, derived_seed
from toolyard.synth.chains.chain import Chain, ChainStep, PlannedStep, execute
from toolyard.synth.chains.filling import ANYTHING, Demand, fill
from toolyard.synth.chains.sampling import Scope, draw
from toolyard.world.kernel.document import Parameter
from toolyard.world.kernel.phrase import phrases, speakable
from toolyard.world.kernel.registry import Tool, library

MANY = 7
_LONGEST_LITERAL = 160
_MAIL_DOMAIN = re.compile(r"@([\w.-]+)")


@dataclass(frozen=True, slots=True)
class Script:
    """The course of a dialogue: moves, each with the steps of the chain that it is about."""

    name: str
    setting: str
    structure: str
    moves: tuple[tuple[str, tuple[int, ...]], ...]
    hard: str = ""


def _read_script(line: str) -> Script:
    """A script in short: `missing0 supply0 ask12` are three moves."""
    name, setting, structure, moves, *hard = line.split("\t")
    parts = [
        (text.rstrip("01234"), tuple(map(int, text.lstrip("abcdefghijklmnopqrstuvwxyz_"))))
        for text in moves.split()
    ]
    return Script(name, setting, structure, tuple(parts), "".join(hard))


_TABLE = Path(__file__).with_name("dialogue_scripts.tsv").read_text("utf-8")
SCRIPTS = tuple(_read_script(line) for line in _TABLE.splitlines() if not line.startswith("#"))


def scripts_of(setting: str) -> tuple[Script, ...]:
    """The scripts of one setting, each as often as it weighs."""
    return tuple(script for script in SCRIPTS if script.setting == setting)


def refuses_later(script: Script) -> bool:
    """Whether the script has both a turn that no tool can serve and turns that are served."""
    return len(script.moves) > 1 and any(move == "refuse" for move, _ in script.moves)


@functools.cache
def scope(world_seed: int = 0) -> Scope:
    """All tools except those that fit any request and those that users would not ask for in a dialogue."""
    excluded = frozenset(each.id for each in speakable().values() if each.general or not each.chat)
    return Scope(excluded, (), world_seed)


def goal(script: Script, seed: int, n: int, demand: Demand = ANYTHING) -> Chain | Failure:
    """The executed chain of draw n for the script, or why there is none."""
    if script.structure != "1":
        drawn = draw(seed, n, script.structure, scope(), demand)
    else:
        rng = Random(derived_seed(seed, f"single/{script.setting}/{script.name}", n))
        drawn = draw_single(script.hard, rng, demand)
    if isinstance(drawn, Failure):
        return drawn
    return _chain_fault(drawn, script) or drawn


def _chain_fault(chain: Chain, script: Script) -> Failure | None:
    tools = [step.tool for step in chain.steps]
    trouble = rival_tools(tools) or next((found for step in chain.steps if (found := _unsayable(step))), None)
    if trouble is not None:
        return trouble
    if script.hard == "specific_values" and not any(map(_says_values_otherwise, chain.steps)):
        return Failure("nothing_specific", tools[0])
    return None


def rival_tools(tools: Sequence[str]) -> Failure | None:
    """The first of the tools that another one might pass for."""
    one = next((one for one in tools if any(one != other and alike(one, other) for other in tools)), None)
    return None if one is None else Failure("rival_tools", one)


def _unsayable(step: ChainStep) -> Failure | None:
    """The values of a call that a user would not type in a chat."""
    for name, value in step.literals.items():
        where = f"{step.tool} {name}"
        if "\n" in str(value) or len(str(value)) > _LONGEST_LITERAL:
            return Failure("long_or_multi_line_value", where)
        if "[]" in str(value):
            return Failure("empty_value", where)
        if any("example" not in address for address in _MAIL_DOMAIN.findall(str(value))):
            return Failure("private_address", where)
    texts = [value for value in step.literals.values() if isinstance(value, str)]
    return Failure("same_value_twice", step.tool) if len({*texts}) < len(texts) else None


def _says_values_otherwise(step: ChainStep) -> bool:
    """Whether a literal is said in other words than the document requires."""
    known = {item.name: item.schema for item in library()[step.tool].document.parameters}
    return any(said_value(known[name], value) != value for name, value in step.literals.items())


def draw_single(hard: str, rng: Random, demand: Demand = ANYTHING) -> Chain | Failure:
    """One executed call of a random tool that suits the hard type."""
    tools = _tools_for_hard_type(hard)
    chosen = library()[rng.choices(tools, _rarity(tools))[0]]
    unwanted = demand.tools((chosen.id,))
    if unwanted is not None:
        return unwanted
    long = hard == "extensive_parameters"
    plan = _long_call(chosen, rng) if long else fill((chosen.id,), ({},), 0, rng, demand)
    if isinstance(plan, Failure):
        return plan
    return execute(plan)


@functools.cache
def _rarity(tools: tuple[str, ...]) -> tuple[float, ...]:
    """Weights by which a category counts with the root of its size."""
    sizes = Counter(library()[each].category for each in tools)
    return tuple(1 / math.sqrt(sizes[library()[each].category]) for each in tools)


@functools.cache
def _tools_for_hard_type(hard: str) -> tuple[str, ...]:
    """The tools that can serve a hard type; all with a parameter to say otherwise."""
    usable = [each for each in speakable() if each not in scope().exclude and phrases()[each].parameters]
    if hard == "extensive_parameters":
        return tuple(each for each in usable if len(phrases()[each].parameters) >= MANY)
    if hard == "specific_values":
        return tuple(each for each in usable if any(_can_be_said_otherwise(each)))
    return tuple(usable)


def _can_be_said_otherwise(tool_id: str) -> list[str]:
    said = phrases()[tool_id].parameters
    return [
        item.name
        for item in library()[tool_id].document.parameters
        if item.name in said and (is_day(item.schema) or {"en", "de"} <= set(item.schema.get("enum", ())))
    ]


def _long_call(tool: Tool, rng: Random) -> tuple[PlannedStep, ...] | Failure:
    """A call with more than six parameters: an example and choices for what it leaves out."""
    said = phrases()[tool.id].parameters
    base: dict[str, Any] = {}
    for example in tool.examples:
        base = {**{name: value for name, value in example.items() if name in said}, **base}
    for item in tool.document.parameters:
        if item.name in said and item.name not in base:
            options = _options(item)
            if options:
                base[item.name] = rng.choice(options)
    if len(base) < MANY:
        return Failure("too_few_parameters", tool.id)
    ordered = [item.name for item in tool.document.parameters if item.name in base]
    required = [item.name for item in tool.document.parameters if item.required]
    spare = [name for name in ordered if name not in required]
    count = max(0, rng.randint(MANY, MANY + 2) - len(required))
    kept = {*required, *rng.sample(spare, min(len(spare), count))}
    return (PlannedStep(tool.id, {name: base[name] for name in ordered if name in kept}),)


def _options(item: Parameter) -> list[JsonValue]:
    schema: Record = item.schema
    if "enum" in schema:
        return list(schema["enum"])
    if schema.get("type") == "boolean":
        return [True, False]
    if schema.get("type") == "integer" and "x-unit" not in schema and schema.get("x-semantic") == "number":
        return list(range(max(1, int(schema.get("minimum", 1))), min(5, int(schema.get("maximum", 5))) + 1))
    return []


def removed_goal(chain: Chain, seed: int, n: int) -> ChainStep | Failure:
    """A call that belongs to no tool of the chain, for a turn that nothing can serve."""
    rng = Random(derived_seed(seed, "removed", n))
    drawn = draw_single("", rng)
    if isinstance(drawn, Failure):
        return drawn
    step = drawn.steps[0]
    if any(alike(step.tool, other.tool) or alike(other.tool, step.tool) for other in chain.steps):
        return Failure("rival_tools", step.tool)
    return step
