"""The pipeline "hard": the book's tasks, executed, broken in the middle and checked; no model is asked."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from toolyard.benchmarks.toolbehonest.data.rows import SUBTASKS
from toolyard.benchmarks.toolbehonest.synth import data_files
from toolyard.benchmarks.toolbehonest.synth.hard.hard_book import FILES, FOLDER, HardTask, hard_tasks
from toolyard.benchmarks.toolbehonest.synth.hard.hard_pairs import make_pair
from toolyard.benchmarks.toolbehonest.synth.hard.near_misses import narrow_views
from toolyard.benchmarks.toolbehonest.synth.world.executed_plans import chain_from_json, to_json
from toolyard.benchmarks.toolbehonest.synth.world.pipeline import WORLD, chosen_rows
from toolyard.benchmarks.toolbehonest.synth.world.tasks import itemise_task
from toolyard.benchmarks.toolbehonest.synth.written_pairs import is_said
from toolyard.core.types import Failure, Record, derived_seed
from toolyard.synth import stages
from toolyard.synth.chains.chain import Chain, execute
from toolyard.synth.stages import Context, Kept, Outcome, Rejected, Row, Rows
from toolyard.text.json_values import leaves

_BOOK = ("subtask", "n")
_JOINED, _REMARK = 0.5, 0.4


def book_rows(_context: Context) -> Iterator[Row]:
    """A row for every task of the book."""
    for number, task in enumerate(hard_tasks().values()):
        yield {"id": task.name, "subtask": task.subtask, "n": number}


def execute_task(row: Row, _context: Context) -> Outcome:
    """Executes the steps; every value of a call must be said or returned before."""
    task = hard_tasks()[row["id"]]
    chain = execute(task.steps)
    if isinstance(chain, Failure):
        return Rejected(chain.kind, chain.detail)
    unsaid = list(_unsaid_values(task, chain))
    return Rejected("value_not_said", ", ".join(unsaid)) if unsaid else Kept({"execution": to_json(chain)})


def _unsaid_values(task: HardTask, chain: Chain) -> Iterator[str]:
    text = "\n".join((task.opening, *task.lines))
    for listed, step in zip(task.listed, chain.steps, strict=True):
        # What a view is told is a sentence or a query of its own, made from the values that its line says.
        for value in () if listed in narrow_views() else leaves(list(step.literals.values())):
            if str(value) not in task.inferred and not is_said(value, text):
                yield f"{listed}: {value}"


def make_twins(row: Row, context: Context) -> Outcome:
    """Lists the tools, takes away what was needed in the middle, and writes the task, which both twins share."""
    task = hard_tasks()[row["id"]]
    rng = Random(derived_seed(context.seed, f"hard/{row['id']}", 0))
    made = make_pair(row["id"], chain_from_json(row["execution"]), rng)
    if isinstance(made, Rejected):
        return made
    text = _request_text(task, rng)
    proof = made.pop("proof")
    execution = {**row["execution"], "unsolvable": proof}
    tags = _tags_of_row(task, proof)
    return Kept({**made, "task": text, "unsolvable_task": text, "execution": execution, "tags": tags})


def _request_text(task: HardTask, rng: Random) -> str:
    """The task in words: in half of them two steps share a line, and some end with a remark that needs no tool."""
    lines = list(task.lines)
    if rng.random() < _JOINED:
        place = rng.randrange(len(lines) - 1)
        lines[place : place + 2] = [" ".join(lines[place : place + 2])]
    remark = rng.choice(task.idle) if task.idle and rng.random() < _REMARK else ""
    return itemise_task((task.opening,), lines, " ".join(filter(None, (remark, task.tempting))))


def _tags_of_row(task: HardTask, proof: Record) -> list[str]:
    """What makes the row hard: steps, the kinds of near-misses, and the tables that acting anyway would change."""
    kinds = dict.fromkeys(near["kind"] for near in proof["near_miss"])
    return [
        f"chain-{len(task.steps)}",
        *(f"near-miss-{kind.replace('_', '-')}" for kind in kinds),
        *(f"trace-{table.replace('_', '-')}" for table in proof["trace"]),
    ]


def choose(rows: Rows, context: Context) -> Iterator[Row | Rejected]:
    """All rows, or as many as are wanted, evenly over the subtasks; none nearly a copy of another."""
    present = [subtask for subtask in SUBTASKS if any(row["subtask"] == subtask for row in rows)]
    for position, subtask in enumerate(present):
        own = [row for row in rows if row["subtask"] == subtask]
        even = context.rows // len(present) + (position < context.rows % len(present))
        yield from chosen_rows(own, even if context.rows else len(own))


def provenance(_context: Context) -> stages.Provenance:
    """Our own tools and words."""
    text = (
        "Every call was executed in the world of this package and is kept in `execution.jsonl`, with what acting in the "
        "place of the gap would change. Tasks were written by hand. Near-misses are tools of the world under another name, "
        "with a limit in their document that excludes the request. No model took part."
    )
    return stages.Provenance(text, {"Toolyard world": "Apache-2.0"})


HARD = replace(
    WORLD,
    name="hard",
    stages=(
        stages.RowSource("tasks", 1, _BOOK, book_rows, files=lambda _: [FOLDER / name for name in FILES]),
        stages.Each("plan", 1, ("subtask",), ("execution",), execute_task),
        stages.Each(
            "pair", 1, ("subtask", "execution"), (*data_files.PAIR_FIELDS, "execution", "tags"), make_twins
        ),
        WORLD.stages[3],
        stages.Whole("choose", 1, (*data_files.PAIR_FIELDS, "n", "execution", "tags"), (), choose),
    ),
    provenance=provenance,
    rows=0,
)
