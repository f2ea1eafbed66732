"""Tools and call chain drafted together, as Python code (section 3.1)."""

from __future__ import annotations

from toolyard.benchmarks.nestools.synth.examples import read_example
from toolyard.benchmarks.nestools.synth.query_writing import read_template
from toolyard.core.types import Decoding, Message
from toolyard.synth.stages import Ask, Context, Kept, Outcome, Rejected, Row
from toolyard.text.parsing import excerpt, strip_thinking
from toolyard.text.templates import render

LONGEST_REPLY = 100_000


def ask_for_draft(row: Row, context: Context) -> tuple[Message, ...]:  # noqa: ARG001
    """The request for tools, calls and task in one field (Table 4, in our words)."""
    shown = read_example(row["example"])
    fields = {"field": row["field"], "example_field": shown.field, "example": shown.reply}
    return (Message("user", render(read_template("draft"), fields)),)


def accept_draft(row: Row, reply: str, context: Context) -> Outcome:  # noqa: ARG001
    """Whatever was said, without thinking; reading it is for the next stages."""
    spoken = strip_thinking(reply)
    if spoken is None:
        return Rejected("thinking_not_closed", excerpt(reply))
    if not spoken.strip():
        return Rejected("empty_reply")
    if len(spoken) > LONGEST_REPLY:
        return Rejected("too_long", f"{len(spoken)} characters")
    return Kept({"reply": spoken})


DRAFT = Ask(
    "draft",
    1,
    ("field", "example"),
    ("reply",),
    ask_for_draft,
    accept_draft,
    # The paper's temperature (section 3.1).
    Decoding(temperature=0.95, max_tokens=2048),
    attempts=2,
)
