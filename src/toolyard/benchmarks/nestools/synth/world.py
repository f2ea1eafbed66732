"""NesTools records from the world: goals with values, or rows written by hand, whose calls were executed.

Every gold call stands on values that tools really returned, the limitation that the paper names for its own data.
No chain is made without a goal: a person wants these calls together, and each link has its reason.
"""

import math
import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from toolyard.benchmarks.nestools.data.distractors import PER_GOLD_TOOL
from toolyard.benchmarks.nestools.synth.card_tables import tables
from toolyard.benchmarks.nestools.synth.data_files import write, write_distractors
from toolyard.benchmarks.nestools.synth.made_records import (
    chain_gold_calls,
    chain_tools,
    other_call,
    other_readings,
    proved_alternatives,
    reject_ill_typed,
    states_default,
)
from toolyard.benchmarks.nestools.synth.record_documents import documented_fields, record_document
from toolyard.benchmarks.nestools.synth.similar_tools import draw_similar_tools, names, pool
from toolyard.benchmarks.nestools.synth.written_rows import FOLDER, WrittenRow, written_rows
from toolyard.core.benchmark import Choice
from toolyard.core.types import Decoding, Failure, Message, derived_seed
from toolyard.synth import stages
from toolyard.synth.chains.chain import Chain, chain_from_json, execute, plan_from_json, plan_to_json, to_json
from toolyard.synth.chains.execution import chain_calls, execution_line, write_execution
from toolyard.synth.goals.accepts import accepted_alternatives
from toolyard.synth.goals.goal_book import Goal, all_goals
from toolyard.synth.goals.sayings import find_unsaid, is_whole_word
from toolyard.synth.mixture.held_out import held_out_goals
from toolyard.synth.screening import addresses_model
from toolyard.synth.stages import Context, Kept, Outcome, Rejected, Row, Rows
from toolyard.text.templates import render

ROWS = 300
# Drafts per wanted row: most stand, and the choice among them spreads goals and phrasings.
DRAFTS = 1.3
WRITTEN, FROM_GOAL = "written", "goal"
WORLD_SEED = 0
HELD_OUT = "held-out"
GOALS = Choice("goals", "all, or those that no training row is made of", "all", ("all", HELD_OUT))
# A rewording that has fewer of the request's longer words is about something else.
LEAST_KEPT_WORDS = 0.4
REPHRASE_TEMPLATE = (Path(__file__).parent / "templates" / "rephrase.txt").read_text("utf-8")


def drafts(context: Context) -> Iterator[Row]:
    """Goals in turn, each time with other values and another phrasing, until all are used up."""
    wanted = math.ceil(context.rows * DRAFTS)
    made = 0
    book = held_out_goals() if context.options.get(GOALS.name) == HELD_OUT else all_goals()
    for turn in range(max((goal.fillings for goal in book), default=0)):
        rng = random.Random(derived_seed(context.seed, "goals", turn))
        for goal in rng.sample(book, len(book)):
            if made == wanted:
                return
            if turn < goal.fillings:
                yield _draft_of_goal(goal, turn, made, context.seed)
                made += 1


def _draft_of_goal(goal: Goal, turn: int, number: int, seed: int) -> Row:
    rng = random.Random(derived_seed(seed, f"goal/{goal.name}", 0))
    values = rng.sample(range(goal.fillings), goal.fillings)[turn]
    filling = goal.fill(values, rng.randrange(len(goal.ask)) + turn)
    return {
        "id": str(number),
        "goal": goal.name,
        "field": goal.field,
        "task": filling.text,
        "plan": plan_to_json(filling.plan),
        "says": dict(filling.says),
        "accepts": [list(each) for each in filling.accepts],
        "readings": [],
        "origin": FROM_GOAL,
    }


def rows_by_hand(context: Context) -> Iterator[Row]:
    """The written rows, all of them or as many as wanted."""
    yield from map(make_row, written_rows()[: context.rows or None])


def make_row(row: WrittenRow) -> Row:
    """A written row as the stages take it."""
    return {
        "id": row.place,
        "goal": row.goal,
        "field": row.field,
        "task": row.query,
        "plan": plan_to_json(row.plan),
        "says": dict(row.says),
        "accepts": [[place, dict(changed)] for place, changed in row.accepts],
        "readings": [[place, dict(changed)] for place, changed in row.readings],
        "origin": WRITTEN,
    }


def execute_row(row: Row, context: Context) -> Outcome:  # noqa: ARG001
    """The executed calls, where the request says every value and no value that only a call could tell."""
    plan = plan_from_json(row["plan"])
    missing = find_unsaid(row["task"], plan, row["says"])
    if missing:
        return Rejected("values_missing", "; ".join(missing))
    chain = execute(plan, WORLD_SEED, documented_fields)
    if isinstance(chain, Failure):
        return Rejected(chain.kind, chain.detail)
    problem = reject_ill_typed(chain) or states_default(chain) or _reject_said_values(chain, row["task"])
    return problem or Kept({"chain": to_json(chain)})


def _reject_said_values(chain: Chain, text: str) -> Rejected | None:
    """A text that a call is to find out, which the request says already; numbers are equal by chance."""
    for step in chain.steps:
        for name, link in step.links:
            value = chain.steps[link.step].result[link.field]
            if isinstance(value, str) and is_whole_word(value, text):
                return Rejected("known_value", f"{step.tool} {name}: {value}")
    return None


def chain_to_record(row: Row, context: Context) -> Outcome:  # noqa: ARG001
    """The chain as tools and calls with labels, and what else is right."""
    chain = chain_from_json(row["chain"])
    accepted = accepted_alternatives(
        chain, row["accepts"], lambda *other: other_call(chain, *other), documented_fields
    )
    if isinstance(accepted, Failure):
        return Rejected(accepted.kind, accepted.detail)
    proved = proved_alternatives(chain, row["task"], row["says"])
    return Kept(
        {
            "api": list(chain_tools(chain)),
            "call": chain_gold_calls(chain),
            "alternatives": [*proved, *accepted, *other_readings(chain, row["readings"])],
        }
    )


def rephrase_prompt(row: Row, context: Context) -> tuple[Message, ...]:  # noqa: ARG001
    """Asks for the same request in other words."""
    return (Message("user", render(REPHRASE_TEMPLATE, {"request": row["task"]})),)


def accept_rephrasing(row: Row, text: str, context: Context) -> Outcome:  # noqa: ARG001
    """The model's words where they still say every value, else the goal's, counted as a repair."""
    words = " ".join(text.split())
    missing = find_unsaid(words, plan_from_json(row["plan"]), row["says"])
    too_long = len(words) > 2 * len(row["task"])
    if missing or too_long or addresses_model(words) or _kept_words(row["task"], words) < LEAST_KEPT_WORDS:
        return Kept({"task": row["task"]}, ("rephrasing_dropped",))
    return Kept({"task": words})


def choose_similar_tools(row: Row, context: Context) -> Outcome:  # noqa: ARG001
    """The names of similar tools that can do no call of the record."""
    found = draw_similar_tools(chain_from_json(row["chain"]), row["task"])
    wanted = PER_GOLD_TOOL * len(row["api"])
    if len(found) < wanted:
        return Rejected("too_few_distractors", f"{len(found)} of {wanted}")
    return Kept({"distractors": [names()[tool_id] for tool_id in found]})


def _kept_words(before: str, after: str) -> float:
    """The share of the longer words of a request that its rewording still has, by their first letters."""
    stems = [{word[:5] for word in re.findall(r"[a-z]{4,}", text.lower())} for text in (before, after)]
    return len(stems[0] & stems[1]) / max(1, len(stems[0]))


def choose(rows: Rows, context: Context) -> Iterator[Row | Rejected]:
    """As many records as wanted, goals as evenly as they come; the first brings the whole pool, without copies."""
    listed = list(rows)
    kept = _choose_evenly(listed, context.rows or len(listed))
    spare: list[object] = [record_document(tool_id) for tool_id in pool()]
    for index, row in enumerate(listed):
        if index not in kept:
            yield Rejected("surplus", row=row["id"])
        else:
            yield {**row, "spare": spare}
            spare = []


def _choose_evenly(rows: list[Row], wanted: int) -> set[int]:
    """The places of as many rows as wanted, each goal once before any comes again."""
    seen: Counter[str] = Counter()
    turns: dict[int, int] = {}
    for index, row in enumerate(rows):
        turns[index] = seen[row["goal"]]
        seen[row["goal"]] += 1
    return set(sorted(turns, key=lambda index: (turns[index], index))[:wanted])


def write_world(rows: Rows, folder: Path, context: Context) -> None:
    """The files of the benchmark, and beside them the proof that the gold was executed."""
    write(rows, folder, context)
    write_distractors(rows, folder)
    lines = (
        execution_line(str(number), chain.seed, chain_calls(chain))
        for number, chain in enumerate((chain_from_json(row["chain"]) for row in rows), 1)
    )
    write_execution(folder, lines)


def provenance(context: Context) -> stages.Provenance:  # noqa: ARG001
    """Everything is our own."""
    return stages.Provenance(
        "Goals (why somebody wants these calls together) were filled with values and executed in Toolyard's tool "
        "world; requests are phrasings of the goals. Stored results are in `execution.jsonl`; `toolyard check "
        "nestools --data FOLDER` executes them again.",
        _LICENCES,
    )


def provenance_by_hand(context: Context) -> stages.Provenance:  # noqa: ARG001
    """Everything is our own."""
    return stages.Provenance(
        "Every request was written by hand for the calls behind it, which were executed in Toolyard's tool world. "
        "Stored results are in `execution.jsonl`; `toolyard check nestools --data FOLDER` executes them again.",
        _LICENCES,
    )


_LICENCES: Mapping[str, str] = {"tools, calls, results and queries": "Apache-2.0"}
GIVEN = ("goal", "field", "task", "plan", "says", "accepts", "readings", "origin")
DRAFT = stages.RowSource("draft", 5, GIVEN, drafts, (GOALS.name,))
BY_HAND = stages.RowSource("rows", 3, GIVEN, rows_by_hand, files=lambda _: sorted(FOLDER.glob("*.toml")))
EXECUTE = stages.Each("execute", 2, ("plan", "says", "task"), ("chain",), execute_row)
CONVERT = stages.Each(
    "convert",
    5,
    ("chain", "says", "task", "accepts", "readings"),
    ("api", "call", "alternatives"),
    chain_to_record,
)
DISTRACT = stages.Each("distract", 3, ("chain", "api", "task"), ("distractors",), choose_similar_tools)
REPHRASE = stages.Ask(
    "rephrase",
    2,
    ("plan", "says", "task"),
    ("task",),
    rephrase_prompt,
    accept_rephrasing,
    Decoding(temperature=0.7, max_tokens=512),
)
CHOOSE = stages.Whole("choose", 2, ("chain", "goal"), ("spare",), choose)

WORLD = stages.Pipeline(
    name="world",
    benchmark="nestools",
    stages=(DRAFT, EXECUTE, CONVERT, DISTRACT, CHOOSE),
    write=write_world,
    provenance=provenance,
    tables=tables,
    choices=(GOALS,),
    rows=ROWS,
    of_world=True,
)
REPHRASED = replace(WORLD, name="world+model", stages=(DRAFT, EXECUTE, CONVERT, DISTRACT, CHOOSE, REPHRASE))
BY_HAND_ONLY = replace(
    WORLD,
    name=WRITTEN,
    stages=(BY_HAND, EXECUTE, CONVERT, DISTRACT, CHOOSE),
    provenance=provenance_by_hand,
    choices=(),
    rows=0,
)
