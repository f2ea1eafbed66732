"""Questions of numbers in words: primes and factors, means, percentages, bases, limits, systems, derivatives at a point."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolyard.world.tools.calculator.algebra import expression_of, expression_text, find_variable, limit_steps
from toolyard.world.tools.calculator.answer import Answer, Reading, answer_by_pattern, plain_number

if TYPE_CHECKING:
    from sympy import Expr

_PARAMETER = "input_query"
_LARGEST = 10**15
_LIST = r"(?P<list>[-+\d.,\s/]+(?:and [-+\d.]+)?)"
_BASES = {"binary": (2, "b"), "base 2": (2, "b"), "octal": (8, "o"), "base 8": (8, "o"), "hexadecimal": (16, "x"),
          "hex": (16, "x"), "base 16": (16, "x"), "decimal": (10, "d"), "base 10": (10, "d")}  # fmt: skip
_ROMAN = ((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
    (10, "X"), (9, "IX"),
          (5, "V"), (4, "IV"), (1, "I"))  # fmt: skip


def answer_number_question(question: str) -> Answer | str | None:
    """The answer to a question of numbers; a sentence where it cannot be answered; None for other questions."""
    return answer_by_pattern(question, _QUESTIONS, 300)


def _parse_numbers(text: str) -> list[Expr]:
    parts = re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+|\s+", text.strip())
    return [expression_of(part, _PARAMETER) for part in parts if part]


def _number_answer(reading: str, value: Expr) -> Answer:
    number = plain_number(float(value.evalf(15))) if value.is_real else None
    return Answer(reading, expression_text(value), number)


def _is_prime_answer(match: re.Match[str]) -> Answer | str:
    import sympy

    number = int(match["number"].replace(",", ""))
    if number > _LARGEST:
        return f"numbers up to {_LARGEST:,} can be tested"
    return Answer(f"is {number} a prime", "yes" if sympy.isprime(number) else "no")


def _factors(match: re.Match[str]) -> Answer | str:
    import sympy

    number = int(match["number"].replace(",", ""))
    if not 2 <= number <= _LARGEST:
        return f"numbers from 2 to {_LARGEST:,} can be taken apart"
    with limit_steps("the factors"):
        found = sympy.factorint(number)
    text = " * ".join(f"{base}^{power}" if power > 1 else str(base) for base, power in sorted(found.items()))
    return Answer(f"prime factors of {number}", text)


def _gcd_or_lcm_answer(match: re.Match[str]) -> Answer | str:
    import sympy

    numbers = _parse_numbers(match["list"])
    if len(numbers) < 2 or not all(number.is_Integer for number in numbers):
        return "want two or more whole numbers"
    name = "gcd" if match["what"][0] in "gh" else "lcm"
    value = (sympy.igcd if name == "gcd" else sympy.ilcm)(*numbers)
    return _number_answer(f"{name}({', '.join(map(expression_text, numbers))})", sympy.Integer(value))


def _statistic_answer(match: re.Match[str]) -> Answer | str:
    import sympy

    numbers = _parse_numbers(match["list"])
    if not numbers or not all(number.is_real for number in numbers):
        return "want a list of numbers such as 2, 4, 9"
    what, count = match["what"], len(numbers)
    ordered, mean = sorted(numbers), sum(numbers, sympy.Integer(0)) / count
    squares = sum(((number - mean) ** 2 for number in numbers), sympy.Integer(0))
    if what in ("mean", "average", "arithmetic mean"):
        value = mean
    elif what == "median":
        value = (ordered[(count - 1) // 2] + ordered[count // 2]) / 2
    elif what == "sum":
        value = mean * count
    elif what == "product":
        value = sympy.prod(numbers)
    elif count < 2:
        return f"the {what} needs two numbers or more"
    else:
        spread = squares / (count if what.startswith("population") else count - 1)
        value = spread if what.endswith("variance") else sympy.sqrt(spread)
    return _number_answer(f"{what} of {', '.join(map(expression_text, numbers))}", value)


def _sum_of_range_answer(match: re.Match[str]) -> Answer | str:
    first, last = int(match["first"]), int(match["last"])
    total = (first + last) * (last - first + 1) // 2
    return (
        Answer(f"sum of the whole numbers from {first} to {last}", str(total), total)
        if last >= first
        else "want a smaller first number"
    )


def _percent_change_answer(match: re.Match[str]) -> Answer | str:
    one, other = (expression_of(match[name], _PARAMETER) for name in ("one", "other"))
    if one == 0:
        return "there is no percentage of zero"
    value = (other - one) / one * 100
    return Answer(
        f"percentage change from {expression_text(one)} to {expression_text(other)}",
        f"{plain_number(float(value))}%",
        plain_number(float(value)),
    )


def _percentage_answer(match: re.Match[str]) -> Answer | str:
    one, other = (expression_of(match[name], _PARAMETER) for name in ("one", "other"))
    if other == 0:
        return "there is no percentage of zero"
    value = float(one / other * 100)
    return Answer(
        f"{expression_text(one)} as a percentage of {expression_text(other)}",
        f"{plain_number(value)}%",
        plain_number(value),
    )


def _base_answer(match: re.Match[str]) -> Answer | str:
    source = (
        _BASES[match["source"]][0]
        if match["source"]
        else 16
        if match["number"].startswith("0x")
        else 2
        if match["number"].startswith("0b")
        else 10
    )
    base, letter = _BASES[match["target"]]
    try:
        number = int(match["number"].replace(",", ""), source)
    except ValueError:
        return f"{match['number']} is no number of base {source}"
    return Answer(
        f"{match['number']} (base {source}) in base {base}",
        format(number, letter),
        number if base == 10 else None,
    )


def _roman(match: re.Match[str]) -> Answer | str:
    number, text = int(match["number"]), ""
    if not 1 <= number <= 3999:
        return "Roman numerals go from 1 to 3999"
    left = number
    for value, signs in _ROMAN:
        text += signs * (left // value)
        left %= value
    return Answer(f"{number} in Roman numerals", text)


def _from_roman_answer(match: re.Match[str]) -> Answer | str:
    left, number = match["roman"].upper(), 0
    for value, signs in _ROMAN:
        while left.startswith(signs):
            number, left = number + value, left[len(signs) :]
    return (
        Answer(f"{match['roman'].upper()} as a number", str(number), number)
        if not left
        else "no Roman numeral"
    )


def _product_answer(match: re.Match[str]) -> Answer | str:
    import math

    first, last = int(match["first"]), int(match["last"])
    if not first <= last <= 100:
        return "want a smaller first number, and a last one of 100 at most"
    value = math.prod(range(first, last + 1))
    return Answer(
        f"product of the whole numbers from {first} to {last}", str(value), plain_number(float(value))
    )


def _permutations(match: re.Match[str]) -> Answer | str:
    import math

    whole = int(match["whole"])
    if whole > 100:
        return "want a number up to 100"
    value = math.factorial(whole)
    return Answer(f"permutations of {whole} things: {whole}!", str(value), plain_number(float(value)))


def _limit_answer(match: re.Match[str]) -> Answer | str:
    import sympy

    inner = expression_of(match["inner"], _PARAMETER)
    name = sympy.Symbol(match["name"])
    far = match["point"].replace("+", "") in ("infinity", "inf", "oo", "∞")
    point = (
        (sympy.oo if not match["point"].startswith("-") else -sympy.oo)
        if far
        else expression_of(match["point"], _PARAMETER)
    )
    with limit_steps("the limit"):
        value = sympy.limit(inner, name, point)
    return (
        _number_answer(
            f"limit of {expression_text(inner)} as {name} approaches {expression_text(point)}", value
        )
        if value.is_number
        else Answer(match[0], expression_text(value))
    )


def _derivative_answer(match: re.Match[str]) -> Answer | None:
    """The derivative of an order, by a variable or at a point; the plain derivative is a task of algebra."""
    import sympy

    if not (match["order"] or match["name"] or match["point"]):
        return None
    inner = expression_of(match["inner"], _PARAMETER)
    order = {"second": 2, "third": 3}.get(match["order"] or "", 1)
    name = sympy.Symbol(match["name"]) if match["name"] else find_variable(inner)
    with limit_steps("the derivative"):
        value = inner.diff(name, order)
        if match["point"]:
            value = value.subs(name, expression_of(match["point"], _PARAMETER))
    reading = f"{'' if order == 1 else match['order'] + ' '}derivative of {expression_text(inner)}" + (
        f" at {name} = {match['point']}" if match["point"] else ""
    )
    return _number_answer(reading, value) if value.is_number else Answer(reading, expression_text(value))


def _system(match: re.Match[str]) -> Answer | str | None:
    import sympy

    parts = [part for part in re.split(r"\s*(?:,|;|\band\b)\s*", match["equations"]) if part]
    if len(parts) < 2 or not all(part.count("=") == 1 for part in parts):
        return None
    sides = [part.split("=") for part in parts]
    equations = [expression_of(left, _PARAMETER) - expression_of(right, _PARAMETER) for left, right in sides]
    names = sorted({name for equation in equations for name in equation.free_symbols}, key=str)
    with limit_steps("the system"):
        found = sympy.solve(equations, names, dict=True)
    if not found:
        return "the equations have no common solution"
    texts = [
        "; ".join(f"{name} = {expression_text(one[name])}" for name in names if name in one) for one in found
    ]
    return Answer(f"solve {'; '.join(parts)}", " or ".join(texts))


def _remainder_answer(match: re.Match[str]) -> Answer | str:
    one, other = int(match["one"]), int(match["other"])
    if other == 0:
        return "division by zero"
    return Answer(f"{one} mod {other}", str(one % other), one % other)


def _combinations_answer(match: re.Match[str]) -> Answer | str:
    import math

    whole, part = int(match["whole"]), int(match["part"])
    if whole > 1000:
        return "want numbers up to 1000"
    return Answer(
        f"{whole} choose {part}", str(math.comb(whole, part)), plain_number(float(math.comb(whole, part)))
    )


def _logarithm_answer(match: re.Match[str]) -> Answer | str:
    import sympy

    base, inner = (expression_of(match[name], _PARAMETER) for name in ("base", "inner"))
    if not (base.is_positive and base != 1 and inner.is_positive):
        return "a logarithm takes a positive number and a positive base other than 1"
    return _number_answer(
        f"log({expression_text(inner)}, {expression_text(base)})", sympy.simplify(sympy.log(inner, base))
    )


def _digits_answer(match: re.Match[str]) -> Answer | str:
    value, count = expression_of(match["inner"], _PARAMETER), int(match["count"])
    if not value.is_real or not 1 <= count <= 50:
        return "want a real number and 1 to 50 digits"
    if match["kind"].startswith("decimal"):
        count += max(1, len(str(abs(int(value)))))
    return Answer(
        f"{expression_text(value)} to {match['count']} {match['kind']}",
        str(value.evalf(count)),
        plain_number(float(value)),
    )


def _nth_number_answer(match: re.Match[str]) -> Answer | str:
    import sympy

    place, what = int(match["place"]), match["what"]
    if not 1 <= place <= 1000:
        return "want a place from 1 to 1000"
    value = int(sympy.fibonacci(place) if what == "fibonacci" else sympy.prime(place))
    return Answer(
        f"{what} number {place}", str(value), plain_number(float(value)) if value < 10**15 else None
    )


_WHOLE = r"(?P<number>[\d,]{1,20})"
_QUESTIONS: tuple[Reading, ...] = (
    (re.compile(rf"is {_WHOLE} (?:a )?prime(?: number)?"), _is_prime_answer),
    (re.compile(rf"(?:prime factor(?:s|ization|isation) (?:of )?|factors of |factor(?:ize|ise)? ){_WHOLE}"), _factors),
    (re.compile(rf"(?P<what>gcd|gcf|lcm|greatest common (?:divisor|factor)|highest common factor|least "
        rf"common multiple|lowest common multiple)(?: of)? \(?{_LIST}\)?"), _gcd_or_lcm_answer),
    (re.compile(r"sum of (?:all )?(?:the )?(?:whole |natural )?(?:numbers |integers )?(?:from "
        r")?(?P<first>\d{1,9}) (?:to|through) (?P<last>\d{1,9})"), _sum_of_range_answer),
    (re.compile(rf"(?P<what>mean|average|arithmetic mean|median|sum|product|(?:population |sample "
        rf")?(?:standard deviation|variance))(?: of)?:? \(?{_LIST}\)?"), _statistic_answer),
    (re.compile(r"(?P<one>-?\d{1,18}) ?(?:mod|modulo| % ?) ?(?P<other>-?\d{1,18})"), _remainder_answer),
    (re.compile(r"remainder (?:of|when) (?P<one>\d{1,18}) (?:is )?divided by (?P<other>\d{1,18})"), _remainder_answer),
    (re.compile(r"(?:the )?(?P<place>\d{1,4}) ?(?:st|nd|rd|th) (?P<what>fibonacci|prime)(?: number)?"), _nth_number_answer),
    (re.compile(r"(?P<whole>\d{1,6}) choose (?P<part>\d{1,6})"), _combinations_answer),
    (re.compile(r"log(?:arithm)? (?:to )?(?:the )?base (?P<base>\S+) of (?P<inner>.+)"), _logarithm_answer),
    (re.compile(r"(?P<inner>.+) (?:to|with) (?P<count>\d{1,3}) (?P<kind>(?:significant )?(?:digits|"
        r"figures)|decimal places|decimals)"), _digits_answer),
    (re.compile(r"(?:percent(?:age)?|%) (?:change|increase|decrease|difference) (?:from|between) "
        r"(?P<one>\S+) (?:to|and) (?P<other>\S+)"), _percent_change_answer),
    (re.compile(r"(?P<one>[\d.,]+) (?:is what (?:percent(?:age)?|%) of|as an? percent(?:age)? of) "
        r"(?P<other>[\d.,]+)"), _percentage_answer),
    (re.compile(r"what (?:percent(?:age)?|%) of (?P<other>[\d.,]+) is (?P<one>[\d.,]+)"), _percentage_answer),
    (re.compile(rf"(?:convert )?(?P<source>{'|'.join(_BASES)})? ?(?P<number>(?:0[xb])?[\da-f,]{{1,30}}) "
        rf"(?:in|to|into|as) (?P<target>{'|'.join(_BASES)})"), _base_answer),
    (re.compile(rf"(?:convert )?(?P<number>(?:0[xb])?[\da-f,]{{1,30}}) (?:in )?(?P<source>{'|'.join(_BASES)}) "
        rf"(?:in|to|into|as) (?P<target>{'|'.join(_BASES)})"), _base_answer),
    (re.compile(r"(?:convert )?(?P<number>\d{1,6}) (?:in|to|into|as) roman(?: numerals?)?"), _roman),
    (re.compile(r"(?:convert )?(?P<roman>[mdclxvi]{1,15}) (?:in|to|into|as) (?:decimal|arabic(?: numerals?)?|"
        r"a number|numbers)"), _from_roman_answer),
    (re.compile(r"product of (?:the )?(?:whole |natural )?(?:numbers |integers )?(?:from )?(?P<first>\d{1,3}) "
        r"(?:to|through) (?P<last>\d{1,3})"), _product_answer),
    (re.compile(r"permutations of (?P<whole>\d{1,3})(?: (?:things|items|objects|elements))?"), _permutations),
    (re.compile(r"(?:limit of|lim) (?P<inner>.+?) (?:as|when) (?P<name>[a-z]) (?:approaches|goes to|"
        r"tends to|->|→) (?P<point>\S+)"), _limit_answer),
    (re.compile(r"(?:(?P<order>first|second|third) )?(?:derivative of|differentiate|"
        r"d/d(?P<name>[a-z])(?: of)?) (?P<inner>.+?)(?: with respect to [a-z])?(?: at (?:[a-z] ?= "
            r"?)?(?P<point>\S+))?"), _derivative_answer),
    (re.compile(r"(?:solve )?(?:the )?(?:system )?(?:of equations )?:?(?P<equations>.+=.+)"), _system),
)  # fmt: skip
