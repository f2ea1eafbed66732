"""Questions that are no expressions of algebra: units, constants, the calendar, numbers in words, matrices."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from toolyard.world.kernel.faults import invalid
from toolyard.world.tools.calculator import day_questions, matrices, number_questions, shape_questions, units
from toolyard.world.tools.calculator.algebra import UNCOMPUTABLE
from toolyard.world.tools.calculator.answer import Answer


def answered(question: str, today: date, parameter: str) -> Answer | None:
    """The answer to a question; None where it is not of these kinds. One that has no answer is an invalid_value fault."""
    return (
        _checked(lambda: matrices.solved(question), question, parameter)
        or _checked(lambda: day_questions.counted(question, today), question, parameter)
        or reckoned(question, parameter)
        or units.constant(question)
    )


def reckoned(question: str, parameter: str) -> Answer | None:
    """As `answered`, for questions of numbers and units alone."""
    return (
        _checked(lambda: number_questions.reckoned(question), question, parameter)
        or _checked(lambda: units.converted(question), question, parameter)
        or _checked(lambda: shape_questions.shaped(question), question, parameter)
    )


def _checked(compute: Callable[[], Answer | str | None], question: str, parameter: str) -> Answer | None:
    try:
        found = compute()
    except UNCOMPUTABLE as error:
        raise invalid(parameter, question[:80], f"cannot be computed: {str(error)[:80]}") from None
    if isinstance(found, str):
        raise invalid(parameter, question[:80], found)
    return found
