"""NesTools records from the world: typed call chains that were executed, asked for in one sentence or some.

Every gold call stands on values that tools really returned, the limitation that the paper names for its own data.
"""

from __future__ import annotations

import functools
import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from toolyard.benchmarks.nestools.distractors import PER_GOLD_TOOL
from toolyard.benchmarks.nestools.synth.card_tables import tables
from toolyard.benchmarks.nestools.synth.data_files import write, write_distractors
from toolyard.benchmarks.nestools.synth.similar import distractors, names, pool
from toolyard.core.nesting import label
from toolyard.core.types import Decoding, Failure, Json, Message, derived_seed
from toolyard.synth.chains.chain import Chain, ResultReference, from_json, takes_list, to_json
from toolyard.synth.chains.execution import SURROUNDINGS, chain_calls, execution_line, write_execution
from toolyard.synth.chains.projection import fields
from toolyard.synth.chains.sampling import WEIGHTS, Scope, draw, structure_of
from toolyard.synth.screening import addresses_model
from toolyard.synth.stages import (
    Ask,
    Context,
    Each,
    Kept,
    Outcome,
    Pipeline,
    Provenance,
    Rejected,
    Row,
    Rows,
    RowSource,
    Whole,
)
from toolyard.synth.wording.requests import covered, query
from toolyard.text.templates import render
from toolyard.world.phrase import phrases
from toolyard.world.registry import copies, library

ROWS = 300
# Drafts per wanted row: more than half of the draws stand, and the rare shapes need some choice.
DRAFTS = 3
# No tool is called in more than this share of the records, nor any pair of tools twice.
MOST_USED = 0.03
LONGEST_QUERY = 800
# Long chains seldom stand, so more of them are drafted than are wanted.
DRAFTED = {
    shape: weight * (4 if shape.count(",") >= 2 and "4" in shape else 1) for shape, weight in WEIGHTS.items()
}
# A rewording that has fewer of the request's longer words is about something else.
LEAST_KEPT_WORDS = 0.4
TYPE_NAMES = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "array": "list",
    "object": "dict",
}
REPHRASE_TEMPLATE = (Path(__file__).parent / "templates" / "rephrase.txt").read_text("utf-8")


@functools.cache
def document(tool_id: str) -> Json:
    """The tool in the form of the data: the parameters that a request can speak of, the flat returned fields."""
    tool = library()[tool_id].document
    spoken = set(phrases()[tool_id].parameters)
    return {
        "api_name": names()[tool_id],
        "api_description": tool.description,
        "parameters": {
            parameter.name: {
                "type": TYPE_NAMES[parameter.schema["type"]],
                "description": parameter.schema.get("description", parameter.name),
            }
            for parameter in tool.parameters
            if parameter.required or parameter.name in spoken
        },
        "required": [parameter.name for parameter in tool.parameters if parameter.required],
        "responses": {
            field.name: {"type": field.type, "description": field.description} for field in fields(tool_id)
        },
    }


def drafts(context: Context) -> Iterator[Row]:
    """Numbers to draw chains by, each with the shape that is wanted."""
    for number in range(context.rows * DRAFTS):
        yield {"id": str(number), "shape": structure_of(context.seed, number, DRAFTED)}


def execute(row: Row, context: Context) -> Outcome:
    """An executed chain of the wanted shape, in which every step matters."""
    drawn = draw(context.seed, int(row["id"]), row["shape"], Scope(exclude=copies()))
    if isinstance(drawn, Failure):
        return Rejected(drawn.kind, drawn.detail)
    return Kept({"chain": to_json(drawn)})


def convert(row: Row, context: Context) -> Outcome:  # noqa: ARG001
    """The chain as tools and calls with labels; what the form of the data cannot say is rejected."""
    chain = from_json(row["chain"])
    tools = {step.tool: document(step.tool) for step in chain.steps}
    labels = _labels(chain)
    calls = []
    for index, step in enumerate(chain.steps):
        problem = _unspeakable(chain, index, tools)
        if problem is not None:
            return problem
        parameters = {
            name: labels[given.step, given.field] if isinstance(given, ResultReference) else given
            for name, given in step.arguments.items()
        }
        own = [labels[index, field.name] for field in fields(step.tool)]
        calls.append({"api_name": names()[step.tool], "parameters": parameters, "responses": own})
    first = library()[chain.steps[0].tool]
    return Kept(
        {
            "api": list(tools.values()),
            "call": calls,
            "field": f"{first.category}/{first.subcategory}".replace("_", " "),
        }
    )


def _labels(chain: Chain) -> dict[tuple[int, str], str]:
    """(step, field) -> its label; labels count through all returned fields of all calls."""
    places = [(index, field.name) for index, step in enumerate(chain.steps) for field in fields(step.tool)]
    return {place: label(number) for number, place in enumerate(places)}


def _unspeakable(chain: Chain, index: int, tools: Mapping[str, Json]) -> Rejected | None:
    step = chain.steps[index]
    declared = tools[step.tool]["parameters"]
    for name, given in step.arguments.items():
        if name not in declared:
            return Rejected("undocumented_parameter", f"{step.tool} {name}")
        if not isinstance(given, ResultReference):
            continue
        if takes_list(step.tool, name):
            return Rejected("reference_in_list", f"{step.tool} {name}")
        producer = chain.steps[given.step].tool
        kind = tools[producer]["responses"][given.field]["type"]
        if kind != declared[name]["type"]:
            return Rejected("type_mismatch", f"{producer} {given.field} {kind}, {step.tool} {name}")
    return None


def ask_for(row: Row, context: Context) -> Outcome:
    """The query, written by grammar; it says every literal value."""
    chain = from_json(row["chain"])
    rng = random.Random(derived_seed(context.seed, f"query/{row['id']}", 0))
    text = query(chain, rng)
    missing = covered(text, chain)
    if missing:
        return Rejected("values_missing", "; ".join(missing))
    if len(text) > LONGEST_QUERY:
        return Rejected("query_too_long", f"{len(text)} characters")
    return Kept({"task": text})


def rephrase_prompt(row: Row, context: Context) -> tuple[Message, ...]:  # noqa: ARG001
    """Asks for the same request in other words."""
    return (Message("user", render(REPHRASE_TEMPLATE, {"request": row["task"]})),)


def rephrased(row: Row, text: str, context: Context) -> Outcome:  # noqa: ARG001
    """The model's words where they still say every value, else the grammar's, counted as a repair."""
    words = " ".join(text.split())
    missing = covered(words, from_json(row["chain"]))
    too_long = len(words) > 2 * len(row["task"])
    if missing or too_long or addresses_model(words) or _kept_words(row["task"], words) < LEAST_KEPT_WORDS:
        return Kept({"task": row["task"]}, ("rephrasing_dropped",))
    return Kept({"task": words})


def distract(row: Row, context: Context) -> Outcome:  # noqa: ARG001
    """The names of similar tools that can do no step of the record."""
    gold = tuple(dict.fromkeys(step.tool for step in from_json(row["chain"]).steps))
    found = distractors(gold)
    if len(found) < PER_GOLD_TOOL * len(gold):
        return Rejected("too_few_distractors", f"{len(found)} for {len(gold)} tools")
    return Kept({"distractors": [names()[tool_id] for tool_id in found]})


def _kept_words(before: str, after: str) -> float:
    """The share of the longer words of a request that its rewording still has, by their first letters."""
    stems = [{word[:5] for word in re.findall(r"[a-z]{4,}", text.lower())} for text in (before, after)]
    return len(stems[0] & stems[1]) / max(1, len(stems[0]))


def choose(rows: Rows, context: Context) -> Iterator[Row | Rejected]:
    """As many records as wanted, shapes as in the paper's data, no tool too often; the pool has no copies."""
    listed = list(rows)
    reasons = _reasons(listed, context.rows)
    spare = [document(tool_id) for tool_id in pool()]
    for index, row in enumerate(listed):
        if index in reasons:
            yield Rejected(reasons[index], row=row["id"])
        else:
            yield {**row, "spare": spare}
            spare = []


def _reasons(rows: Sequence[Row], wanted: int) -> dict[int, str]:
    """Why each row that is not chosen is not; the quotas of shapes come first, then any that still fit."""
    often = max(2, round(MOST_USED * wanted))
    used: Counter[str] = Counter()
    pairs: Counter[tuple[str, ...]] = Counter()
    shapes: Counter[str] = Counter()
    total = sum(WEIGHTS.values())
    reasons: dict[int, str] = {}
    for strict in (True, False):
        for index, row in enumerate(rows):
            if strict == (index in reasons):
                continue
            tools = tuple(sorted({step["tool"] for step in row["chain"]["steps"]}))
            quota = -(-wanted * WEIGHTS[row["shape"]] // total) if strict else wanted
            full = sum(shapes.values()) >= wanted or shapes[row["shape"]] >= quota
            reason = _against(tools, used, pairs, often) or ("surplus" if full else "")
            if reason:
                reasons[index] = reason
                continue
            reasons.pop(index, None)
            shapes[row["shape"]] += 1
            used.update(tools)
            pairs[tools] += 1
    return reasons


def _against(
    tools: tuple[str, ...], used: Mapping[str, int], pairs: Mapping[tuple[str, ...], int], often: int
) -> str:
    if pairs[tools]:
        return "same_tools"
    return "tool_too_frequent" if any(used[tool] >= often for tool in tools) else ""


def write_world(rows: Rows, folder: Path, context: Context) -> None:
    """The files of the benchmark, and beside them the proof that the gold was executed."""
    write(rows, folder, context)
    write_distractors(rows, folder)
    lines = (
        execution_line(str(number), chain.seed, chain_calls(chain))
        for number, chain in enumerate((from_json(row["chain"]) for row in rows), 1)
    )
    write_execution(folder, lines)


def provenance(context: Context) -> Provenance:  # noqa: ARG001
    """Everything is our own."""
    return Provenance(
        "Call chains were drawn along typed edges of Toolyard's tool world and executed; every step succeeded and "
        "every referenced value matters to what follows. Queries are written by grammar. Stored results are in "
        "`execution.jsonl`; `toolyard check nestools --data FOLDER` executes them again.",
        {"tools, calls, results and queries": "Apache-2.0"},
    )


DRAFT = RowSource("draft", 1, ("shape",), drafts)
EXECUTE = Each("execute", 1, ("shape",), ("chain",), execute)
CONVERT = Each("convert", 1, ("chain",), ("api", "call", "field"), convert)
QUERY = Each("query", 1, ("chain",), ("task",), ask_for)
DISTRACT = Each("distract", 1, ("chain",), ("distractors",), distract)
REPHRASE = Ask(
    "rephrase",
    1,
    ("chain", "task"),
    ("task",),
    rephrase_prompt,
    rephrased,
    Decoding(temperature=0.7, max_tokens=512),
)
CHOOSE = Whole("choose", 1, ("chain", "shape"), ("spare",), choose)

WORLD = Pipeline(
    name="world",
    benchmark="nestools",
    stages=(DRAFT, EXECUTE, CONVERT, QUERY, DISTRACT, CHOOSE),
    write=write_world,
    provenance=provenance,
    tables=tables,
    rows=ROWS,
    reads=SURROUNDINGS,
)
REPHRASED = replace(
    WORLD, name="world+model", stages=(DRAFT, EXECUTE, CONVERT, QUERY, DISTRACT, CHOOSE, REPHRASE)
)
