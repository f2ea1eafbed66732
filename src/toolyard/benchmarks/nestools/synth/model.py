"""NesTools data written by a model, the paper's way (section 3), with every check that it names made by code.

domains -> draft -> extract -> format -> calls -> screen -> write -> coverage -> normalise -> refine -> distinct -> choose
"""

from toolyard.benchmarks.nestools.synth.card_tables import tables
from toolyard.benchmarks.nestools.synth.data_files import write
from toolyard.benchmarks.nestools.synth.domains import DOMAINS, DRAFTS, SOURCE
from toolyard.benchmarks.nestools.synth.drafted_calls import CALLS
from toolyard.benchmarks.nestools.synth.drafted_code import EXTRACT
from toolyard.benchmarks.nestools.synth.drafted_tools import FORMAT
from toolyard.benchmarks.nestools.synth.examples import read_example
from toolyard.benchmarks.nestools.synth.query_writing import COVERAGE, NORMALISE, REFINE, WRITE, read_template
from toolyard.benchmarks.nestools.synth.row_selection import CHOOSE, DISTINCT
from toolyard.benchmarks.nestools.synth.screen_stages import SCREEN
from toolyard.core.benchmark import Choice
from toolyard.core.types import Decoding, Message
from toolyard.synth.stages import (
    Ask,
    Context,
    Kept,
    Outcome,
    Pipeline,
    Provenance,
    Rejected,
    Row,
    read_spoken,
)
from toolyard.text.templates import render

LONGEST_REPLY = 100_000


def ask_for_draft(row: Row, context: Context) -> tuple[Message, ...]:  # noqa: ARG001
    """The request for tools, calls and task in one field (Table 4, in our words)."""
    shown = read_example(row["example"])
    fields = {"field": row["field"], "example_field": shown.field, "example": shown.reply}
    return (Message("user", render(read_template("draft"), fields)),)


def accept_draft(row: Row, reply: str, context: Context) -> Outcome:  # noqa: ARG001
    """Whatever was said, without thinking; reading it is for the next stages."""
    spoken = read_spoken(reply, LONGEST_REPLY, "empty_reply")
    return spoken if isinstance(spoken, Rejected) else Kept({"reply": spoken})


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

NESTED = Choice("nested", "keep only chains in which a call takes what another returns", "no", ("no", "yes"))


def provenance(context: Context) -> Provenance:
    """Who wrote the content, and under which licence it stands."""
    listed = "a list of the user's" if context.options.get(DOMAINS.name) else "Toolyard's list"
    return Provenance(
        "Tools, calls and queries were written by the model named below and checked by code, not by people; "
        f"the domains come from {listed}.",
        {
            "tools, calls and queries": "as the terms of the model allow",
            "prompts, examples and Toolyard's domains": "Apache-2.0",
        },
    )


MODEL = Pipeline(
    name="model",
    benchmark="nestools",
    stages=(
        SOURCE,
        DRAFT,
        EXTRACT,
        FORMAT,
        CALLS,
        SCREEN,
        WRITE,
        COVERAGE,
        NORMALISE,
        REFINE,
        DISTINCT,
        CHOOSE,
    ),
    write=write,
    provenance=provenance,
    tables=tables,
    choices=(DOMAINS, DRAFTS, NESTED),
    rows=100,
)
