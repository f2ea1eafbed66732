"""Questions that are no expressions of algebra: units, constants, the calendar, numbers in words, matrices."""

from __future__ import annotations

from datetime import date

from toolyard.world.faults import invalid
from toolyard.world.worlds.calculator import day_questions, matrices, number_questions, units
from toolyard.world.worlds.calculator.algebra import UNCOMPUTABLE
from toolyard.world.worlds.calculator.answer import Answer


def answered(question: str, today: date, parameter: str) -> Answer | None:
    """The answer to a question; None where it is not of these kinds. One that has no answer is an invalid_value fault."""
    try:
        found = _first(question, today)
    except UNCOMPUTABLE as error:
        raise invalid(parameter, question[:80], f"cannot be computed: {str(error)[:80]}") from None
    if isinstance(found, str):
        raise invalid(parameter, question[:80], found)
    return found


def _first(question: str, today: date) -> Answer | str | None:
    return (
        matrices.solved(question)
        or day_questions.counted(question, today)
        or number_questions.reckoned(question)
        or units.converted(question)
        or units.constant(question)
    )
