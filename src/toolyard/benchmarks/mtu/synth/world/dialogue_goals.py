"""What a dialogue is about: a script of moves over an executed chain of calls, and what makes it hard.

    Script("missing", "M-S", "1->2", (("missing", (0,)), ("supply", (0,)), ("ask", (1,))))

`1` stands for a single call. Hard scripts name the type of Table 8 that they are built for.
"""

from __future__ import annotations

import functools
import math
import re
from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any

from toolyard.benchmarks.mtu.synth.world.distractor_tools import alike
from toolyard.benchmarks.mtu.synth.world.tool_documents import is_day
from toolyard.benchmarks.mtu.synth.world.words import said_value
from toolyard.core.types import Failure, JsonValue, Record, derived_seed
from toolyard.synth.chains.chain import Chain, ChainStep, PlannedStep, execute
from toolyard.synth.chains.filling import fill
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


def _script(name: str, setting: str, structure: str, moves: str, hard: str = "") -> Script:
    """A script in short: `missing0 supply0 ask12` are three moves."""
    parts = [
        (text.rstrip("01234"), tuple(map(int, text.lstrip("abcdefghijklmnopqrstuvwxyz_"))))
        for text in moves.split()
    ]
    return Script(name, setting, structure, tuple(parts), hard)


SCRIPTS: tuple[Script, ...] = (
    _script("plain", "S-S", "1", "ask0"),
    _script("plain", "S-S", "1", "ask0"),
    _script("plain", "S-S", "1", "ask0"),
    _script("specific", "S-S", "1", "ask0", "specific_values"),
    _script("inability", "S-S", "1", "refuse", "inability"),
    _script("nonsense", "S-S", "1", "ask0", "nonsensical_names"),
    _script("extensive", "S-S", "1", "ask0", "extensive_parameters"),
    _script("pair", "S-M", "1->2", "ask01"),
    _script("apart", "S-M", "1;2", "ask01"),
    _script("three", "S-M", "1->2,2->3", "ask012"),
    _script("fork", "S-M", "1->2,1->3", "ask012"),
    _script("join", "S-M", "1->3,2->3", "ask012"),
    _script("four", "S-M", "1->2,2->3,3->4", "ask0123"),
    _script("five", "S-M", "1->2,2->3,3->4,4->5", "ask01234", "interaction"),
    _script("five", "S-M", "1->2,2->3,3->4,4->5", "ask01234", "interaction"),
    _script("nonsense", "S-M", "1->2,2->3", "ask012", "nonsensical_names"),
    _script("missing", "M-S", "1->2", "missing0 supply0 ask1 thanks"),
    _script("missing", "M-S", "1", "hello missing0 supply0 exists0"),
    _script("changed", "M-S", "1->2", "ask0 ask1 change1 thanks"),
    _script("changed", "M-S", "1", "missing0 supply0 change0"),
    _script("exists", "M-S", "1->2", "ask0 exists0 ask1 confirm1"),
    _script("exists", "M-S", "1", "ask0 exists0"),
    _script("agreed", "M-S", "1->2", "read_back0 agree0 ask1 exists1 thanks"),
    _script("two", "M-S", "1->2", "ask0 ask1 thanks"),
    _script("inherit", "M-S", "1->2,2->3", "ask0 ask1 ask2", "inheritance"),
    _script("inherit", "M-S", "1->2,1->3", "ask0 ask1 exists1 ask2 thanks", "inheritance"),
    _script("long", "M-S", "1->2,2->3", "missing0 supply0 ask1 exists1 ask2 change2", "inheritance"),
    _script("inability", "M-S", "1->2", "ask0 refuse ask1", "inability"),
    _script("nonsense", "M-S", "1->2", "missing0 supply0 ask1 thanks", "nonsensical_names"),
    _script("pair_first", "M-M", "1->2,2->3", "ask01 ask2 thanks"),
    _script("pair_last", "M-M", "1->2,2->3", "ask0 ask12"),
    _script("fork", "M-M", "1->2,1->3", "ask0 ask12 exists2"),
    _script("missing", "M-M", "1->2", "missing01 supply01 thanks"),
    _script("missing", "M-M", "1->2,2->3", "hello missing01 supply01 ask2"),
    _script("changed", "M-M", "1->2", "ask01 change01 thanks"),
    _script("exists", "M-M", "1->2", "ask01 exists1"),
    _script("join", "M-M", "1->3,2->3", "ask01 confirm1 ask2"),
    _script("long", "M-M", "1->2,2->3,3->4", "ask01 exists1 ask23 thanks", "inheritance"),
    _script("inherit", "M-M", "1->2,1->3,3->4", "ask0 ask1 ask23", "inheritance"),
    _script("inability", "M-M", "1->2", "ask01 refuse", "inability"),
    _script("nonsense", "M-M", "1->2,2->3", "ask01 ask2", "nonsensical_names"),
    _script("three", "M-M", "1->2,2->3", "ask012 confirm2"),
)


def scripts_of(setting: str) -> tuple[Script, ...]:
    """The scripts of one setting, each as often as it weighs."""
    return tuple(script for script in SCRIPTS if script.setting == setting)


def refuses_later(script: Script) -> bool:
    """Whether the script has a turn that nothing can serve beside turns that are served."""
    return len(script.moves) > 1 and any(move == "refuse" for move, _ in script.moves)


@functools.cache
def scope(world_seed: int = 0) -> Scope:
    """All tools but those that can be bent to anything, and those that nobody would ask for in a dialogue."""
    excluded = frozenset(each.id for each in speakable().values() if each.general or not each.chat)
    return Scope(excluded, (), world_seed)


def goal(script: Script, seed: int, n: int) -> Chain | Failure:
    """The executed chain of draw n for the script, or why there is none."""
    if script.structure != "1":
        drawn = draw(seed, n, script.structure, scope())
    else:
        drawn = single(script.hard, Random(derived_seed(seed, f"single/{script.setting}/{script.name}", n)))
    if isinstance(drawn, Failure):
        return drawn
    return _unfit(drawn, script) or drawn


def _unfit(chain: Chain, script: Script) -> Failure | None:
    tools = [step.tool for step in chain.steps]
    for one in tools:
        if any(one != other and alike(one, other) for other in tools):
            return Failure("rival_tools", one)
    trouble = next((found for step in chain.steps if (found := _unsayable(step))), None)
    if trouble is not None:
        return trouble
    if script.hard == "specific_values" and not any(map(_restricted, chain.steps)):
        return Failure("nothing_specific", tools[0])
    return None


def _unsayable(step: ChainStep) -> Failure | None:
    """What of a call nobody would say in a chat."""
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


def _restricted(step: ChainStep) -> bool:
    """Whether a literal is said in other words than the document wants."""
    known = {item.name: item.schema for item in library()[step.tool].document.parameters}
    return any(said_value(known[name], value) != value for name, value in step.literals.items())


def single(hard: str, rng: Random) -> Chain | Failure:
    """One executed call of a tool by chance, of a kind that suits the hard type."""
    tools = _suiting(hard)
    chosen = library()[rng.choices(tools, _rarity(tools))[0]]
    plan = _many(chosen, rng) if hard == "extensive_parameters" else fill((chosen.id,), ({},), 0, rng)
    if isinstance(plan, Failure):
        return plan
    return execute(plan)


@functools.cache
def _rarity(tools: tuple[str, ...]) -> tuple[float, ...]:
    """Weights by which a category counts with the root of its size."""
    sizes = Counter(library()[each].category for each in tools)
    return tuple(1 / math.sqrt(sizes[library()[each].category]) for each in tools)


@functools.cache
def _suiting(hard: str) -> tuple[str, ...]:
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


def _many(tool: Tool, rng: Random) -> tuple[PlannedStep, ...] | Failure:
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
    drawn = single("", rng)
    if isinstance(drawn, Failure):
        return drawn
    step = drawn.steps[0]
    if any(alike(step.tool, other.tool) or alike(other.tool, step.tool) for other in chain.steps):
        return Failure("rival_tools", step.tool)
    return step
