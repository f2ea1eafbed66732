"""Guided construction of queries for a subcategory (Section 2.3, Appendix C.3): guideline, author, validation.

The author is a model (`--from model`) or a person, whose drafts are the lines of a file (`--from written`). A draft is
kept where its plan runs in three worlds, every fact has a value there, and its own answer passes the checks.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from toolyard.benchmarks.tooleyes.data.queries import QueryLine, read_gold
from toolyard.benchmarks.tooleyes.data.references import fill_references
from toolyard.benchmarks.tooleyes.data.rows import SCENARIOS, scenario_of_group
from toolyard.benchmarks.tooleyes.data.sample import ASK, QueryGold
from toolyard.benchmarks.tooleyes.scoring.checks.fact_verdicts import Fact, fact_verdict
from toolyard.benchmarks.tooleyes.scoring.checks.passages import split_passages
from toolyard.benchmarks.tooleyes.scoring.mutated_answers import tied_templates
from toolyard.benchmarks.tooleyes.scoring.outcome import is_bound
from toolyard.benchmarks.tooleyes.task.scene import BUDGET_TOKENS
from toolyard.core.benchmark import Choice, Table
from toolyard.core.errors import DataError, UsageError
from toolyard.core.types import Failure, JsonValue, Message, Record
from toolyard.lines import read_lines, write_whole
from toolyard.synth import stages
from toolyard.synth.stages import Context, Kept, Outcome, Rejected, Row, Rows
from toolyard.text.json_values import json_per_line
from toolyard.text.parsing import excerpt, first_json_value, read_json, strip_thinking
from toolyard.text.templates import render
from toolyard.world.kernel.executor import call
from toolyard.world.kernel.naming import short_names
from toolyard.world.kernel.registry import library, select
from toolyard.world.kernel.state import World

GUIDELINE = (Path(__file__).parent / "templates" / "guideline.txt").read_text(encoding="utf-8")
# As the paper names them.
TITLES: Mapping[str, str] = {
    "TG": "text generation", "DU": "data understanding", "RS": "real-time search", "AM": "application manipulation",
    "PL": "personal life", "IR": "information retrieval", "FT": "financial transactions",
}  # fmt: skip
SEEDS = (0, 1, 2)
WHOLE_RESULT = 1_000_000
MOST_CALLS = 8
DRAFT = ("path", "query", "plan", "facts", "answer", "slots")
SUBCATEGORY = Choice(
    "subcategory", "Category/Subcategory of the tools, several with commas; all for all of them.", "all"
)
DRAFTS = Choice("drafts", "File with a person's drafts, one JSON object a line.", "")


@cache
def _subcategories() -> Mapping[str, None]:
    return dict.fromkeys("/".join(tool.split("/")[:2]) for tool in library())


def _wanted_subcategories(context: Context) -> list[str]:
    wanted = [part.strip() for part in context.options["subcategory"].split(",") if part.strip()]
    known = _subcategories()
    if wanted == ["all"]:
        return list(known)
    for part in wanted:
        if part not in known:
            raise UsageError(
                f"--subcategory {part!r} has no tools; want e.g. IP/IP, see `toolyard tools list`"
            )
    return wanted


def _writing_orders(context: Context) -> Iterator[Row]:
    """So many requests to be written, spread over the subcategories."""
    parts = _wanted_subcategories(context)
    for number in range(context.rows):
        part = parts[number % len(parts)]
        count = len(range(number % len(parts), context.rows, len(parts)))
        yield {
            "id": f"{part.replace('/', '-').lower()}-{number // len(parts) + 1}",
            "path": part,
            "number": number // len(parts) + 1,
            "count": count,
        }


def _read_drafts(context: Context) -> Iterator[Row | Rejected]:
    """The drafts that a person wrote."""
    for number, line in enumerate(read_lines(_drafts_file(context)[0]), 1):
        found = _check_draft(line)
        name = f"draft-{number}"
        yield (
            Rejected(found.reason, found.detail, name)
            if isinstance(found, Rejected)
            else {"id": str(line.get("id") or name), "path": str(line.get("path", "")), **found}
        )


def _tools_of_subcategory(part: str) -> Mapping[str, str]:
    """The tools of a subcategory: the name that a query's plan uses, and the id."""
    return short_names(tuple(tool.id for tool in select(part)))


def ask_for_query(row: Row, _context: Context) -> tuple[Message, ...]:
    """Table 10 with the tools of the subcategory."""
    tools = [
        {"name": name, "description": known.description, "parameters": known.schema()}
        for name, tool in _tools_of_subcategory(row["path"]).items()
        for known in (library()[tool].document,)
    ]
    fields = {
        "scenario": TITLES[scenario_of_group(row["path"])],
        "tools": json_per_line(tools),
        "number": str(row["number"]),
        "count": str(row["count"]),
    }
    return (Message("user", render(GUIDELINE, fields).strip()),)


def read_draft(_row: Row, text: str, _context: Context) -> Outcome:
    """The draft that a model wrote, or why it is none."""
    spoken = strip_thinking(text)
    found = Failure("empty", "") if spoken is None else first_json_value(spoken, "{", lenient=True)
    if isinstance(found, Failure):
        return Rejected("no_draft", excerpt(text))
    draft = _check_draft(found)
    return draft if isinstance(draft, Rejected) else Kept(draft)


def _check_draft(written: JsonValue) -> dict[str, JsonValue] | Rejected:
    if not isinstance(written, dict):
        return Rejected("no_draft", excerpt(repr(written)))
    kinds = (("query", str), ("plan", list), ("facts", list), ("answer", str))
    for name, kind in kinds:
        if not isinstance(written.get(name), kind) or not written[name]:
            return Rejected(f"no_{name}", excerpt(json.dumps(written)))
    slots = written.get("slots") or {}
    return {**{name: written[name] for name, _ in kinds}, "slots": slots if isinstance(slots, dict) else {}}


def query_row(row: Row) -> dict[str, JsonValue]:
    """A draft as a row of a query file."""
    made = {
        "id": row["id"],
        "path": row["path"],
        "scenario": scenario_of_group(row["path"]),
        "query": row["query"],
        "checks": {"facts": row["facts"]},
        "plan": row["plan"],
        "answer": row["answer"],
    }
    return {**made, "slots": row["slots"]} if row["slots"] else made


def validate(row: Row, _context: Context) -> Outcome:
    """Plays the plan in three worlds; kept where facts come from results and the draft's own answer states them."""
    if row["path"] not in _subcategories() or not scenario_of_group(row["path"]):
        return Rejected("unknown_subcategory", str(row["path"]))
    try:
        gold = read_gold(QueryLine("draft", query_row(row)))
    except DataError as error:
        return Rejected("wrong_form", str(error))
    if len(gold.plan) > MOST_CALLS:
        return Rejected("too_many_calls", str(len(gold.plan)))
    if not any(map(is_bound, gold.facts)):
        return Rejected("no_bound_fact", "no fact points to what a call returns")
    for seed in SEEDS:
        played = _execute_plan(gold, row, seed, BUDGET_TOKENS)
        if isinstance(played, Rejected):
            return played
        whole = _execute_plan(gold, row, seed, WHOLE_RESULT)
        if isinstance(whole, Rejected):
            return whole
        problem = _answer_fault(gold, played) or _tie_fault(gold, str(row["query"]), played)
        if problem is not None:
            return problem
        if gold.right_answer(whole) != gold.right_answer(played):
            return Rejected("rests_on_a_cut_result", "with whole results the answer is another one")
    return Kept()


def _execute_plan(gold: QueryGold, row: Row, seed: int, budget: int) -> list[JsonValue] | Rejected:
    world = World.fresh(seed=seed)
    seen: list[JsonValue] = []
    names = _tools_of_subcategory(row["path"])
    for step in gold.plan:
        arguments = fill_references(dict(step.arguments), seen)
        if isinstance(arguments, Failure):
            return Rejected("no_value", arguments.detail)
        if step.tool == ASK:
            seen.append(" ".join(map(str, row["slots"].values())))
            continue
        if step.tool not in names:
            return Rejected("unknown_tool", step.tool)
        result = call(world, names[step.tool], arguments, budget_tokens=budget)
        if result.error:
            return Rejected("call_failed", f"{step.tool}: {excerpt(result.text)}")
        value = read_json(result.text)
        seen.append(result.text if isinstance(value, Failure) else value)
    return seen


def _answer_fault(gold: QueryGold, seen: Sequence[JsonValue]) -> Rejected | None:
    """Why the answer does not pass: a fact without a value, or one that it does not state."""
    gold = gold.with_each_item(seen)
    answer = gold.right_answer(seen)
    if isinstance(answer, Failure):
        return Rejected("no_value", answer.detail)
    found = [fact.resolved(seen, ()) for fact in gold.facts]
    facts = tuple(fact for fact in found if isinstance(fact, Fact))
    if len(facts) < len(found):
        return Rejected("no_value", next((fact.detail for fact in found if isinstance(fact, Failure)), ""))
    said = split_passages(answer)
    wrong = next((fact for fact in facts if fact_verdict(fact, facts, said).holds is not True), None)
    return None if wrong is None else Rejected("fact_not_stated", f"{wrong.shown} in {excerpt(answer)}")


def _tie_fault(gold: QueryGold, request: str, seen: Sequence[JsonValue]) -> Rejected | None:
    """Why the request is not decided: another item has the rank that it chooses by, and its answer does not pass."""
    tied = tied_templates(gold, request, seen)
    found = next((each for each in tied if _answer_fault(replace(gold, answer=each), seen)), None)
    return None if found is None else Rejected("tied", f"as right, but refused: {excerpt(found)}")


def distinct(rows: Rows, _context: Context) -> Iterator[Row | Rejected]:
    """Each request once."""
    seen: set[str] = set()
    for row in rows:
        text = " ".join(str(row["query"]).casefold().split())
        yield Rejected("same_request", excerpt(text), str(row["id"])) if text in seen else row
        seen.add(text)


def write(rows: Rows, folder: Path, _context: Context) -> None:
    """The queries as a file that `--data` takes."""
    lines = (json.dumps(query_row(row), ensure_ascii=False) + "\n" for row in rows)
    write_whole(folder / "queries.jsonl", "".join(lines).encode())


def tables(rows: Rows, _context: Context) -> tuple[Table, ...]:
    """How many queries follow each choice that Table 10 leaves to the author, by scenario."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in SCENARIOS}
    for row in rows:
        kept = counts[scenario_of_group(row["path"])]
        tools = {step["tool"] for step in row["plan"]} - {ASK}
        kept["queries"] += 1
        kept["one tool" if len(tools) == 1 else "several tools"] += 1
        kept["a detail left out" if row["slots"] else "all details stated"] += 1
    columns = ("queries", "one tool", "several tools", "all details stated", "a detail left out")
    lines = [(name, *(found[each] for each in columns)) for name, found in counts.items() if found]
    total = ("all", *(sum(found[each] for found in counts.values()) for each in columns))
    note = "Every query is validated by execution in three worlds (criterion 3 of Table 10)."
    return (Table("Table 10: what the queries ask for", ("scenario", *columns), (*lines, total), note),)


def provenance(context: Context) -> stages.Provenance:
    """Guideline and tools are ours; requests are the author's."""
    person = bool(context.options.get("drafts"))
    author = "a person" if person else "the model named here"
    text = f"Requests and plans were written by {author} after the guideline of Table 10 and executed; nobody reviewed them."
    terms = "as its author allows" if person else "as the terms of the model allow"
    return stages.Provenance(text, {"guideline and tools": "Apache-2.0", "requests": terms})


def _drafts_file(context: Context) -> tuple[Path, ...]:
    path = Path(context.options["drafts"])
    if not path.is_file():
        given = context.options["drafts"] or "FILE"
        raise UsageError(f"--drafts {given}: give a file with a draft a line, see docs/synth.md")
    return (path,)


_CHECKED = (stages.Each("validate", 1, DRAFT, (), validate), stages.Whole("distinct", 1, DRAFT, (), distinct))
_PARTS: Record = {"write": write, "provenance": provenance, "tables": tables, "of_world": True}
MODEL = stages.Pipeline(
    name="model",
    benchmark="tooleyes",
    stages=(
        stages.RowSource("orders", 1, ("path", "number", "count"), _writing_orders, ("subcategory",)),
        stages.Ask("write", 1, ("path", "number", "count"), DRAFT[1:], ask_for_query, read_draft, attempts=3),
        *_CHECKED,
    ),
    choices=(SUBCATEGORY,),
    rows=10,
    **_PARTS,
)
WRITTEN = stages.Pipeline(
    name="written",
    benchmark="tooleyes",
    stages=(stages.RowSource("drafts", 1, DRAFT, _read_drafts, ("drafts",), _drafts_file), *_CHECKED),
    choices=(DRAFTS,),
    **_PARTS,
)
