"""The hard set: plans of 5 to 10 calls, each offered among 50 to 568 tools.

Requests are written by hand (`hard/*.toml`) and use the documents of the starter set. Every call is needed: what it returns,
no other call of the plan returns and no value of the request says.
"""

import random
from collections.abc import Iterator
from dataclasses import replace

from toolyard.benchmarks.nestools.synth.record_documents import record_document
from toolyard.benchmarks.nestools.synth.similar_tools import draw_similar_tools, names, pool
from toolyard.benchmarks.nestools.synth.world import BY_HAND_ONLY, CHOOSE, CONVERT, EXECUTE, GIVEN, make_row
from toolyard.benchmarks.nestools.synth.written_rows import HARD_FOLDER, written_rows
from toolyard.core.types import derived_seed
from toolyard.synth.chains.chain import Chain, chain_from_json
from toolyard.synth.stages import Context, Each, Kept, Outcome, Rejected, Row, RowSource
from toolyard.text.json_values import leaves
from toolyard.world.kernel.tables import fold_case

FEWEST_CALLS, MOST_CALLS = 5, 10
# How many tools are offered: half of the rows 50 to 80, a quarter about 120, the others from 200 up to all.
LIST_SIZES = ((50, 80), (110, 130), (50, 80), (200, 568))


def hard_rows(context: Context) -> Iterator[Row]:
    """The written rows, all of them or as many as wanted, each with its place among them."""
    for number, row in enumerate(written_rows(HARD_FOLDER)[: context.rows or None]):
        yield {**make_row(row), "number": number}


def check_calls(row: Row, context: Context) -> Outcome:  # noqa: ARG001
    """Passes plans of the wanted length in which every call is needed and every argument is documented."""
    chain = chain_from_json(row["chain"])
    if not FEWEST_CALLS <= len(chain.steps) <= MOST_CALLS:
        return Rejected("plan_length", f"{len(chain.steps)} calls")
    for index, step in enumerate(chain.steps):
        if hidden := step.arguments.keys() - record_document(step.tool)["parameters"].keys():
            return Rejected("hidden_parameter", f"{step.tool} {min(hidden)}")
        if not is_needed(chain, index):
            return Rejected("idle_call", step.tool)
    return Kept()


def is_needed(chain: Chain, index: int) -> bool:
    """Whether a later call, or for a last call the request, gets a value from this call that it gets nowhere else."""
    step = chain.steps[index]
    taken = {
        link.field for later in chain.steps[index + 1 :] for _, link in later.links if link.step == index
    }
    lost = _call_and_consumers(chain, index)
    others = [other for place, other in enumerate(chain.steps) if place not in lost]
    known = {fold_case(value) for other in others for value in leaves(other.literals)}
    if not taken:
        known |= {fold_case(value) for other in others for value in leaves(other.output)}
        return any(fold_case(value) not in known for value in leaves(step.output))
    known |= {fold_case(value) for other in others for value in leaves(other.result)}
    return any(fold_case(step.result[field]) not in known for field in taken)


def _call_and_consumers(chain: Chain, index: int) -> set[int]:
    """The call and all that need it, by way of others too."""
    found = {index}
    for place in range(index + 1, len(chain.steps)):
        if any((before, place) in chain.edges for before in found):
            found.add(place)
    return found


def choose_distractors(row: Row, context: Context) -> Outcome:
    """The names of as many tools as the row's list has beside gold, none of which can do a call of the record."""
    fewest, most = LIST_SIZES[row["number"] % len(LIST_SIZES)]
    size = random.Random(derived_seed(context.seed, f"list/{row['id']}", 0)).randint(fewest, most)
    wanted = min(size, len(pool())) - len(row["api"])
    found = draw_similar_tools(chain_from_json(row["chain"]), row["task"], wanted)
    if len(found) + len(row["api"]) < fewest:
        return Rejected("too_few_distractors", f"{len(found)} of {wanted}")
    return Kept({"distractors": [names()[tool_id] for tool_id in found]})


ROWS = RowSource("rows", 1, (*GIVEN, "number"), hard_rows, files=lambda _: sorted(HARD_FOLDER.glob("*.toml")))
CHECK = Each("check", 1, ("chain",), (), check_calls)
DISTRACT = Each("distract", 1, ("chain", "api", "task", "number"), ("distractors",), choose_distractors)
HARD = replace(BY_HAND_ONLY, name="hard", stages=(ROWS, EXECUTE, CHECK, CONVERT, DISTRACT, CHOOSE))
