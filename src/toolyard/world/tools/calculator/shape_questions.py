"""Questions of shapes, points and rows of numbers in words: areas, volumes, distances, next primes, Fibonacci numbers."""

import re
from collections.abc import Mapping
from typing import Any

from toolyard.world.kernel.tables import values_of
from toolyard.world.tools.calculator.algebra import expression_of, expression_text, limit_steps
from toolyard.world.tools.calculator.answer import Answer, Reading, answer_by_pattern, plain_number

_PARAMETER = "input_query"
_MOST = 10**12
_NUMBER = r"(\d+(?:\.\d+)?(?:/\d+)?)"
_SIZE = re.compile(
    rf"(?:a |an |the )?(radius|diameter|side|sides|side length|edge|width|length|height|base|r|h)(?: of| =|=|:)?\s*{_NUMBER}"
)
_SHAPE = re.compile(
    r"(area|circumference|perimeter|volume|surface area) (?:of )?(?:a |an |the )?"
    r"(circle|square|rectangle|triangle|sphere|cube|cylinder|cone)\b(.*)"
)
# What is asked of a shape -> its sizes and how it is reckoned.
_FORMULAS: Mapping[tuple[str, str], tuple[str, str]] = dict(values_of("shape_questions.formulas").values())


def answer_shape_question(question: str) -> Answer | str | None:
    """The answer to such a question; a sentence where it cannot be answered; None for other questions."""
    return answer_by_pattern(question, _QUESTIONS, 200)


def _answer(reading: str, value: Any) -> Answer:
    return Answer(reading, expression_text(value), plain_number(float(value.evalf(15))))


def _measure_shape(match: re.Match[str]) -> Answer | str | None:
    letters, formula = _FORMULAS.get((match[1], match[2]), ("", ""))
    if not formula:
        return None
    told = {name: expression_of(value, _PARAMETER) for name, value in _SIZE.findall(match[3])}
    numbers = [expression_of(value, _PARAMETER) for value in re.findall(_NUMBER, match[3])]
    if "diameter" in told and letters[0] == "r":
        numbers[0] = told["diameter"] / 2
    if "rh" in letters and "height" in told and "radius" in told:
        numbers = [told["radius"], told["height"]]
    if len(numbers) != len(letters):
        return f"want {len(letters)} size{'s' if len(letters) > 1 else ''} of the {match[2]}, e.g. radius 5"
    text = "".join(
        f"({expression_text(numbers[letters.index(sign)])})"
        if sign in letters and not _is_inside_word(formula, n)
        else sign
        for n, sign in enumerate(formula)
    )
    sizes = ", ".join(
        f"{sign} = {expression_text(number)}" for sign, number in zip(letters, numbers, strict=True)
    )
    return _answer(f"{match[1]} of a {match[2]}, {sizes}", expression_of(text, _PARAMETER))


def _is_inside_word(text: str, place: int) -> bool:
    """Whether a letter is one of several side by side, as in pi."""
    return any(0 <= n < len(text) and text[n].isalpha() for n in (place - 1, place + 1))


def _next_prime_answer(match: re.Match[str]) -> Answer | str:
    import sympy

    number = int(match[2].replace(",", ""))
    if number > _MOST or (match[1] == "previous" and number < 3):
        return f"want a number from 3 to {_MOST:,}"
    with limit_steps("the prime"):
        found = sympy.nextprime(number) if match[1] == "next" else sympy.prevprime(number)
    return Answer(f"{match[1]} prime of {number}", str(found), int(found))


def _fibonacci(match: re.Match[str]) -> Answer | str:
    import sympy

    number = int(match[1] or match[2])
    if number > 1000:
        return "the first 1,000 are known"
    value = sympy.fibonacci(number)
    return Answer(f"Fibonacci number {number}", str(value), plain_number(float(value)))


def _points(match: re.Match[str]) -> Answer | str:
    import sympy

    x, y, u, v = (expression_of(match[n], _PARAMETER) for n in range(2, 6))
    reading = f"{match[1]} of ({expression_text(x)}, {expression_text(y)}) and ({expression_text(u)}, {expression_text(v)})"
    if match[1] == "midpoint":
        return Answer(reading, f"({expression_text((x + u) / 2)}, {expression_text((y + v) / 2)})")
    if match[1] == "slope":
        return _answer(reading, (v - y) / (u - x)) if u != x else "the line is vertical and has no slope"
    return _answer(reading, sympy.sqrt((u - x) ** 2 + (v - y) ** 2))


def _hypotenuse_answer(match: re.Match[str]) -> Answer:
    import sympy

    one, other = (expression_of(match[n], _PARAMETER) for n in (1, 2))
    return _answer(
        f"hypotenuse of legs {expression_text(one)} and {expression_text(other)}",
        sympy.sqrt(one**2 + other**2),
    )


def _sum_of_first(match: re.Match[str]) -> Answer:
    number = int(match[1].replace(",", ""))
    kind = match[2]
    value = (
        number**2
        if "odd" in kind
        else number * (number + 1)
        if "even" in kind
        else number * (number + 1) // 2
    )
    return Answer(f"sum of the first {number} {kind}", str(value), plain_number(value))


def _roots_answer(match: re.Match[str]) -> Answer | str:
    import sympy

    value = expression_of(match[1], _PARAMETER)
    with limit_steps("the roots"):
        found = sympy.solve(value)
    return Answer(f"roots of {expression_text(value)}", ", ".join(map(expression_text, found)) or "no roots")


def _partial_fractions_answer(match: re.Match[str]) -> Answer | str:
    import sympy

    value = expression_of(match[1], _PARAMETER)
    with limit_steps("the fractions"):
        return Answer(f"partial fractions of {expression_text(value)}", expression_text(sympy.apart(value)))


def _add_percent_answer(match: re.Match[str]) -> Answer | str:
    """A number and a percentage of it more or less, as on a pocket calculator."""
    whole, rate = (expression_of(match[n], _PARAMETER) for n in (1, 3))
    if whole.free_symbols or not whole.is_real:
        return "want numbers only"
    value = whole * (100 + (rate if match[2] == "+" else -rate)) / 100
    return _answer(f"{expression_text(whole)} {match[2]} {expression_text(rate)} %", value)


_POINT = r"\(\s*(-?[\d./]+)\s*,\s*(-?[\d./]+)\s*\)"
_QUESTIONS: tuple[Reading, ...] = (
    (_SHAPE, _measure_shape),
    (re.compile(r"([\d.()*/+ -]{1,60}?\d[) ]*)([+-])\s*(\d+(?:\.\d+)?)\s*%"), _add_percent_answer),
    (re.compile(r"(next|previous) prime (?:number )?(?:after|before|of|to|than)? ?([\d,]{1,15})"), _next_prime_answer),
    (re.compile(r"fibonacci(?: number)? (\d{1,6})|(\d{1,6})(?:st|nd|rd|th) fibonacci number"), _fibonacci),
    (re.compile(rf"(distance|slope|midpoint) (?:between|of|from)(?: the points?)? {_POINT} (?:and|to) {_POINT}"), _points),
    (re.compile(rf"hypotenuse (?:of|for|with)(?: legs| sides)? {_NUMBER} and {_NUMBER}"), _hypotenuse_answer),
    (re.compile(r"sum of (?:the )?first ([\d,]{1,9}) ((?:natural |positive )?(?:odd |even )?(?:integers|numbers))"),
     _sum_of_first),
    (re.compile(r"(?:roots|zeros|zeroes) of (.{1,200})"), _roots_answer),
    (re.compile(r"partial fractions? (?:decomposition )?(?:of )?(.{1,200})"), _partial_fractions_answer),
)  # fmt: skip
