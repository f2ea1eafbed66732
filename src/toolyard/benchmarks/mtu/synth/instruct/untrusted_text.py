"""What of a model's text is not taken over: orders to other models, and more words than a tool needs."""

from __future__ import annotations

from collections.abc import Iterable

from toolyard.core.nesting import texts
from toolyard.core.types import JsonValue
from toolyard.synth.screening import addresses_model
from toolyard.synth.stages import Rejected
from toolyard.text.parsing import excerpt

MOST_DESCRIPTION = 1000
MOST_OBSERVATION = 4000


def screened(values: Iterable[JsonValue], most: int) -> Rejected | None:
    """Why the values cannot be taken over: a text inside one speaks to a model, or its texts are too long.

    `most` is how many characters all texts of one value may have together, names of fields included.
    """
    for value in values:
        found = [*texts(value)]
        length = sum(map(len, found))
        if length > most:
            return Rejected("too_long", f"{length} characters, at most {most}")
        for text in found:
            if addresses_model(text):
                return Rejected("injected_instruction", excerpt(text))
    return None
