"""Whether another tool can do what a step of a chain is there for, found out by calling it.

The other tool is called in the world as it is before the step, with the values that the step has and that the chain
states, wherever meaning, name or type lets it take them. It does the job when it returns every value that later
steps take from the step, or, where none does, a good part of what the step returns. A tool that names the same job as
its own counts as well: two services may tell the same in words that share nothing.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from toolyard.core.types import JsonValue, Record
from toolyard.synth.chains.chain import Chain
from toolyard.synth.chains.rivals import can_stand_in, shares_job
from toolyard.text.json_values import CLASSES, leaves
from toolyard.world.kernel.executor import call
from toolyard.world.kernel.graph import consumed_meanings
from toolyard.world.kernel.registry import Tool, library
from toolyard.world.kernel.result_text import encode
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import fold_case

# As much of what a step returns in another tool's result is enough for somebody who only wants to know.
ENOUGH = 0.34
_MOST_VALUES = 3
_MOST_CALLS = 9


@dataclass(frozen=True, slots=True)
class Job:
    """One step as a job to be done: the world before it, what it is given and what is wanted of it.

    `seen` keeps what other tools returned; steps of one chain share it as long as none changes the world.
    """

    tool: str
    world: World
    given: Record
    stated: tuple[JsonValue, ...]
    needed: frozenset[str]
    returned: frozenset[str]
    seen: dict[str, frozenset[str]]


def chain_jobs(chain: Chain) -> tuple[Job, ...]:
    """The steps of a chain as jobs."""
    world = World.fresh(chain.seed)
    stated = tuple(value for step in chain.steps for value in step.literals.values())
    found = []
    seen: dict[str, frozenset[str]] = {}
    for index, step in enumerate(chain.steps):
        given = chain.resolved(index)
        wanted = {
            fold_case(step.result[link.field])
            for later in chain.steps[index + 1 :]
            for _, link in later.links
            if link.step == index
        }
        own = {fold_case(value) for value in leaves(list(given.values()))}
        returned = frozenset(_telling_values(step.output)) - own
        found.append(Job(step.tool, world.copy(), given, stated, frozenset(wanted), returned, seen))
        before = world.snapshot()
        call(world, step.tool, given)
        seen = {} if world.diff(before) else seen
    return tuple(found)


def can_replace(other: str, job: Job) -> bool:
    """Whether the tool could be called in place of the step."""
    if other == job.tool or can_stand_in(other, job.tool) or shares_job(other, job.tool):
        return True
    answers = list(_answers_of_tool(library()[other], job))
    if job.needed and any(job.needed <= answer for answer in answers):
        return True
    return not job.needed and any(_shares_enough(answer, job.returned) for answer in answers)


def _shares_enough(answer: frozenset[str], wanted: frozenset[str]) -> bool:
    return bool(wanted) and len(answer & wanted) >= ENOUGH * len(wanted)


def _answers_of_tool(tool: Tool, job: Job) -> Iterator[frozenset[str]]:
    """The values that the tool returns for each of the calls that the job's values allow; none where it fails."""
    for arguments in itertools.islice(_possible_calls(tool, job), _MOST_CALLS):
        key = encode([tool.id, sorted(arguments.items())])
        if key not in job.seen:
            seen = call(job.world.copy(), tool.id, arguments)
            values = () if seen.error is not None else leaves(seen.value)
            job.seen[key] = frozenset(map(fold_case, values))
        yield job.seen[key]


def _possible_calls(tool: Tool, job: Job) -> Iterator[dict[str, JsonValue]]:
    required = [item for item in tool.document.parameters if item.required]
    options = [_possible_values(tool, item.name, str(item.schema.get("type")), job) for item in required]
    same = {
        item.name: job.given[item.name]
        for item in tool.document.parameters
        if not item.required and item.name in job.given
    }
    for chosen in itertools.product(*options):
        filled = {item.name: value for item, value in zip(required, chosen, strict=True)}
        yield {**same, **filled}
        if same:
            yield filled
    if not required and not same:
        yield from ({name: value} for name, value in _parameters_of_same_meaning(tool, job))


def _parameters_of_same_meaning(tool: Tool, job: Job) -> Iterator[tuple[str, JsonValue]]:
    """Optional parameters that mean what a parameter of the step means."""
    meanings = {
        meaning: job.given[name]
        for name, meaning in consumed_meanings(library()[job.tool])
        if name in job.given
    }
    for name, meaning in consumed_meanings(tool):
        if meaning in meanings:
            yield name, meanings[meaning]


def _possible_values(tool: Tool, parameter: str, kind: str, job: Job) -> Sequence[JsonValue]:
    """Values for a parameter: of the same name or meaning first, then whatever has its type."""
    by_meaning = [value for name, value in _parameters_of_same_meaning(tool, job) if name == parameter]
    same_name = [job.given[parameter]] if parameter in job.given else []
    others = [*job.given.values(), *job.stated]
    fitting = [value for value in (*same_name, *by_meaning, *others) if _fits_type(value, kind)]
    unique = {fold_case(value): value for value in reversed(fitting)}
    return list(reversed(unique.values()))[:_MOST_VALUES]


def _fits_type(value: JsonValue, kind: str) -> bool:
    return isinstance(value, CLASSES.get(kind, ())) and isinstance(value, bool) == (kind == "boolean")


def _telling_values(output: JsonValue) -> Iterator[str]:
    """What a result says beyond flags and small numbers, which many results share by chance."""
    for value in leaves(output):
        small = isinstance(value, int) and abs(value) < 100
        if value is not None and not small and len(str(value)) > 2:
            yield fold_case(value)
