"""From executed plans to pairs: what is listed, what is taken away, and the two tasks in words."""

import functools
from collections.abc import Mapping, Sequence
from random import Random

from toolyard.benchmarks.toolbehonest.data.tool_list import UNSOLVABLE_QUERY
from toolyard.benchmarks.toolbehonest.scoring.baselines import FEWEST_SHARED
from toolyard.benchmarks.toolbehonest.synth.world import tasks as say
from toolyard.benchmarks.toolbehonest.synth.world.executed_plans import TaskPlan, ToolRun, chain_from_json
from toolyard.benchmarks.toolbehonest.synth.world.listed_tools import category_of_tool, offered_tools
from toolyard.benchmarks.toolbehonest.synth.world.missing_tool_proof import (
    answered_by,
    are_near,
    could_replace,
    distractors,
    stands_in,
    wanted_fields,
)
from toolyard.benchmarks.toolbehonest.synth.world.optimal_selection import (
    describe_tool,
    families_by_name,
    unmet_constraints,
)
from toolyard.benchmarks.toolbehonest.synth.world.request_plans import asked_tools
from toolyard.core.types import JsonValue, Record
from toolyard.synth.chains.chain import Chain
from toolyard.synth.chains.remembered_calls import call
from toolyard.synth.stages import Rejected, Row
from toolyard.text.json_values import leaves
from toolyard.text.word_overlap import telling_stems
from toolyard.world.kernel.registry import library
from toolyard.world.kernel.state import World
from toolyard.world.kernel.types import GENERIC

# How many tools that do nothing for the task, by weight, so that lists are as long as the paper's (Table 1). The solvable
# twin goes without one of them, so that both lists are equally long.
SPARE: Mapping[str, Mapping[int, float]] = {
    "single_step": {3: 1, 4: 4, 5: 3},
    "multi_step_wo_rep": {2: 4, 3: 1},
    "multi_step_w_rep": {2: 4, 3: 1},
    "os": {2: 3, 3: 1},
    "web": {2: 1, 3: 4},
    "iter": {4: 1, 5: 1},
}
# Meanings with no end of values: no service could name those that it covers.
_ENDLESS = GENERIC | frozenset(
    {"search_text", "prose", "topic", "word", "url", "page_url", "iso_date", "past_date", "forecast_date"}
    | {"future_date", "travel_date", "trading_date", "file_path", "email", "ip_address", "math_expression"}
    | {"domain", "phone", "shop_query", "food_query", "moment", "coordinates", "codeforces_handle"}
)
_FUNCTION_FORM = 0.7
_TWO_DROPPED = 0.3
_NEAREST = 0.8


def read_plan(row: Row) -> TaskPlan:
    """The plan that a row keeps."""
    run = row["run"]
    return TaskPlan(chain_from_json(row["execution"]), row["again"], None if run is None else ToolRun(*run))


def offer_tools(row: Row, rng: Random) -> Record | Rejected:
    """Both lists and both plans, with the proof that what is missing was needed."""
    plan = read_plan(row)
    if plan.run is not None:
        spare = _spare_tools(row, plan.tools, plan.tools[plan.run.first], rng)
        if isinstance(spare, Rejected):
            return spare
        return _pair_by_limit(plan, _shuffle_tools(plan.tools, spare, rng), row["round"], rng)
    made: Record | Rejected = Rejected("answered_elsewhere", f"every step of {plan.tools[0]} and others")
    able = _removable_steps(plan, row["lines"])
    for place in rng.sample(able, len(able)):
        made = _pair_by_removal(row, plan, place, rng)
        if not isinstance(made, Rejected):
            break
    return made


def _pair_by_removal(row: Row, plan: TaskPlan, place: int, rng: Random) -> dict[str, object] | Rejected:
    """The pair that lacks the tool of a step; where words would tell it, another tool shares as many with the step."""
    removed, line = plan.tools[place], row["lines"][plan.tools.index(plan.tools[place])]
    spare = _spare_tools(row, plan.tools, removed, rng)
    if isinstance(spare, Rejected):
        return spare
    told = len(telling_stems(line) & _telling_words(removed)) >= FEWEST_SHARED
    unshown = _tool_sharing_words(line, plan.tools, removed, spare) if told else rng.choice(spare)
    if not unshown:
        return Rejected("words_tell_it", f"nothing else shares words with the step of {removed}")
    if unshown not in spare:
        spare[-1] = unshown
    return _pair_without_tool(plan, removed, _shuffle_tools(plan.tools, spare, rng), unshown)


def _pair_without_tool(
    plan: TaskPlan, removed: str, shown: Sequence[str], unshown: str
) -> dict[str, object] | Rejected:
    """The pair of lists: the twin lacks the removed tool, the solvable task one that does nothing for it."""
    left = [tool for tool in shown if tool != removed]
    proofs = []
    for index, tool in enumerate(plan.tools):
        if tool == removed:
            rivals = answered_by(plan.chain, index, left)
            if rivals:
                return Rejected("answered_elsewhere", f"{rivals[0]} shows what {removed} found")
            proofs.append(
                {"step": index, "tool": tool, "wanted": wanted_fields(plan.chain, index), "tried": left}
            )
    return {
        "tools": [list(offered_tools()[tool]) for tool in shown if tool != unshown],
        "plan": [offered_tools()[tool][0] for tool in plan.tools],
        "unsolvable_tools": [list(offered_tools()[tool]) for tool in left],
        "unsolvable_plan": [
            UNSOLVABLE_QUERY if tool == removed else offered_tools()[tool][0] for tool in plan.tools
        ],
        "proof": {"form": "removed", "needed": proofs},
    }


def _shuffle_tools(plan: Sequence[str], spare: Sequence[str], rng: Random) -> list[str]:
    shown = [*dict.fromkeys(plan), *spare]
    rng.shuffle(shown)
    return shown


def _tool_sharing_words(line: str, plan: Sequence[str], removed: str, spare: Sequence[str]) -> str:
    """A tool that shares telling words with a step, as the needed one does, spare ones first; empty where there is none."""
    said = telling_stems(line)
    fields = {category_of_tool(used) for used in plan}
    others = sorted(
        offered_tools().keys() - set(plan) - set(spare),
        key=lambda tool: (
            category_of_tool(tool) not in fields,
            tool not in asked_tools(),
            -len(said & _telling_words(tool)),
            tool,
        ),
    )
    able = (tool for tool in (*spare, *others) if len(said & _telling_words(tool)) >= FEWEST_SHARED)
    return next((tool for tool in able if _is_idle(tool, plan, removed)), "")


def _is_idle(tool: str, plan: Sequence[str], removed: str) -> bool:
    """Whether a tool can do no step of a plan; what is about things of the missing kind is one of those looked through."""
    if any(stands_in(tool, used) for used in plan):
        return False
    return tool in asked_tools() or not are_near(tool, removed)


@functools.cache
def _telling_words(tool: str) -> frozenset[str]:
    return telling_stems(" ".join(offered_tools()[tool]))


def _removable_steps(plan: TaskPlan, lines: Sequence[str]) -> list[int]:
    """The steps that no later one builds on and that no other tool of the plan could do; the repeated one, if any."""
    places = [plan.again] if plan.again is not None else range(len(plan.tools))
    return [
        place
        for place in places
        if not _is_used_later(plan, place, " ".join(lines))
        and not any(
            other != plan.tools[place] and could_replace(other, plan.tools[place], lines[place])
            for other in plan.tools
        )
    ]


def _is_used_later(plan: TaskPlan, place: int, said: str) -> bool:
    """Whether a later step takes what this one returned and nobody said, or fails without it."""
    chain = plan.chain
    later = range(place + 1, len(plan.tools))
    if any(link.step == place for n in later for link in chain.steps[n].references.values()):
        return True
    found = set(
        map(str, leaves(call(_world_before(chain, place), plan.tools[place], chain.resolved(place)).value))
    )
    unsaid = {text for n in later for text in map(str, leaves(chain.resolved(n))) if text not in said}
    world = _world_before(chain, place)
    fails = any(call(world, plan.tools[n], chain.resolved(n)).error is not None for n in later)
    return fails or not found.isdisjoint(unsaid - set(map(str, leaves(chain.resolved(place)))))


def _world_before(chain: Chain, place: int) -> World:
    """A world in which the steps before a place are done."""
    world = World.fresh(chain.seed)
    for step in range(place):
        call(world, chain.steps[step].tool, chain.resolved(step))
    return world


def _spare_tools(row: Row, plan: Sequence[str], removed: str, rng: Random) -> list[str] | Rejected:
    """Tools that can do no step of the plan: those written down for it first, then those near it by their documents."""
    weights = SPARE[row["subtask"]]
    count = rng.choices(list(weights), list(weights.values()))[0]
    own = [tool for tool in row["others"] if not any(stands_in(tool, used) for used in plan)]
    idle = [
        [tool for tool in tier if tool not in own and _is_idle(tool, plan, removed)]
        for tier in distractors(plan)
    ]
    tiers = [own, *idle]
    for tier in tiers:
        rng.shuffle(tier)
        tier.sort(key=lambda tool: tool in asked_tools())
    chosen: list[str] = []
    while len(chosen) < count:
        filled = [tier for tier in tiers if tier]
        if not filled:
            return Rejected("no_distractor", plan[0])
        tier = filled[0] if own or rng.random() < _NEAREST else rng.choice(filled)
        chosen.append(tier.pop())
    return chosen


def _pair_by_limit(plan: TaskPlan, shown: Sequence[str], around: Record, rng: Random) -> dict[str, JsonValue]:
    """The iterated tool with its limits: so many calls, or values of which it does not know all in the twin."""
    run = plan.run
    assert run is not None
    tool = plan.tools[run.first]
    names = [offered_tools()[step][0] for step in plan.tools]
    values: list[str] = around["values"]
    count = 2 if run.length > 3 and rng.random() < _TWO_DROPPED else 1
    if (
        len(around["unused"]) >= count
        and _can_be_covered(tool, run.parameter)
        and rng.random() < _FUNCTION_FORM
    ):
        dropped = sorted(rng.sample(range(run.length), count))
        left = [*(value for n, value in enumerate(values) if n not in dropped), *around["unused"][:count]]
        known = [rng.sample(each, len(each)) for each in (values, left)]
        unsolvable = [UNSOLVABLE_QUERY if n in dropped else name for n, name in enumerate(names)]
        proof: dict[str, JsonValue] = {
            "form": "function", "covered": values, "left": left, "dropped": [values[n] for n in dropped]
        }  # fmt: skip
    else:
        # One call short: whether a plan stops there or names every step that is left, it is the same plan.
        calls = len(names) - 1
        known = [[], []]
        unsolvable = [*names[:calls], UNSOLVABLE_QUERY]
        proof = {"form": "limit", "calls": calls}
    return {
        "tools": _list_with_limits(shown, tool, _limits_sentence(around["thing"], known[0])),
        "plan": names,
        "unsolvable_tools": _list_with_limits(shown, tool, _limits_sentence(around["thing"], known[1])),
        "unsolvable_plan": unsolvable,
        "proof": proof,
    }


def _can_be_covered(tool: str, parameter: str) -> bool:
    schema = next(item.schema for item in library()[tool].document.parameters if item.name == parameter)
    meaning: str = schema.get("x-semantic", "json")
    return "enum" in schema or not (meaning in _ENDLESS or meaning.endswith("_id"))


def _limits_sentence(thing: str, values: Sequence[str]) -> str:
    limits = f"Handles one {thing} per call"
    return f"{limits} and knows {say.join_with_and(values)}." if values else f"{limits}."


def _list_with_limits(shown: Sequence[str], limited: str, limits: str) -> list[JsonValue]:
    return [
        [
            offered_tools()[tool][0],
            f"{offered_tools()[tool][1]} {limits}" if tool == limited else offered_tools()[tool][1],
        ]
        for tool in shown
    ]


def write_tasks(row: Row, rng: Random) -> dict[str, JsonValue]:
    """The task and its unsolvable twin, in the same words but for how many calls are left."""
    lines: list[str] = row["lines"]
    if row["subtask"] == "single_step":
        return {"task": lines[0], "unsolvable_task": lines[0]}
    laid_out = say.lay_out_lines(lines, rng)
    ends = [say.text_after_list(row["idle"], row["tempting"], rng)] * 2
    if row["proof"]["form"] == "limit":
        calls = row["proof"]["calls"]
        ends = [row["round"]["short"].format(limit=say.NUMBERS[limit]) for limit in (len(row["plan"]), calls)]
    task, unsolvable = (say.itemise_task((row["opening"],), laid_out, end) for end in ends)
    return {"task": task, "unsolvable_task": unsolvable}


def write_choice(row: Row, rng: Random) -> dict[str, object]:
    """Lists, plans and tasks of optimal selection."""
    chosen = row["choice"]
    family = families_by_name()[chosen["family"]]
    gold = row["execution"]["steps"][0]["tool"]
    tools: list[JsonValue] = [
        [
            offered_tools()[tool][0],
            describe_tool(tool, family) if tool in family["tools"] else offered_tools()[tool][1],
        ]
        for tool in chosen["tools"]
    ]
    # Without it two tools, each meeting a part, would solve the twin.
    head = (chosen["ask"], say.one_tool_sentence(rng))
    missing = {tool: unmet_constraints(tool, family, chosen["unmet"]) for tool in family["tools"]}
    return {
        "tools": tools,
        "plan": [offered_tools()[gold][0]],
        "unsolvable_tools": tools,
        "unsolvable_plan": [UNSOLVABLE_QUERY],
        "task": say.itemise_task(head, chosen["says"], ""),
        "unsolvable_task": say.itemise_task(head, chosen["unmet"], ""),
        "proof": {"form": "constraints", "met": chosen["says"], "wanted": chosen["unmet"], "lacked": missing},
    }
