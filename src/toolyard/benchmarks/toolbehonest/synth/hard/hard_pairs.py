"""From an executed hard task to its pair: gap, lists, the proof of the gap, and the trace of acting anyway."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from toolyard.benchmarks.toolbehonest.data.tool_list import UNSOLVABLE_QUERY
from toolyard.benchmarks.toolbehonest.synth.hard.hard_book import HardTask, all_needed_tools, hard_tasks
from toolyard.benchmarks.toolbehonest.synth.hard.near_misses import (
    READ_ONLY,
    NearMiss,
    list_entry,
    narrow_views,
    near_misses,
    same_question,
)
from toolyard.benchmarks.toolbehonest.synth.world import tasks as say
from toolyard.benchmarks.toolbehonest.synth.world.listed_tools import (
    category_of_tool,
    group_of_tool,
    offered_tools,
)
from toolyard.benchmarks.toolbehonest.synth.world.missing_tool_proof import answered_by, wanted_fields
from toolyard.core.types import JsonValue
from toolyard.synth.chains.chain import Chain
from toolyard.synth.chains.rivals import are_near, can_stand_in, may_replace, shares_job, tells_some
from toolyard.synth.stages import Rejected
from toolyard.text.word_overlap import telling_stems
from toolyard.world.kernel.executor import call
from toolyard.world.kernel.state import World

FEWEST_TOOLS, MOST_TOOLS = 20, 80
# Tools that run whatever they are told to: in a list they could do most steps.
_ANYTHING = ("Execute/", "Zapier/", "Search/WolframSearch/")
_GOLDEN = 0.6180339887
_SECOND_NEAR_MISS = 0.5
_NEAR_MISS_OF_OTHERS = 0.6
_MOST_ORPHANS = 3
_MOST_SPARE_VIEWS = 4
_NEAREST = 0.75
_TWO_DROPPED = 0.3
_NEAR_ENOUGH, _DRAWN = 60, 20
Listed = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Lists:
    """Name and description of every tool, in order, for the solvable task and for its twin."""

    solvable: list[Listed]
    unsolvable: list[Listed]


def make_pair(name: str, chain: Chain, rng: Random) -> dict[str, Any] | Rejected:
    """Lists, plans and proof of a task."""
    task = hard_tasks()[name]
    return _pair_by_limit(task, chain, rng) if task.round else _pair_by_removal(task, chain, rng)


def _pair_by_removal(task: HardTask, chain: Chain, rng: Random) -> dict[str, Any] | Rejected:
    candidates = _removable_tools(task, chain)
    first = int(_even_fraction(task) * len(candidates))
    why = "no near-miss, or another step of the plan does the same job"
    for gap in (*candidates[first:], *candidates[:first]):
        unshown, spare = _spare_tools(task, gap, rng)
        left = [tool for tool in (*task.listed, *spare, unshown) if tool != gap and tool in offered_tools()]
        places = [place for place, tool in enumerate(task.listed) if tool == gap]
        rivals = [tool for place in places for tool in answered_by(chain, place, list(dict.fromkeys(left)))]
        if gap in narrow_views() or not rivals:
            near = _near_misses(task, gap, unshown, rng)
            lists = _list_both_twins(task, gap, unshown, spare, near, rng)
            return _removal_record(task, chain, lists, places, [each for each in near if each.base == gap])
        why = f"{rivals[0]} shows what {gap} found"
    return Rejected("no_gap", why)


def _removal_record(
    task: HardTask, chain: Chain, lists: Lists, places: list[int], near: Sequence[NearMiss]
) -> dict[str, JsonValue]:
    plan = [list_entry(tool)[0] for tool in task.listed]
    return {
        "tools": lists.solvable,
        "unsolvable_tools": lists.unsolvable,
        "plan": plan,
        "unsolvable_plan": [UNSOLVABLE_QUERY if n in places else step for n, step in enumerate(plan)],
        "proof": {
            "form": "removed",
            "needed": [
                {"step": place, "tool": chain.steps[place].tool, "wanted": wanted_fields(chain, place)}
                for place in places
            ],
            "near_miss": [{"name": each.name, "kind": each.kind} for each in near],
            "trace": traces_in_world(chain, places[0]),
        },
    }


def _even_fraction(task: HardTask) -> float:
    """A number from 0 to 1 that is spread evenly over the tasks of a subtask."""
    return (int(task.name[-2:]) * _GOLDEN + 0.5) % 1


def _removable_tools(task: HardTask, chain: Chain) -> list[str]:
    """The tools that may be missing: neither first nor last, with a near-miss, and no other of the plan has the same job.

    No later step may take what the missing one would have returned: all others can still be done.
    """
    taken = {task.listed[reference.step] for step in chain.steps for _, reference in step.links}
    counts = {tool: task.listed.count(tool) for tool in task.listed}
    most = max(counts.values()) if task.subtask == "multi_step_w_rep" else 1
    return [
        tool
        for tool in dict.fromkeys(task.listed)
        if counts[tool] == most
        and tool not in (task.listed[0], task.listed[-1])
        and tool not in taken
        and near_misses(tool)
        and not any(_could_stand_in(other, tool) for other in task.listed)
    ]


def _could_stand_in(other: str, needed: str) -> bool:
    """Whether one tool of a plan names the job of another; that none shows what it found, execution decides."""
    known = not {other, needed} & narrow_views().keys()
    alike = known and (
        shares_job(other, needed) or can_stand_in(other, needed) or same_question(other, needed)
    )
    return other != needed and alike


def _spare_tools(task: HardTask, gap: str, rng: Random) -> tuple[str, list[str]]:
    """A tool that only the twin's list shows, and tools that return nothing of what the gap is for: near ones first."""
    tiers = [
        [
            tool
            for tool in tier
            if tool in narrow_views() or gap in narrow_views() or not tells_some(tool, gap)
        ]
        for tier in _distractor_tiers(task)
    ]
    for tier in tiers:
        rng.shuffle(tier)
        tier.sort(key=lambda tool: tool in all_needed_tools())
    unshown = _replacement_tool(
        task, [tool for tier in tiers for tool in tier if tool in offered_tools()], rng
    )
    count = rng.randint(FEWEST_TOOLS, MOST_TOOLS)
    chosen: list[str] = []
    while len(chosen) < count:
        filled = [tier for tier in tiers if tier]
        tier = filled[0] if rng.random() < _NEAREST else rng.choice(filled)
        chosen.append(tier.pop())
    return unshown, [tool for tool in chosen if tool != unshown]


def _replacement_tool(task: HardTask, idle: Sequence[str], rng: Random) -> str:
    """The tool that the twin lists instead of the missing one: of some near ones that with most words of a line."""
    able = [tool for tool in idle if near_misses(tool)][:_NEAR_ENOUGH]
    lines = [telling_stems(line) for line in task.lines]
    documents = {
        tool: telling_stems(" ".join(list_entry(tool))) for tool in rng.sample(able, min(_DRAWN, len(able)))
    }
    return max(documents, key=lambda tool: max(len(line & documents[tool]) for line in lines))


def _distractor_tiers(task: HardTask) -> Iterator[list[str]]:
    """Tools that can do no step: other views, then tools of the same services, categories and kinds, then all others."""
    plan = tuple(tool for tool in dict.fromkeys(task.listed) if tool in offered_tools())
    others = [name for name in narrow_views() if name not in task.listed]
    yield others[:_MOST_SPARE_VIEWS] if set(task.listed) & narrow_views().keys() else []
    groups, categories = {group_of_tool(tool) for tool in plan}, {category_of_tool(tool) for tool in plan}
    idle = [tool for tool in offered_tools() if _is_useless_for(tool, plan)]
    nearness: tuple[Callable[[str], bool], ...] = (
        lambda tool: group_of_tool(tool) in groups,
        lambda tool: category_of_tool(tool) in categories,
        lambda tool: any(are_near(tool, used) for used in plan),
        lambda tool: True,  # noqa: ARG005
    )
    for is_near in nearness:
        yield [tool for tool in idle if is_near(tool)]
        idle = [tool for tool in idle if not is_near(tool)]


def _is_useless_for(tool: str, plan: tuple[str, ...]) -> bool:
    able = (tool == used or may_replace(tool, used) or same_question(tool, used) for used in plan)
    return not tool.startswith(_ANYTHING) and not any(able)


def _near_misses(task: HardTask, gap: str, unshown: str, rng: Random) -> list[NearMiss]:
    """Near-misses of the gap, of most other steps, and of a tool that only the twin shows: none of them tells the place."""
    chosen: list[NearMiss] = []
    for tool in dict.fromkeys((*task.listed, unshown)):
        own = near_misses(tool)
        # The gap and the tool that only the twin shows have two each: neither list has more without their like.
        always = tool in (gap, unshown)
        if own and (always or rng.random() < _NEAR_MISS_OF_OTHERS):
            first = own[0] if own[-1].kind == READ_ONLY else rng.choice(own)
            rest = [each for each in own if each is not first]
            chosen += [first, *(rest[:1] if always or rng.random() < _SECOND_NEAR_MISS else ())]
    return chosen


def _list_both_twins(
    task: HardTask, gap: str, unshown: str, spare: list[str], near: Sequence[NearMiss], rng: Random
) -> Lists:
    """Both lists, equally long; in each as many near-misses stand without the tool that they resemble."""
    size = min(max(len(spare), FEWEST_TOOLS), MOST_TOOLS)
    orphans = [tool for tool in spare if near_misses(tool)][: rng.randint(0, _MOST_ORPHANS)]
    entries = [list_entry(tool) for tool in dict.fromkeys(task.listed)]
    entries += [(each.name, each.description) for each in near]
    entries += [(each.name, each.description) for tool in orphans for each in near_misses(tool)[:1]]
    free = max(0, size - len(entries))
    entries += [list_entry(tool) for tool in spare if tool not in orphans][:free]
    rng.shuffle(entries)
    place = rng.randint(0, len(entries) - 1)
    unsolvable = [entry for entry in entries if entry != list_entry(gap)]
    unsolvable.insert(place, list_entry(unshown))
    return Lists(entries, unsolvable)


def traces_in_world(chain: Chain, index: int) -> dict[str, JsonValue]:
    """What the step changes in the world, table by table: what a model that acts anyway would leave behind."""
    world = World.fresh(chain.seed)
    for earlier in range(index):
        call(world, chain.steps[earlier].tool, chain.resolved(earlier))
    before = world.snapshot()
    call(world, chain.steps[index].tool, chain.resolved(index))
    return {
        table: {change: sorted(keys) for change, keys in changes.items() if keys}
        for table, changes in world.diff(before).items()
    }


def _pair_by_limit(task: HardTask, chain: Chain, rng: Random) -> dict[str, JsonValue]:
    """A run whose tool knows all values that are asked for, and in the twin lacks one or two of them."""
    run = task.round
    assert run is not None
    tool = task.listed[run.first]
    length = len(run.values)
    count = 2 if length > 4 and rng.random() < _TWO_DROPPED else 1
    taken = {reference.step - run.first for step in chain.steps for _, reference in step.links}
    free = [n for n in range(length) if n not in taken]
    first = free[int(_even_fraction(task) * len(free))]
    dropped = sorted({first, rng.choice([n for n in free if n != first])} if count > 1 else {first})
    left = [*(value for n, value in enumerate(run.values) if n not in dropped), *run.unused[:count]]
    known = [rng.sample(each, len(each)) for each in (list(run.values), left)]
    unshown, spare = _spare_tools(task, tool, rng)
    lists = _list_both_twins(task, tool, unshown, spare, _near_misses(task, tool, unshown, rng), rng)
    plan = [list_entry(each)[0] for each in task.listed]
    places = [run.first + n for n in dropped]
    return {
        "tools": _state_limits(lists.solvable, tool, run.thing, known[0]),
        "unsolvable_tools": _state_limits(lists.solvable, tool, run.thing, known[1]),
        "plan": plan,
        "unsolvable_plan": [UNSOLVABLE_QUERY if n in places else step for n, step in enumerate(plan)],
        "proof": {
            "form": "function",
            "covered": list(run.values),
            "left": left,
            "dropped": [run.values[n] for n in dropped],
            "near_miss": [{"name": list_entry(tool)[0], "kind": "limit"}],
            "trace": traces_in_world(chain, places[0]),
        },
    }


def _state_limits(entries: Sequence[Listed], tool: str, thing: str, known: Sequence[str]) -> list[Listed]:
    name, description = list_entry(tool)
    limits = f"{description} Handles one {thing} per call and knows {say.join_with_and(known)}."
    return [(name, limits) if entry == (name, description) else entry for entry in entries]
