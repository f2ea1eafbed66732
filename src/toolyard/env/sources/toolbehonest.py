"""Tasks of several steps, half of them with a step that no function can do, as in `synth toolbehonest --from world`.

Steps are executed in the order of the requirements. Where the twin of a task says UnsolvableQuery, the right thing is to
call it with a description of what is missing, and that ends the task: what would come after cannot be known.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from random import Random

from toolyard.benchmarks.toolbehonest.data.rows import SUBTASKS, items_to_samples
from toolyard.benchmarks.toolbehonest.data.sample import Gold, Needed, OtherPlan
from toolyard.benchmarks.toolbehonest.data.tool_list import UNSOLVABLE_QUERY
from toolyard.benchmarks.toolbehonest.synth.data_files import row_to_item
from toolyard.benchmarks.toolbehonest.synth.world.executed_plans import EVERYDAY, chain_from_json, to_json
from toolyard.benchmarks.toolbehonest.synth.world.listed_tools import ids, offered_tools
from toolyard.benchmarks.toolbehonest.synth.world.missing_tool_proof import distractors
from toolyard.benchmarks.toolbehonest.synth.world.pipeline import check_row, draw_plan, make_pair
from toolyard.core.types import Failure, JsonValue, Record, Sample, Score
from toolyard.env.gym_task import Draft, Fits, Function, GoldCall, TaskTurn
from toolyard.env.stage_runner import execute_in_world, run_stages
from toolyard.env.task_functions import function, system
from toolyard.synth.stages import Context, Row
from toolyard.text.word_overlap import distinctive_words

MISSING = "missing_tool"
_REFUSAL = Function(
    UNSOLVABLE_QUERY,
    "",
    "Ends the task where none of the functions can do the next requirement.",
    {
        "type": "object",
        "properties": {
            MISSING: {"type": "string", "description": "What a tool that could do it would have to do."}
        },
        "required": [MISSING],
    },
)


def draw(rng: Random, fits: Fits, world_seed: int) -> Draft | Failure:
    """One twin of a pair."""
    row = _draw_pair(rng, fits, world_seed)
    return row if isinstance(row, Failure) else _make_task(row, rng.random() < 0.5, rng)


def sample(rng: Random, fits: Fits, world_seed: int) -> Sample | Failure:
    """One twin at one of the three levels, as the benchmark asks it."""
    row = _draw_pair(rng, fits, world_seed)
    return row if isinstance(row, Failure) else rng.choice(items_to_samples([row_to_item(row)], "en"))


def families(sample: Sample, score: Score) -> tuple[float, float, float, float]:
    """Format, then the verdict or how far the plan goes, for tool choice and arguments alike, and the outcome."""
    values, level = score.values, sample.input["level"]
    rates = [values.get(name) for name in (f"l{level}_pr", f"solvable_l{level}_pr")]
    outcome = values.get("outcome") or 0.0
    choice = next((rate for rate in rates if rate is not None), outcome)
    return values.get("format") or 0.0, choice, choice, outcome


def gold_from_json(found: Record) -> Gold:
    """The gold that a pool kept; the descriptions of a database are for similarities, which no reward asks."""

    def places_of(lines: Sequence[Record]) -> tuple[Needed, ...]:
        return tuple(Needed(**line) for line in lines)

    others = (OtherPlan(tuple(each["plan"]), places_of(each["needed"])) for each in found["others"])
    lists = {name: tuple(found[name]) for name in ("plan", "known")}
    return Gold(
        **{**found, **lists, "needed": places_of(found["needed"]), "database": None, "others": tuple(others)}
    )


def _draw_pair(rng: Random, fits: Fits, world_seed: int) -> Row | Failure:
    subtask = rng.choice(SUBTASKS)
    context = Context(seed=rng.getrandbits(32))
    field = subtask if subtask in ("os", "web") else rng.choice(EVERYDAY)
    row: Row = {"id": subtask, "subtask": subtask, "field": field, "n": rng.getrandbits(24)}
    made = run_stages(row, (draw_plan, make_pair, check_row), context, _calls_of_row, fits, after=draw_plan)
    if isinstance(made, Failure) or not world_seed:
        return made
    played = execute_in_world(chain_from_json(made["execution"]), world_seed)
    return played if isinstance(played, Failure) else {**made, "execution": to_json(played)}


def _calls_of_row(row: Row) -> list[tuple[str, dict[str, JsonValue]]]:
    chain = chain_from_json(row["execution"])
    return [(step.tool, chain.resolved(index)) for index, step in enumerate(chain.steps)]


def _make_task(row: Row, solvable: bool, rng: Random) -> Draft | Failure:
    names = row["plan"] if solvable else row["unsolvable_plan"]
    gold = _gold_calls(row, names)
    listed = row["tools"] if solvable else row["unsolvable_tools"]
    functions = [function(ids()[name], name, description=text) for name, text in listed]
    functions += _extra_functions(
        row, [name for name, _ in listed], len({call.function for call in gold}), rng
    )
    rng.shuffle(functions)
    text = row["task"] if solvable else row["unsolvable_task"]
    groups = {"subtask": row["subtask"], "verdict": "solvable" if solvable else "unsolvable"}
    reply = "Everything is done." if solvable else ""
    turn, seed = TaskTurn(text, gold, reply), row["execution"]["seed"]
    return Draft(
        system(refusing=True),
        (turn,),
        (*functions, _REFUSAL),
        groups,
        seed,
        tuple(ids()[each] for each in row["plan"]),
    )


@functools.cache
def _all_documents() -> tuple[str, ...]:
    """What all tools are called and do: a word such as search tells none of them from others."""
    return tuple(map(" ".join, offered_tools().values()))


def _gold_calls(row: Row, names: Sequence[str]) -> tuple[GoldCall, ...]:
    """The calls up to the first that cannot be made, which is described by the words of the tool it needs."""
    chain, steps = chain_from_json(row["execution"]), row["execution"]["steps"]
    found: list[GoldCall] = []
    for index, name in enumerate(names):
        if name == UNSOLVABLE_QUERY:
            needed = row["plan"][min(index, len(row["plan"]) - 1)]
            words = f"{needed} {offered_tools()[ids()[needed]][1]}"
            found.append(
                GoldCall(
                    UNSOLVABLE_QUERY,
                    {MISSING: words},
                    about=tuple(sorted(distinctive_words(words, _all_documents()))),
                )
            )
            break
        found.append(GoldCall(name, chain.resolved(index), steps[index]["digest"]))
    return tuple(found)


def _extra_functions(row: Row, listed: Sequence[str], needed: int, rng: Random) -> list[Function]:
    """Further tools that can do no step, so that there are more of them than of needed ones."""
    plan_ids = [ids()[name] for name in row["plan"]]
    spare = len([name for name in listed if name not in row["plan"]])
    tiers = [
        [tool for tool in tier if offered_tools()[tool][0] not in listed] for tier in distractors(plan_ids)
    ]
    for tier in tiers:
        rng.shuffle(tier)
    tools = [tool for tier in tiers for tool in tier][: max(0, needed + 1 - spare)]
    return [function(tool, offered_tools()[tool][0], description=offered_tools()[tool][1]) for tool in tools]
