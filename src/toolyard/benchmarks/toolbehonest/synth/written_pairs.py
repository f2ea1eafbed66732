"""Tasks whose words were written by hand, before those that the world's pipeline draws; all become pairs by the same rules.

    {"subtask": "multi_step_wo_rep", "opening": "We move to Lyon:", "spare": ["Category/Package/tool"],
     "steps": [{"say": "Find bakeries in Lyon.", "call": {"Finance/Yelp/yelp_search": {"location": "Lyon"}}}, ...]}

Single steps have a plain `steps: [{tool: arguments}]` and a `task`. What an argument stands for in other words than its own
is listed under `inferred`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from toolyard.benchmarks.toolbehonest.synth.world.executed_plans import TaskPlan, repeat_index
from toolyard.benchmarks.toolbehonest.synth.world.pipeline import PLANNED, WORLD, drafts, draw_plan, keep_plan
from toolyard.benchmarks.toolbehonest.synth.world.tasks import NUMBERS
from toolyard.core.types import Failure, Record, derived_seed
from toolyard.synth.chains.chain import Chain, PlannedStep, execute
from toolyard.synth.stages import Context, Each, Outcome, Provenance, Rejected, Row, RowSource
from toolyard.synth.written_yaml import read_written
from toolyard.text.json_values import leaves

WRITTEN = Path(__file__).parent / "written" / "pairs.yaml"
ROWS = 350


def rows_by_hand(context: Context) -> Iterator[Row]:
    """The tasks as they were written, which come first, and drafts."""
    tasks = read_written(WRITTEN)
    for number, written in enumerate(tasks):
        if "withdrawn" in written:
            continue
        subtask = written["subtask"]
        yield {
            "id": f"{subtask}-{number:03}",
            "subtask": subtask,
            "field": subtask,
            "n": number - len(tasks),
            "written": written,
        }
    yield from ({**row, "written": None} for row in drafts(context))


def execute_written_pair(row: Row, context: Context) -> Outcome:
    """The executed plan of a task, written or drawn."""
    written = row["written"]
    if written is None:
        return draw_plan(row, context)
    steps = _arrange_steps(written["steps"], row["id"])
    chain = execute([PlannedStep(*next(iter(step.get("call", step).items()))) for step in steps])
    if isinstance(chain, Failure):
        return Rejected(chain.kind, chain.detail)
    opening, lines = written.get("opening", ""), [step.get("say", written.get("task")) for step in steps]
    unsaid = list(_unsaid_values(written, chain, "\n".join((opening, *lines))))
    if unsaid:
        return Rejected("value_not_said", ", ".join(unsaid))
    made = TaskPlan(chain, repeat_index([step.tool for step in chain.steps]))
    return keep_plan(
        made, lines, opening, tempting=written.get("tempting", ""), others=list(written["spare"])
    )


def _arrange_steps(steps: Sequence[Record], name: str) -> list[Record]:
    """The steps; those of a tool that comes back at two places that are drawn evenly."""
    tools = [next(iter(step.get("call", step))) for step in steps]
    again = repeat_index(tools)
    if again is None:
        return list(steps)
    twice = [tools.index(tools[again]), again]
    rest = [step for place, step in enumerate(steps) if place not in twice]
    rng = Random(derived_seed(0, f"written/{name}", 0))
    for place, step in zip(sorted(rng.sample(range(len(steps)), 2)), twice, strict=True):
        rest.insert(place, steps[step])
    return rest


def _unsaid_values(written: Record, chain: Chain, task: str) -> Iterator[str]:
    """Values of the calls that the task does not say."""
    inferred = {str(value) for value in written.get("inferred", ())}
    for index in range(len(chain.steps)):
        for value in leaves(chain.resolved(index)):
            if str(value) not in inferred and not is_said(value, task):
                yield str(value)


def is_said(value: object, task: str) -> bool:
    """Whether a task says a value, a small number in digits or words; of a switch nothing has to be said."""
    said = task.casefold().replace(",", "")
    in_words = isinstance(value, int) and value < len(NUMBERS) and NUMBERS[value] in said
    parts = str(value).splitlines()
    return (
        isinstance(value, bool) or in_words or all(part.casefold().replace(",", "") in said for part in parts)
    )


def provenance(_context: Context) -> Provenance:
    """Our own tools and words."""
    text = (
        "Every call was executed in the world of this package and is kept in `execution.jsonl`; "
        "tasks were written by hand, some with slots; no other listed tool can stand in for one that is missing. "
        "No model took part."
    )
    return Provenance(text, {"Toolyard world": "Apache-2.0"})


_DRAFTED = ("subtask", "field", "n", "written")
BY_HAND = replace(
    WORLD,
    name="written",
    stages=(
        RowSource("rows", 2, _DRAFTED, rows_by_hand, files=lambda context: [WRITTEN]),  # noqa: ARG005
        Each("plan", 2, _DRAFTED, PLANNED, execute_written_pair),
        *WORLD.stages[2:],
    ),
    provenance=provenance,
    rows=ROWS,
)
