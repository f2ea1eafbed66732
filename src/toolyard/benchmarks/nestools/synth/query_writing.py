"""The user's query: the raw task of a draft, written where it is missing, completed, and refined (section 3.2)."""

from functools import cache
from importlib.resources import files

from toolyard.benchmarks.nestools.synth.coverage import missing_values
from toolyard.benchmarks.nestools.synth.screen_stages import check_text
from toolyard.core.types import Decoding, Message
from toolyard.synth.stages import Ask, Context, Each, Kept, Outcome, Rejected, Row
from toolyard.text.json_values import json_per_line
from toolyard.text.parsing import excerpt, strip_thinking
from toolyard.text.templates import render

FEWEST_WORDS = 5
OPENING, CLOSING = "<query>", "</query>"
WRITING = Decoding(temperature=0.7, max_tokens=512)


@cache
def read_template(name: str) -> str:
    """The shipped text of that name."""
    return files(__package__).joinpath(f"templates/{name}.txt").read_text(encoding="utf-8")


def is_too_short(task: str) -> bool:
    """Whether a task says too little to be one."""
    return len(task.split()) < FEWEST_WORDS


def read_query(reply: str) -> str | Rejected:
    """The query that a reply holds between its marks, on one line."""
    spoken = strip_thinking(reply)
    if spoken is None:
        return Rejected("thinking_not_closed")
    start = spoken.rfind(OPENING)
    stop = spoken.find(CLOSING, start)
    if start < 0 or stop < 0:
        return Rejected("no_query", excerpt(spoken))
    query = " ".join(spoken[start + len(OPENING) : stop].split())
    if is_too_short(query):
        return Rejected("no_task", excerpt(query))
    return check_text(query) or query


def _question_messages(name: str, row: Row, **extra: str) -> tuple[Message, ...]:
    tools = [
        {"tool": tool["api_name"], "does": tool["api_description"], "returns": list(tool["responses"])}
        for tool in row["api"]
    ]
    fields = {
        "tools": json_per_line(tools),
        "calls": json_per_line(row["call"]),
        "task": row["task"],
        **extra,
    }
    return (Message("user", render(read_template(name), fields)),)


def ask_for_query(row: Row, context: Context) -> tuple[Message, ...]:  # noqa: ARG001
    """The request for a query where the draft has none."""
    return _question_messages("write", row)


def accept_query(row: Row, reply: str, context: Context) -> Outcome:  # noqa: ARG001
    """The query that was written."""
    query = read_query(reply)
    return query if isinstance(query, Rejected) else Kept({"task": query}, ("query_written",))


def find_missing_values(row: Row, context: Context) -> Outcome:  # noqa: ARG001
    """Which values the query still lacks."""
    return Kept({"missing": missing_values(row["call"], row["task"])})


def ask_for_values(row: Row, context: Context) -> tuple[Message, ...]:  # noqa: ARG001
    """The request to complete a query (Table 6, in our words)."""
    return _question_messages("normalise", row, values="\n".join(f"- {value}" for value in row["missing"]))


def accept_values(row: Row, reply: str, context: Context) -> Outcome:  # noqa: ARG001
    """The completed query, if nothing is missing any more."""
    query = read_query(reply)
    if isinstance(query, Rejected):
        return query
    missing = missing_values(row["call"], query)
    if missing:
        return Rejected("values_missing", excerpt(", ".join(missing)))
    return Kept({"task": query, "missing": []}, ("values_added",))


def ask_for_refinement(row: Row, context: Context) -> tuple[Message, ...]:  # noqa: ARG001
    """The request to make a query sound like a user's (Table 7, in our words)."""
    return _question_messages("refine", row)


def accept_refinement(row: Row, reply: str, context: Context) -> Outcome:  # noqa: ARG001
    """The refined query, or the one before where the refined one lost a value or is none."""
    query = read_query(reply)
    if isinstance(query, Rejected) or missing_values(row["call"], query):
        return Kept({}, ("refinement_dropped",))
    return Kept({"task": query})


def lacks_task(row: Row) -> bool:
    """Whether the draft came without a task."""
    return is_too_short(row["task"])


def lacks_values(row: Row) -> bool:
    """Whether the query lacks a value."""
    return bool(row["missing"])


_SEEN = ("api", "call", "task")
WRITE = Ask(
    "write", 1, _SEEN, ("task",), ask_for_query, accept_query, WRITING, attempts=2, applies=lacks_task
)
COVERAGE = Each("coverage", 1, ("call", "task"), ("missing",), find_missing_values)
NORMALISE = Ask(
    "normalise",
    1,
    (*_SEEN, "missing"),
    ("task", "missing"),
    ask_for_values,
    accept_values,
    WRITING,
    attempts=2,
    applies=lacks_values,
)
REFINE = Ask("refine", 1, _SEEN, ("task",), ask_for_refinement, accept_refinement, WRITING)
