"""Model text that speaks to a model instead of describing a tool or a task ends its row.

Such text is shown to other models, by later stages and by every run on the data. What is found here is what
gives itself away; the prompts also mark all foreign text as data.
"""

import re
from collections.abc import Iterable, Iterator

from toolyard.benchmarks.nestools.synth.walk_refusal import DraftRefused
from toolyard.core.nesting import texts_in
from toolyard.core.types import Record
from toolyard.synth.screening import addresses_model
from toolyard.synth.stages import Context, Each, Kept, Outcome, Rejected, Row

LONGEST_TASK = 3000
LONGEST_DESCRIPTION = 600
_LABEL = re.compile(r"api_call", re.IGNORECASE)


def check_text(text: str) -> Rejected | None:
    """Why a task cannot be used, whoever wrote it."""
    if addresses_model(text):
        return DraftRefused("injected_instruction", text).rejected
    if _LABEL.search(text):
        return DraftRefused("label_in_text", text).rejected
    if len(text) > LONGEST_TASK:
        return Rejected("too_long", f"a task of {len(text)} characters")
    return None


def _texts_of_tools(tools: Iterable[Record]) -> Iterator[str]:
    for tool in tools:
        yield tool["api_name"]
        yield tool["api_description"]
        for entries in (tool["parameters"], tool["responses"]):
            for name, entry in entries.items():
                yield name
                yield entry["description"]


def screen_row(row: Row, context: Context) -> Outcome:  # noqa: ARG001
    """Passes rows whose descriptions, task and values are what they should be."""
    for text in _texts_of_tools(row["api"]):
        if len(text) > LONGEST_DESCRIPTION:
            return Rejected("too_long", f"a description of {len(text)} characters")
        found = check_text(text)
        if found is not None:
            return found
    for call in row["call"]:
        for text in texts_in(call["parameters"]):
            if addresses_model(text):
                return DraftRefused("injected_instruction", text).rejected
    return check_text(row["task"]) or Kept()


SCREEN = Each("screen", 1, ("api", "call", "task"), (), screen_row)
