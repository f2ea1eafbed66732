"""Executed plans of each subtask: chains of calls and single errands of one field, run in one fresh world."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from toolyard.benchmarks.toolbehonest.synth.world.listed_tools import group, offered
from toolyard.benchmarks.toolbehonest.synth.world.needs import conflict
from toolyard.core.types import Failure, Json, derived_seed
from toolyard.synth.chains.chain import Chain, ChainStep, PlannedStep, ResultReference, execute
from toolyard.synth.chains.example_values import vary
from toolyard.synth.chains.execution import digest
from toolyard.synth.chains.filling import fill
from toolyard.synth.chains.sampling import Scope, draw
from toolyard.synth.wording.phrasing import request
from toolyard.text.names import spoken
from toolyard.world.budget import encode
from toolyard.world.phrase import phrases, speakable
from toolyard.world.registry import library
from toolyard.world.types import GENERIC

TRIES = 8
_PARTS_TRIES = 12
_VALUES_TRIES = 24
MOST_CHARACTERS = 260
# A key that nobody would type (paths and addresses have slashes), or a mailbox that may be somebody's.
_TOKEN = re.compile(r"(?<![\w/.])[\w=+-]{29,}(?![\w/.])|@qq\.com")
# Nobody writes text over what an earlier step has just made.
_WRITE_FILE = "File/file_operation/write_file"
_THINGS: Mapping[str, str] = {
    "iso date": "date",
    "past date": "date",
    "country code": "country",
    "language code": "language",
    "currency code": "currency",
    "city code": "city",
    "market region name": "market region",
    "dog sub breed": "sub-breed",
    "search text": "search term",
    "contest name": "contest site",
    "q": "query",
}
# Groups that single errands come from more often than from others of their field.
_HEAVY: Mapping[str, float] = {"Execute/Execute": 15.0, "File/Pdf": 2.0}
EVERYDAY = ("trip", "kitchen", "money", "study", "sport", "leisure", "town")
# How many steps come from which chains; "1" is a single errand.
_PARTS: Mapping[int, tuple[tuple[str, ...], ...]] = {
    1: (("1",),),
    2: (("1->2",), ("1", "1")),
    3: (("1->2,2->3",), ("1->2", "1"), ("1", "1->2"), ("1->2,1->3",)),
    4: (("1->2,2->3", "1"), ("1->2", "1->2"), ("1->2", "1", "1"), ("1", "1->2,1->3")),
    5: (("1->2,2->3", "1->2"), ("1->2", "1->2", "1"), ("1->2,1->3", "1", "1")),
    6: (("1->2,2->3", "1->2", "1"), ("1->2", "1->2", "1", "1"), ("1->2,2->3", "1->2,1->3")),
}
# Weights of the numbers of steps, by the paper's averages (Table 1).
STEPS: Mapping[str, Mapping[int, float]] = {
    "single_step": {1: 1},
    "multi_step_wo_rep": {3: 1, 4: 2, 5: 4, 6: 2},
    "multi_step_w_rep": {3: 1, 4: 3, 5: 4},
    "os": {2: 2, 3: 5, 4: 1},
    "web": {3: 1, 4: 4, 5: 3},
    "iter": {1: 4, 2: 2},
}


@dataclass(frozen=True, slots=True)
class ToolRun:
    """A stretch of calls of one tool with one parameter that changes."""

    first: int
    length: int
    parameter: str


@dataclass(frozen=True, slots=True)
class TaskPlan:
    """An executed chain; `again` is the step that repeats another with other words, `run` a stretch of one tool."""

    chain: Chain
    again: int | None = None
    run: ToolRun | None = None

    @property
    def tools(self) -> tuple[str, ...]:
        """The tools in their order."""
        return tuple(step.tool for step in self.chain.steps)


def drawn(subtask: str, field: str, seed: int, n: int) -> TaskPlan | Failure:
    """Plan n of a subtask, or why none of some tries stands."""
    rng = Random(derived_seed(seed, f"toolbehonest/{subtask}/{field}", n))
    failure = Failure("no_plan", field)
    for _ in range(TRIES):
        made = _made(subtask, field, rng)
        if not isinstance(made, Failure):
            made = _unsuitable(made) or made
        if not isinstance(made, Failure):
            return made
        failure = made
    return failure


def _made(subtask: str, field: str, rng: Random) -> TaskPlan | Failure:
    if subtask == "iter":
        return _iterated(field, rng)
    weights = STEPS[subtask]
    steps = _steps(rng.choices(list(weights), list(weights.values()))[0], field, rng)
    if isinstance(steps, Failure):
        return steps
    if subtask == "multi_step_w_rep":
        return _repeated(steps, rng)
    return _plan(steps)


def _plan(
    steps: Sequence[PlannedStep], again: int | None = None, run: ToolRun | None = None
) -> TaskPlan | Failure:
    chain = execute(steps)
    return chain if isinstance(chain, Failure) else TaskPlan(chain, again, run)


def _unsuitable(plan: TaskPlan) -> Failure | None:
    """Why the plan makes no task: tools that no list can hold or that could do each other's steps, clumsy requests."""
    unlisted = [tool for tool in plan.tools if tool not in offered()]
    if unlisted:
        return Failure("twin_tool", unlisted[0])
    between = conflict(plan.tools)
    if between:
        return Failure("replaceable_tool", between)
    for step in plan.chain.steps:
        text = request(step, plan.chain, Random(0))
        overwrites = step.tool == _WRITE_FILE and step.references.keys() & {"file_path"}
        if "\n" in text or len(text) > MOST_CHARACTERS or _TOKEN.search(text) or overwrites:
            return Failure("clumsy_request", text[:80])
    return None


def _steps(count: int, field: str, rng: Random) -> tuple[PlannedStep, ...] | Failure:
    """Steps of several chains one after the other, no tool twice, none that could do another's step."""
    steps: tuple[PlannedStep, ...] = ()
    for structure in rng.choice(_PARTS[count]):
        for _ in range(_PARTS_TRIES):
            part = _part(structure, field, rng)
            if not isinstance(part, Failure) and _go_together(_tools(steps), _tools(part)):
                steps = (*steps, *_moved(part, len(steps)))
                break
        else:
            return Failure("no_part", f"{field} {structure}")
    return steps


def _go_together(earlier: Sequence[str], later: Sequence[str]) -> bool:
    return not set(earlier) & set(later) and not conflict([*earlier, *later])


def _part(structure: str, field: str, rng: Random) -> tuple[PlannedStep, ...] | Failure:
    if structure == "1":
        return errand(field, rng)
    chain = draw(rng.getrandbits(32), 0, structure, Scope(domains=tools_of(field)))
    return chain if isinstance(chain, Failure) else chain.plan


@functools.cache
def tools_of(field: str) -> tuple[str, ...]:
    """The tools of a field of work: what the tasks of one person turn around."""
    members = [tool for tool in speakable().values() if field in tool.fields]
    return tuple(tool.id for tool in sorted(members, key=lambda tool: tool.fields[field]))


def errand(field: str, rng: Random) -> tuple[PlannedStep, ...] | Failure:
    """One call that stands by itself."""
    groups: dict[str, list[str]] = {}
    for known in tools_of(field):
        if known in offered():
            groups.setdefault(group(known), []).append(known)
    weights = [_HEAVY.get(name, 1.0) for name in groups]
    tool = rng.choice(groups[rng.choices(list(groups), weights)[0]])
    made = fill((tool,), ({},), 0, rng)
    if isinstance(made, Failure):
        return made
    # A request without a single value hardly ever says what is wanted.
    idle = library()[tool].document.parameters and not made[0].arguments
    return Failure("says_nothing", tool) if idle else made


def _tools(steps: Sequence[PlannedStep]) -> list[str]:
    return [step.tool for step in steps]


def _moved(steps: Sequence[PlannedStep], by: int, start: int = 0) -> tuple[PlannedStep, ...]:
    """The steps with references to steps from `start` on moved."""
    return tuple(
        replace(
            step,
            arguments={
                name: replace(given, step=given.step + by)
                if isinstance(given, ResultReference) and given.step >= start
                else given
                for name, given in step.arguments.items()
            },
        )
        for step in steps
    )


def _repeated(steps: Sequence[PlannedStep], rng: Random) -> TaskPlan | Failure:
    """The plan with one of its calls once more, with another value, at a later place."""
    able = [n for n, step in enumerate(steps) if len(step.arguments) == 1 and _changeable(step)]
    if not able:
        return Failure("nothing_to_repeat", "no call with a single value")
    index = rng.choice(able)
    other = next(_changed(steps[index], next(iter(steps[index].arguments)), rng), None)
    if other is None:
        return Failure("no_other_value", steps[index].tool)
    place = rng.choice(range(index + 2, len(steps) + 1) or [len(steps)])
    return _plan((*steps[:place], other, *_moved(steps[place:], 1, place)), again=place)


def _changeable(step: PlannedStep) -> tuple[str, ...]:
    """The parameters with a short text that could be another."""
    return tuple(
        name for name, given in step.arguments.items()
        if isinstance(given, str) and len(given) <= 40 and name in phrases()[step.tool].parameters
    )  # fmt: skip


def _changed(step: PlannedStep, parameter: str, rng: Random) -> Iterator[PlannedStep]:
    """The call with other values of one parameter, as long as they work, each once."""
    seen = [str(step.arguments[parameter]).casefold()]
    for _ in range(_VALUES_TRIES):
        value = vary(step.tool, parameter, step.arguments[parameter], rng)
        if str(value).casefold() in seen or len(str(value)) > 40:
            continue
        seen.append(str(value).casefold())
        changed = replace(step, arguments={**step.arguments, parameter: value})
        if isinstance(execute((changed,)), Chain):
            yield changed


def _iterated(field: str, rng: Random) -> TaskPlan | Failure:
    """A run of three or four calls of one tool, and one or two other errands behind it."""
    single = errand(field, rng)
    if isinstance(single, Failure):
        return single
    required = {item.name for item in library()[single[0].tool].document.parameters if item.required}
    parameters = [
        name for name in _changeable(single[0]) if name in required or len(single[0].arguments) == 1
    ]
    if not parameters:
        return Failure("nothing_to_repeat", single[0].tool)
    parameter = rng.choice(parameters)
    length = rng.choices((3, 4, 5), (4, 4, 1))[0]
    others = []
    for other in _changed(single[0], parameter, rng):
        others.append(other)
        if len(others) == length - 1:
            break
    if len(others) < 2:
        return Failure("no_other_value", single[0].tool)
    run = (*single, *others)
    weights = STEPS["iter"]
    behind = _steps(rng.choices(list(weights), list(weights.values()))[0], field, rng)
    if isinstance(behind, Failure):
        return behind
    if conflict([*_tools(run), *_tools(behind)]) or run[0].tool in _tools(behind):
        return Failure("replaceable_tool", run[0].tool)
    return _plan((*run, *_moved(behind, len(run))), run=ToolRun(0, len(run), parameter))


def to_json(chain: Chain) -> dict[str, Json]:
    """The executed calls as plain data: what each returned as a digest, and the fields that were looked at."""
    return {"seed": chain.seed, "steps": [_step_json(step) for step in chain.steps]}


def _step_json(step: ChainStep) -> dict[str, Json]:
    arguments = {
        name: {"reference": {"step": given.step, "field": given.field}}
        if isinstance(given, ResultReference)
        else given
        for name, given in step.arguments.items()
    }
    result = dict(step.result)
    return {"tool": step.tool, "arguments": arguments, "result": result, "digest": digest(step.output)}


def from_json(execution: Mapping[str, Json]) -> Chain:
    """The chain of an execution; outputs are not kept in it."""
    steps = tuple(
        ChainStep(
            step["tool"],
            {name: _argument(given) for name, given in step["arguments"].items()},
            step["result"],
            None,
        )
        for step in execution["steps"]
    )
    return Chain(steps, execution["seed"])


def _argument(given: Json) -> Json | ResultReference:
    if isinstance(given, Mapping) and given.keys() == {"reference"}:
        return ResultReference(given["reference"]["step"], given["reference"]["field"])
    return given


def re_execute(row: Mapping[str, Json]) -> bool:
    """Whether the calls kept with a row return, in a fresh world, what they returned when it was made."""
    execution = row["execution"]
    again = execute(from_json(execution).plan, execution["seed"])
    return isinstance(again, Chain) and encode(to_json(again)["steps"]) == encode(execution["steps"])


def thing(tool: str, parameter: str) -> str:
    """What a parameter stands for, in words: its meaning, or its name where others mean the same."""
    meanings = {
        item.name: item.schema.get("x-semantic", "json") for item in library()[tool].document.parameters
    }
    meaning = meanings[parameter]
    own = list(meanings.values()).count(meaning) == 1 and meaning not in GENERIC
    words = spoken(meaning if own else parameter)
    return _THINGS.get(words, words)
