"""Questions that are no expressions of algebra: units, constants, the calendar, numbers in words, matrices."""

from collections.abc import Callable
from datetime import date

from toolyard.world.kernel.faults import invalid
from toolyard.world.tools.calculator import day_questions, matrices, number_questions, shape_questions, units
from toolyard.world.tools.calculator.algebra import UNCOMPUTABLE
from toolyard.world.tools.calculator.answer import Answer


def answer_question(question: str, today: date, parameter: str) -> Answer | None:
    """The answer to a question; None where it is not of these kinds. One that has no answer is an invalid_value fault."""
    return (
        _answer_or_fault(lambda: matrices.answer_matrix_question(question), question, parameter)
        or _answer_or_fault(lambda: day_questions.answer_day_question(question, today), question, parameter)
        or answer_numeric_question(question, parameter)
        or units.physical_constant(question)
    )


def answer_numeric_question(question: str, parameter: str) -> Answer | None:
    """As `answer_question`, for questions of numbers and units alone."""
    return (
        _answer_or_fault(lambda: number_questions.answer_number_question(question), question, parameter)
        or _answer_or_fault(lambda: units.answer_unit_question(question), question, parameter)
        or _answer_or_fault(lambda: shape_questions.answer_shape_question(question), question, parameter)
    )


def _answer_or_fault(
    compute: Callable[[], Answer | str | None], question: str, parameter: str
) -> Answer | None:
    try:
        found = compute()
    except UNCOMPUTABLE as error:
        raise invalid(parameter, question[:80], f"cannot be computed: {str(error)[:80]}") from None
    if isinstance(found, str):
        raise invalid(parameter, question[:80], found)
    return found
