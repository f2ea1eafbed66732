"""Chains drawn at random: tools along plausible typed edges, arguments from examples, executed and checked.

Draw n of a seed depends on nothing but (seed, structure, n): rows can be made in any order, in parallel, and
again. A draw that does not stand is a Failure with its kind, for the funnel.
"""

import functools
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from toolyard.core.errors import UsageError
from toolyard.core.nesting import Edge as Link
from toolyard.core.types import Failure, derived_seed
from toolyard.synth.chains.chain import Chain, ResultReference, execute, idle_reference
from toolyard.synth.chains.filling import ANYTHING, Demand, fill_plan, is_fillable
from toolyard.synth.chains.plausibility import plausible_links
from toolyard.synth.chains.projection import first_path, output_fields
from toolyard.world.kernel.graph import Edge, consumed_meanings
from toolyard.world.kernel.phrase import phrases, speakable
from toolyard.world.kernel.registry import SCENARIOS, library, select

_TOOL_TRIES = 40
# What a tool returns of the very kind it was asked with is mostly an echo.
_ECHO = 0.1
_COMPANION = 0.7


@dataclass(frozen=True, slots=True)
class Shape:
    """How many calls, and which feeds which, counted from 0."""

    calls: int
    links: frozenset[Link]


# The shapes of NesTools (specification 1.3), by the names of `core.nesting` and in its style; `;` is "and apart".
SHAPES: Mapping[str, Shape] = {
    "1->2": Shape(2, frozenset({(0, 1)})),
    "1;2": Shape(2, frozenset()),
    "1->2,2->3": Shape(3, frozenset({(0, 1), (1, 2)})),
    "1->2,1->3": Shape(3, frozenset({(0, 1), (0, 2)})),
    "1->2,2->3,1->3": Shape(3, frozenset({(0, 1), (1, 2), (0, 2)})),
    "1->3,2->3": Shape(3, frozenset({(0, 2), (1, 2)})),
    "1->2;3": Shape(3, frozenset({(0, 1)})),
    "1;2->3": Shape(3, frozenset({(1, 2)})),
    "1->3;2": Shape(3, frozenset({(0, 2)})),
    "1;2;3": Shape(3, frozenset()),
    "1->2,2->3,3->4": Shape(4, frozenset({(0, 1), (1, 2), (2, 3)})),
    "1->2,1->3,3->4": Shape(4, frozenset({(0, 1), (0, 2), (2, 3)})),
    "1->2,2->3,3->4,4->5": Shape(5, frozenset({(0, 1), (1, 2), (2, 3), (3, 4)})),
}


@dataclass(frozen=True, slots=True)
class Scope:
    """Which tools may be drawn and the world they run in: no excluded id, only parts of the library if named."""

    exclude: frozenset[str] = frozenset()
    domains: tuple[str, ...] = ()
    world_seed: int = 0


@dataclass(frozen=True, slots=True)
class _Pool:
    """The tools of a scope and the edges among them, both ways."""

    by_category: Mapping[str, Mapping[str, tuple[str, ...]]]
    out: Mapping[str, Mapping[str, float]]
    into: Mapping[str, Mapping[str, float]]


def draw(
    seed: int,
    n: int,
    structure: str,
    scope: Scope = Scope(),  # noqa: B008 - frozen
    demand: Demand = ANYTHING,
) -> Chain | Failure:
    """Draw n of that structure: an executed chain in which every reference matters, or why there is none.

    Kinds: those of `chains.execute`, `chains.depends` and the demand, and `no_tools` where no tools fit the shape.
    """
    if structure not in SHAPES:
        raise UsageError(f"no structure {structure!r}; want one of {', '.join(SHAPES)}")
    rng = Random(derived_seed(seed, f"chain/{structure}", n))
    shape = SHAPES[structure]
    pool = _pool_of_scope(scope)
    for _ in range(_TOOL_TRIES):
        tools = _draw_tools(shape, pool, rng)
        wires = _draw_wires(shape, tools, rng) if tools else None
        if tools and wires is not None:
            break
    else:
        return Failure("no_tools", structure)
    plan = demand.tools(tools) or fill_plan(tools, wires, scope.world_seed, rng, demand)
    if isinstance(plan, Failure):
        return plan
    chain = execute(plan, scope.world_seed)
    if isinstance(chain, Failure):
        return chain
    return idle_reference(chain) or chain


@functools.lru_cache(maxsize=256)
def _pool_of_scope(scope: Scope) -> _Pool:
    named = {tool.id for part in scope.domains or (None,) for tool in select(part)}
    chosen = {
        tool_id for tool_id in named & speakable().keys() if is_fillable(library()[tool_id])
    } - scope.exclude
    out: dict[str, dict[str, float]] = {}
    into: dict[str, dict[str, float]] = {}
    for (producer, consumer), known in _usable_edges().items():
        if producer in chosen and consumer in chosen:
            best = max(known, key=lambda item: item[1])
            out.setdefault(producer, {})[consumer] = into.setdefault(consumer, {})[producer] = best[1]
    by_category: dict[str, dict[str, tuple[str, ...]]] = {}
    for tool in speakable().values():
        if tool.id in chosen:
            part = by_category.setdefault(tool.scenario, {})
            part[tool.category] = (*part.get(tool.category, ()), tool.id)
    return _Pool(by_category, out, into)


@functools.cache
def _usable_edges() -> Mapping[tuple[str, str], tuple[tuple[Edge, float], ...]]:
    """The plausible edges whose parameters a request can say, less likely where they only echo an argument."""
    known = phrases()
    crowd = _consumer_weights()
    found: dict[tuple[str, str], tuple[tuple[Edge, float], ...]] = {}
    for (producer, consumer), options in plausible_links().items():
        said = set(known[consumer].parameters)
        asked = {
            meaning
            for name, meaning in consumed_meanings(library()[producer])
            if name in known[producer].parameters
        }
        kept = tuple(
            (edge, value * (_ECHO if edge.semantic in asked else 1.0) / crowd[edge.producer, edge.semantic])
            for edge, value in options
            if {edge.parameter, *(name for name, _ in edge.partners)} <= said
        )
        if kept and known[producer].noun != known[consumer].noun:
            found[producer, consumer] = kept
    return found


@functools.cache
def _consumer_weights() -> Mapping[tuple[str, str], float]:
    """(producer, meaning) -> the root of how many take it: many takers of a wide meaning shall not win by number."""
    counts: dict[tuple[str, str], int] = {}
    for edge, _ in itertools.chain.from_iterable(plausible_links().values()):
        counts[edge.producer, edge.semantic] = counts.get((edge.producer, edge.semantic), 0) + 1
    return {key: math.sqrt(number) for key, number in counts.items()}


def _draw_tools(shape: Shape, pool: _Pool, rng: Random) -> tuple[str, ...] | None:
    """A tool for every call, drawn outwards from a random one; None at a dead end."""
    placed: dict[int, str] = {}
    for node in _linked_order(shape, rng):
        before = [placed[a] for a, b in sorted(shape.links) if b == node and a in placed]
        after = [placed[b] for a, b in sorted(shape.links) if a == node and b in placed]
        chosen = _draw_fitting_tool(before, after, pool, rng) if before or after else _draw_tool(pool, rng)
        if chosen is None or chosen in placed.values():
            return None
        placed[node] = chosen
    nouns = {phrases()[tool].noun for tool in placed.values()}
    return tuple(placed[node] for node in range(shape.calls)) if len(nouns) == shape.calls else None


def _linked_order(shape: Shape, rng: Random) -> list[int]:
    """The calls in an order in which each is linked to an earlier one where it is linked at all."""
    rest = list(range(shape.calls))
    rng.shuffle(rest)
    order = [rest.pop()]
    while rest:
        near = [n for n in rest if any({n, m} in ({*link} for link in shape.links) for m in order)]
        order.append((near or rest)[0])
        rest.remove(order[-1])
    return order


def _draw_tool(pool: _Pool, rng: Random) -> str:
    """A tool by scenario and category, both by the root of their size, then evenly."""
    scenarios = [scenario for scenario in SCENARIOS if scenario in pool.by_category]
    sizes = [math.sqrt(sum(map(len, pool.by_category[scenario].values()))) for scenario in scenarios]
    categories = pool.by_category[rng.choices(scenarios, sizes)[0]]
    roots = [math.sqrt(len(tools)) for tools in categories.values()]
    return rng.choice(categories[rng.choices(list(categories), roots)[0]])


def _draw_fitting_tool(before: Sequence[str], after: Sequence[str], pool: _Pool, rng: Random) -> str | None:
    """A tool that all of `before` can feed and that can feed all of `after`, by plausibility, rare tools first."""
    near = [pool.out.get(tool, {}) for tool in before] + [pool.into.get(tool, {}) for tool in after]
    shared = [tool for tool in near[0] if all(tool in others for others in near[1:])]
    if not shared:
        return None
    degree = pool.into if before else pool.out
    weights = [
        math.prod(others[tool] for others in near) / math.sqrt(len(degree.get(tool, {})) or 1)
        for tool in shared
    ]
    return rng.choices(shared, weights)[0]


def _draw_wires(
    shape: Shape, tools: Sequence[str], rng: Random
) -> tuple[Mapping[str, ResultReference], ...] | None:
    """Per call, the parameters that refer to earlier calls; None where two producers want the same one."""
    wires: list[Mapping[str, ResultReference]] = []
    for node, tool in enumerate(tools):
        wired: dict[str, ResultReference] = {}
        for source in sorted(a for a, b in shape.links if b == node):
            options = _usable_edges()[tools[source], tool]
            free = [(edge, value) for edge, value in options if _is_free(edge, source, wired)]
            if not free:
                return None
            edge = rng.choices([edge for edge, _ in free], [value for _, value in free])[0]
            wired |= _references_of_edge(edge, source)
            wired |= _companion_references(free, wired, source, rng)
        wires.append(wired)
    return tuple(wires)


def _is_free(edge: Edge, source: int, wired: Mapping[str, ResultReference]) -> bool:
    """Whether neither its parameters nor its fields are in use."""
    wanted = _references_of_edge(edge, source)
    return not wanted.keys() & wired.keys() and not {*wanted.values()} & {*wired.values()}


def _references_of_edge(edge: Edge, source: int) -> dict[str, ResultReference]:
    names = {known.path: known.name for known in output_fields(edge.producer)}
    paths = {edge.parameter: edge.path, **dict(edge.partners)}
    return {name: ResultReference(source, names[first_path(path)]) for name, path in paths.items()}


def _companion_references(
    free: Sequence[tuple[Edge, float]], wired: Mapping[str, ResultReference], source: int, rng: Random
) -> dict[str, ResultReference]:
    """Further required parameters that the same record can fill: a league id mostly brings its season."""
    found: dict[str, ResultReference] = {}
    for edge, _ in free:
        needed = {item.name for item in library()[edge.consumer].document.parameters if item.required}
        free_still = _is_free(edge, source, {**wired, **found})
        if edge.parameter in needed and free_still and rng.random() < _COMPANION:
            found |= _references_of_edge(edge, source)
    return found
