"""The pipeline "world": tasks whose plans were executed in the library's world, then broken; no model is asked."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import ceil
from pathlib import Path
from random import Random

from toolyard.benchmarks.toolbehonest.data.audit import MOST_SIMILAR, word_cosine
from toolyard.benchmarks.toolbehonest.data.rows import SUBTASKS
from toolyard.benchmarks.toolbehonest.data.tool_list import UNSOLVABLE_QUERY
from toolyard.benchmarks.toolbehonest.synth import data_files
from toolyard.benchmarks.toolbehonest.synth.card_tables import tables
from toolyard.benchmarks.toolbehonest.synth.row_rules import pair_fault, shared_description, solvable_fault
from toolyard.benchmarks.toolbehonest.synth.world import optimal_selection as best
from toolyard.benchmarks.toolbehonest.synth.world.errands import draw_errand
from toolyard.benchmarks.toolbehonest.synth.world.executed_plans import (
    EVERYDAY,
    TaskPlan,
    chain_from_json,
    re_execute,
    to_json,
)
from toolyard.benchmarks.toolbehonest.synth.world.repeated_rounds import ITER, draw_round
from toolyard.benchmarks.toolbehonest.synth.world.request_plans import SINGLE, draw_request_plan
from toolyard.benchmarks.toolbehonest.synth.world.task_pairs import offer_tools, write_choice, write_tasks
from toolyard.core.types import Failure, JsonValue, derived_seed
from toolyard.synth import stages
from toolyard.synth.chains.execution import execution_line, write_execution
from toolyard.synth.stages import Context, Kept, Outcome, Rejected, Row, Rows

ROWS = 140
# Where many a second draft is nearly a copy of the first, or words would tell what is missing.
_SPARE_DRAFTS = {"multi_step_w_rep": 1.8, "iter": 2.4, "os": 2.4, "web": 1.6}
_USUAL_SPARE = 1.4
_LEAST_SPARE = 4
# A needed tool comes back in a subtask only when nothing else is left to choose.
_SAME_NEEDED = 1
_PARTS = 3
# What a plan adds to its row, where it has nothing to say.
_NOTHING: dict[str, JsonValue] = {
    "again": None,
    "run": None,
    "choice": None,
    "opening": "",
    "lines": [],
    "tempting": "",
    "idle": [],
    "others": [],
    "round": None,
}
PLANNED = ("execution", *_NOTHING)


def drafts(context: Context) -> Iterator[Row]:
    """More drafts of each subtask than are wanted: what they turn around, and their number."""
    wanted = ceil((context.rows or ROWS) / len(SUBTASKS))
    for subtask in SUBTASKS:
        count = ceil(wanted * _SPARE_DRAFTS.get(subtask, _USUAL_SPARE)) + _LEAST_SPARE
        fields = [
            (subtask if subtask in ("os", "web") else EVERYDAY[n % len(EVERYDAY)]) for n in range(count)
        ]
        # The tools of one field are prepared together, so its drafts follow one another.
        for n in sorted(range(count), key=lambda n: fields[n]):
            yield {"id": f"{subtask}-{context.seed}-{n:04}", "subtask": subtask, "field": fields[n], "n": n}


def draw_plan(row: Row, context: Context) -> Outcome:
    """Draws and executes the plan."""
    if row["subtask"] == "best":
        chosen = best.draw_choice(context.seed, row["n"])
        if isinstance(chosen, Failure):
            return _to_rejection(chosen)
        execution = chosen.pop("execution")
        return Kept({**_NOTHING, "execution": execution, "choice": chosen})
    if row["subtask"] == SINGLE and row["n"] % 3:
        made = draw_request_plan(context.seed, row["n"])
        return _to_rejection(made) if isinstance(made, Failure) else keep_plan(made.plan, (made.line,))
    if row["subtask"] == ITER:
        run = draw_round(context.seed, row["n"])
        if isinstance(run, Failure):
            return _to_rejection(run)
        around = {
            "values": list(run.values),
            "unused": list(run.unused),
            "thing": run.thing,
            "short": run.short,
        }
        return keep_plan(run.plan, run.lines, run.opening, round=around)
    done = draw_errand(row["subtask"], context.seed, row["n"])
    if isinstance(done, Failure):
        return _to_rejection(done)
    around = {"tempting": done.tempting, "idle": list(done.idle), "others": list(done.others)}
    return keep_plan(done.plan, done.lines, done.opening, **around)


def _to_rejection(failure: Failure) -> Rejected:
    return Rejected(failure.kind, failure.detail)


def keep_plan(made: TaskPlan, lines: Sequence[str], opening: str = "", **around: object) -> Kept:
    """A row with its executed plan and what is said around it."""
    run = None if made.run is None else [made.run.first, made.run.length, made.run.parameter]
    return Kept(
        {
            **_NOTHING,
            "execution": to_json(made.chain),
            "again": made.again,
            "run": run,
            "opening": opening,
            "lines": list(lines),
            **around,
        }
    )


def make_pair(row: Row, context: Context) -> Outcome:
    """Lists the tools, takes away what was needed, and writes both tasks."""
    rng = Random(derived_seed(context.seed, f"pair/{row['id']}", 0))
    if row["subtask"] == "best":
        made = write_choice(row, rng)
    else:
        listed = offer_tools(row, rng)
        if isinstance(listed, Rejected):
            return listed
        made = {**listed, **write_tasks({**row, **listed}, rng)}
    proof = made.pop("proof")
    return Kept({**made, "execution": {**row["execution"], "unsolvable": proof}})


def check_row(row: Row, _context: Context) -> Outcome:
    """The data rules, and that the kept calls return the same again."""
    fault = solvable_fault(row) or pair_fault(row)
    if fault:
        return fault
    return Kept() if re_execute(row) else Rejected("not_repeatable", row["execution"]["steps"][0]["tool"])


def choose(rows: Rows, context: Context) -> Iterator[Row | Rejected]:
    """As many rows of each subtask as are wanted, new needed tools first, none nearly a copy of another."""
    wanted = context.rows or ROWS
    for position, subtask in enumerate(SUBTASKS):
        own = [row for row in rows if row["subtask"] == subtask]
        quota = wanted // len(SUBTASKS) + (position < wanted % len(SUBTASKS))
        yield from chosen_rows(_order_by_variety(own), quota)


def _order_by_variety(rows: list[Row]) -> list[Row]:
    """The rows by how often their needed tools came before, early, middle and late gaps in turn."""
    seen: Counter[str] = Counter()
    turns: Counter[int] = Counter()
    ranks = []
    for row in sorted(rows, key=lambda row: row["n"]):
        needed = _needed_tool(row)
        ranks.append((seen[needed] // _SAME_NEEDED, row["n"], row))
        seen[needed] += 1
    ordered = []
    for _, n, row in sorted(ranks, key=lambda item: item[:2]):
        part = _third_of_gap(row)
        ordered.append((turns[part], part, n, row))
        turns[part] += 1
    return [row for *_, row in sorted(ordered, key=lambda item: item[:3])]


def _third_of_gap(row: Row) -> int:
    """Whether what cannot be done stands in the first, second or last third of the plan."""
    plan = row["unsolvable_plan"]
    places = [(place + 0.5) / len(plan) for place, step in enumerate(plan) if step == UNSOLVABLE_QUERY]
    return int(_PARTS * sum(places) / len(places))


def _needed_tool(row: Row) -> str:
    index = row["unsolvable_plan"].index(UNSOLVABLE_QUERY)
    return str(row["plan"][index])


def chosen_rows(rows: list[Row], quota: int) -> Iterator[Row | Rejected]:
    """The first rows of a subtask of which none is nearly a copy of another."""
    names: dict[str, str] = {}
    kept: list[tuple[Counter[str], Counter[str]]] = []
    for row in rows:
        if len(kept) == quota:
            yield Rejected("surplus", row=row["id"])
            continue
        words = (
            _count_words(row["task"]),
            _count_words("\n".join(f"{name} {text}" for name, text in row["tools"])),
        )
        if any(
            min(word_cosine(words[0], task), word_cosine(words[1], tools)) > MOST_SIMILAR
            for task, tools in kept
        ):
            yield Rejected("near_copy", row["task"][:80], row["id"])
            continue
        shared = shared_description(row, names)
        if shared:
            yield shared
            continue
        kept.append(words)
        yield row


def _count_words(text: str) -> Counter[str]:
    return Counter("".join(sign if sign.isalnum() else " " for sign in text.lower()).split())


def write(rows: Rows, folder: Path, context: Context) -> None:
    """Writes `test_en.json`, and beside it the calls that were executed for each pair and why it has no solution."""
    data_files.write(rows, folder, context)
    ordered = (row for subtask in SUBTASKS for row in rows if row["subtask"] == subtask)
    write_execution(folder, (_execution_record(row, number) for number, row in enumerate(ordered)))


def _execution_record(row: Row, number: int) -> dict[str, JsonValue]:
    execution = row["execution"]
    chain = chain_from_json(execution)
    calls = [
        {
            "tool": step["tool"],
            "arguments": chain.resolved(index),
            "result": step["result"],
            "output": step["digest"],
        }
        for index, step in enumerate(execution["steps"])
    ]
    line = execution_line(str(number), execution["seed"], calls)
    return {**line, "unsolvable": execution["unsolvable"]}


def provenance(_context: Context) -> stages.Provenance:
    """Where the pairs come from."""
    text = (
        "Every plan was executed in the library's world of tools and kept in `execution.jsonl`. A pair became "
        "unsolvable by taking a tool away that no other listed tool can stand in for, by a limit, or by a "
        "constraint that no listed tool meets. What people ask is written by hand for each errand and "
        "each choice, with slots. No model took part."
    )
    return stages.Provenance(text, {"tools, tasks and plans": "Apache-2.0"})


WORLD = stages.Pipeline(
    name="world",
    benchmark="toolbehonest",
    stages=(
        stages.RowSource("drafts", 1, ("subtask", "field", "n"), drafts),
        stages.Each("plan", 9, ("subtask", "field", "n"), PLANNED, draw_plan),
        stages.Each(
            "pair", 10, ("subtask", "field", "n", *PLANNED), (*data_files.PAIR_FIELDS, "execution"), make_pair
        ),
        stages.Each("check", 2, (*data_files.PAIR_FIELDS, "execution"), (), check_row),
        stages.Whole("choose", 2, (*data_files.PAIR_FIELDS, "n", "execution"), (), choose),
    ),
    write=write,
    provenance=provenance,
    tables=tables,
    rows=ROWS,
    of_world=True,
)
