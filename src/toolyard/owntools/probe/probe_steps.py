"""Calls that were executed in a mirror, alone or one feeding the next: what every suite is made of."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from toolyard.core.types import JsonValue, Record
from toolyard.owntools.drawn_values import draw_different_value, draw_value
from toolyard.owntools.mirror.kernel import Mirror
from toolyard.owntools.mirror.mirror_plan import PAGING, MirrorPlan, ToolPlan
from toolyard.owntools.sources.source_schemas import json_type
from toolyard.text.names import name_words
from toolyard.world.kernel.executor import call
from toolyard.world.kernel.state import World

OPTIONAL_SHARE = 0.25
# A result of this name is the whole of what a tool returned, where that is no object.
WHOLE = "result"
_PROSE = frozenset({"text", "string"})
_GENERIC = frozenset(
    {"name", "value", "type", "status", "text", "title", "description", "count", "result", "data"}
)
# Last words of parameters that say which thing is meant.
_POINTING = (["id"], ["uuid"], ["key"], ["path"], ["slug"], ["url"], ["uri"], ["code"])


@dataclass(frozen=True, slots=True)
class Link:
    """Where an argument comes from: the field of what an earlier step returned."""

    step: int
    field: str


@dataclass(frozen=True, slots=True)
class Step:
    """One executed call; `links` are the arguments that an earlier result gave."""

    tool: str
    arguments: Record
    result: Record
    links: Mapping[str, Link] = field(default_factory=dict)
    changes: Record = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StepChain:
    """Steps in their order; `depth` counts the longest way along links."""

    steps: tuple[Step, ...]

    @property
    def tools(self) -> tuple[str, ...]:
        """The called tools in order."""
        return tuple(step.tool for step in self.steps)

    @property
    def depth(self) -> int:
        """How many calls stand on the longest way along links."""
        levels: list[int] = []
        for step in self.steps:
            levels.append(1 + max((levels[link.step] for link in step.links.values()), default=0))
        return max(levels, default=0)


class Workshop:
    """A mirror with its plan, in which calls are drawn and proven."""

    def __init__(
        self, mirror: Mirror, plan: MirrorPlan, given: Mapping[str, JsonValue] | None = None
    ) -> None:
        self.mirror = mirror
        self._given = given or {}
        self.plan = plan
        self.offered = tuple(tool.id for tool in mirror.tools)
        self.plans: dict[str, ToolPlan] = {
            each.tool.name: each for each in plan.tools if each.tool.name in mirror.twins
        }
        self._used: Counter[str] = Counter()
        self._shared = shared_values(plan)
        self._keys = {
            table.key: table for table in plan.tables if table.key not in ("id", "name", "key", "path")
        }
        self._recorded = {
            name: [each.arguments for each in plan.recorded if each.tool == name and not each.error]
            for name in self.plans
        }

    def execute_call(
        self, world: World, tool: str, arguments: Mapping[str, JsonValue]
    ) -> Mapping[str, JsonValue] | None:
        """What the mirror returns, as an object; None where it refuses the call."""
        answer = call(world, tool, arguments, offered=self.offered, budget_tokens=100_000)
        if answer.error is not None:
            return None
        return answer.value if isinstance(answer.value, Mapping) else {WHOLE: answer.value}

    def arguments(
        self, name: str, rng: Random, known: Mapping[str, JsonValue] | None = None
    ) -> dict[str, JsonValue]:
        """Values for a call: what is known, keys that exist, values that were recorded or are made up."""
        plan = self.plans[name]
        known = known or {}
        recorded = self._recorded[name]
        if recorded and not known and rng.random() < 0.8:
            return dict(rng.choice(recorded))
        found: dict[str, JsonValue] = {}
        given = [each for each in plan.tool.parameters if each.required or each.name in known]
        more = [each for each in plan.tool.parameters if each not in given and each.name not in PAGING]
        changing = plan.kind == "update" and all(each.name == plan.meaning.key for each in given)
        for each in more:
            if (changing and not found) or rng.random() < OPTIONAL_SHARE:
                found[each.name] = self._value(plan, each.name, rng)
        for each in given:
            found[each.name] = known[each.name] if each.name in known else self._value(plan, each.name, rng)
        ordered = [each.name for each in plan.tool.parameters if each.name in found]
        return {each: found[each] for each in ordered}

    def _value(self, plan: ToolPlan, name: str, rng: Random) -> JsonValue:
        schema = plan.tool.schema["properties"][name]
        if plan.table and name == plan.meaning.key and plan.kind != "create":
            table = self.plan.table(plan.table)
            keys: list[JsonValue] = [row[table.key] for row in table.rows]
            return self._given[name] if self._given.get(name) in keys else rng.choice(keys)
        if name in self._given:
            return self._given[name]
        shared = self._shared.get(name)
        if shared:
            return rng.choice(shared)
        other = self._keys.get(name)
        if other is not None and other.rows and not (plan.kind == "create" and plan.table == other.name):
            row: Mapping[str, JsonValue] = rng.choice(other.rows)
            return row[other.key]
        return draw_value(schema, name, rng)

    def other_value(self, name: str, parameter: str, rng: Random, known: object) -> JsonValue:
        """Another value for a parameter than the one that is known."""
        plan = self.plans[name]
        for _ in range(8):
            value = self._value(plan, parameter, rng)
            if value != known:
                return value
        return draw_different_value(plan.tool.schema["properties"][parameter], parameter, rng, [known])

    def step(
        self, world: World, name: str, arguments: Mapping[str, JsonValue], links: Mapping[str, Link]
    ) -> Step | None:
        """The executed call with what it changed; None where the mirror refuses it."""
        before = world.snapshot()
        result = self.execute_call(world, name, arguments)
        if result is None:
            return None
        return Step(name, arguments, result, links, world.diff(before))

    def single_step(self, name: str, rng: Random) -> Step | None:
        """One call in a fresh world."""
        return self.step(World.fresh(), name, self.arguments(name, rng), {})

    def chain(self, length: int, rng: Random, *, linked: bool = True) -> StepChain | None:
        """Calls of different tools, each (where `linked`) fed by an earlier one; None where none was found."""
        world = World.fresh()
        name = self.due(rng)
        first = self.step(world, name, self.arguments(name, rng), {})
        steps = [] if first is None else [first]
        while first is not None and len(steps) < length:
            following = self._next(world, steps, rng, linked=linked)
            if following is None:
                return None
            steps.append(following)
        self._used.update(step.tool for step in steps[1:])
        return StepChain(tuple(steps)) if steps else None

    def due(self, rng: Random, among: Collection[str] | None = None) -> str:
        """The tool that rows have used least so far; ties are broken at random."""
        name = self._least_used_first(sorted(self.plans if among is None else among), rng)[0]
        self._used[name] += 1
        return name

    def _least_used_first(self, names: list[str], rng: Random) -> list[str]:
        """The names in random order, least used first."""
        rng.shuffle(names)
        return sorted(names, key=lambda name: self._used[name])

    def _next(self, world: World, steps: Sequence[Step], rng: Random, *, linked: bool) -> Step | None:
        taken = {step.tool for step in steps}
        names = self._least_used_first([name for name in sorted(self.plans) if name not in taken], rng)
        for name in names[:40]:
            links = dict(self._links(steps, name)) if linked else {}
            if linked and not links:
                continue
            known = self._said_before(steps, name)
            known |= {parameter: steps[link.step].result[link.field] for parameter, link in links.items()}
            found = self.step(world, name, self.arguments(name, rng, known), links)
            if found is not None:
                return found
        return None

    def _said_before(self, steps: Sequence[Step], name: str) -> dict[str, JsonValue]:
        """Values that a chain has named already: a person who asks for several things asks about one of each kind.

        What a tool writes is new; only which thing is meant stays the same.
        """
        plan = self.plans[name]
        found: dict[str, JsonValue] = {}
        for each in plan.tool.parameters:
            is_key = each.name == plan.meaning.key
            points = is_key or name_words(each.name)[-1:] in _POINTING
            if each.name in PAGING or not (points or (each.required and not plan.meaning.changes)):
                continue
            for step in steps:
                theirs = self.plans[step.tool]
                same_table = bool(plan.table) and theirs.table == plan.table
                if each.name in step.arguments and (not is_key or same_table or not plan.table):
                    found[each.name] = step.arguments[each.name]
                elif is_key and same_table and theirs.meaning.key in step.arguments:
                    found[each.name] = step.arguments[theirs.meaning.key]
        return {
            key: value for key, value in found.items() if plan.kind != "create" or key != plan.meaning.key
        }

    def _links(self, steps: Sequence[Step], name: str) -> Iterator[tuple[str, Link]]:
        """The parameters of a tool that earlier results can give: required ones, and ids of what they are about."""
        plan = self.plans[name]
        for parameter in plan.tool.parameters:
            if not parameter.required and name_words(parameter.name)[-1:] not in _POINTING:
                continue
            for place in range(len(steps) - 1, -1, -1):
                found = self._field(steps[place], plan, parameter.name)
                if found:
                    yield parameter.name, Link(place, found)
                    break

    def _field(self, step: Step, plan: ToolPlan, parameter: str) -> str:
        """The field of a result that means what a parameter means; empty where there is none."""
        producer = self.plans[step.tool]
        if producer.kind == "delete":
            return ""
        schema = plan.tool.schema["properties"][parameter]
        for name, value in step.result.items():
            if (
                not isinstance(value, str | int | float)
                or isinstance(value, bool)
                or not _fits_schema(value, schema)
            ):
                continue
            if step.arguments.get(parameter) == value or value in step.arguments.values():
                continue  # known before the call, so that nothing depends on it
            if self._means_the_same(producer, str(name), plan, parameter):
                return str(name)
        return ""

    def _means_the_same(self, producer: ToolPlan, name: str, plan: ToolPlan, parameter: str) -> bool:
        same_table = bool(plan.table) and producer.table == plan.table
        if same_table and plan.kind == "create":
            return False  # nobody asks for the same thing once more
        if parameter == plan.meaning.key and same_table:
            return name == self.plan.table(plan.table).key
        mine, theirs = name_words(name), name_words(parameter)
        if name == WHOLE and parameter in _PROSE:
            return not producer.table
        if mine[-1:] != theirs[-1:] or mine[-1] in _GENERIC:
            return False
        return (
            mine == theirs
            or (len(mine) == 1 and mine[0] not in ("id", "key"))
            or (len(theirs) == 1 and mine[0] != "id")
        )


def shared_values(plan: MirrorPlan) -> dict[str, list[JsonValue]]:
    """Values of parameters that the recorded calls of several tools share, such as the path of one repository."""
    found: dict[str, dict[str, set[str]]] = {}
    values: dict[str, list[JsonValue]] = {}
    for made in plan.recorded:
        for name, value in made.arguments.items():
            if not made.error and isinstance(value, str | int):
                found.setdefault(name, {}).setdefault(str(value), set()).add(made.tool)
                values.setdefault(name, [])
                if value not in values[name]:
                    values[name].append(value)
    return {
        name: [value for value in values[name] if len(found[name][str(value)]) > 1]
        for name in found
        if any(len(tools) > 1 for tools in found[name].values())
    }


def _fits_schema(value: JsonValue, schema: JsonValue) -> bool:
    kind = json_type(schema)
    if kind == "string" or not kind:
        return isinstance(value, str)
    return kind in ("integer", "number") and isinstance(value, int | float)
