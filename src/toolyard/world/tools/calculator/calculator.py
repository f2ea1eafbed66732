"""Calculator/Calculator: arithmetic, questions in words, and algebra, computed by sympy."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias, TypedDict

from toolyard.world.kernel.faults import ToolFault, invalid
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.types import MathExpression, Semantic
from toolyard.world.tools.calculator.algebra import (
    check_power_terms,
    decimal_value,
    expression_of,
    expression_text,
    find_variable,
    known_math_names,
    limit_computation,
    load_sympy,
)
from toolyard.world.tools.calculator.numbers_in_words import words_to_signs
from toolyard.world.tools.calculator.questions import answer_numeric_question, answer_question

if TYPE_CHECKING:
    from sympy import Expr

GROUP = Group("Calculator/Calculator")
NumberExpression = Annotated[str, Semantic("number_expression", is_a=("math_expression",))]
Question = Annotated[str, Semantic("math_expression", accepts=("number_expression",))]
# How a question is read, and what computes it.
Reading: TypeAlias = "tuple[str, Callable[[], Expr]]"
_INTEGRAL = re.compile(
    r"(?:integrate|integral of|area under(?: the curve)?(?: of)?) (.+?)(?: d[a-z])?"
    r"(?: from (?:[a-z] ?= ?)?(\S+) to (?:[a-z] ?= ?)?(\S+))?"
)
_BOUNDS_FIRST = re.compile(r"(integral|integrate) from (\S+) to (\S+) (?:of )?(.+)")
_TASK = re.compile(r"(derivative of|differentiate|derive|factor(?:ize|ise)?|expand|simplify|solve) (.+)")


def warm_up() -> None:
    """Loads sympy."""
    load_sympy()


class Computed(TypedDict):
    expression: NumberExpression
    result: int | float


class Interpreted(TypedDict):
    interpretation: MathExpression
    exact: MathExpression
    decimal: int | float | None


class Newton(TypedDict):
    operation: str
    expression: MathExpression
    result: MathExpression


@GROUP.tool(
    isolated=True,
    examples=[{"input_query": "37 * 65 / 24"}, {"input_query": "400/1400"}],
    phrase="calculate the plain arithmetic value of {input_query}",
    noun="the calculated number",
    stands_in_for=("Calculator",),
)
def calculator(*, input_query: NumberExpression) -> Computed:
    """The number that an arithmetic expression comes to.

    input_query: Numbers with + - * / ^, brackets and functions such as sqrt, sin (radians) or log (natural).
    """
    measured = answer_numeric_question(input_query[:600], "input_query")
    if measured is not None and measured.number is not None:
        return {"expression": input_query, "result": measured.number}
    with limit_computation("input_query", input_query):
        value = expression_of(_question_in_signs(input_query[:600]), "input_query")
        return {"expression": input_query, "result": decimal_value(value, "input_query", input_query)}


def _interpret_question(question: str) -> Reading:
    """How a question is read, and what computes it."""
    import sympy

    text = question.strip().rstrip("?. ").replace("'", "").replace('"', "")
    lowered = re.sub(r"^(?:please |can you |what is |the |find |calculate |compute )+", "", text.lower())
    for reading in (_read_integral, _read_limit, _read_sum, _read_task):
        found = reading(lowered)
        if found:
            return found
    written = _question_in_signs(text)
    inner = expression_of(written, "input_query")
    return written, lambda: sympy.simplify(inner) if inner.free_symbols else inner


def _read_integral(lowered: str) -> Reading | None:
    import sympy

    asked = _INTEGRAL.fullmatch(_BOUNDS_FIRST.sub(r"integrate \4 from \2 to \3", lowered))
    if not asked:
        return None
    inner = expression_of(asked[1], "input_query")
    name = find_variable(inner)
    if asked[2] is None:
        return f"integrate({expression_text(inner)}, {name})", lambda: sympy.integrate(inner, name)
    ends = [_parse_bound(part) for part in (asked[2], asked[3])]
    return (
        f"integrate({expression_text(inner)}, {name}, {expression_text(ends[0])}, {expression_text(ends[1])})",
        lambda: sympy.integrate(_check_bounds_fit(inner, name, ends), (name, *ends)),
    )


def _read_limit(lowered: str) -> Reading | None:
    import sympy

    asked = _LIMIT.fullmatch(lowered)
    if not asked:
        return None
    inner, point = expression_of(asked[1], "input_query"), _parse_bound(asked[3])
    said = f"limit of {expression_text(inner)} as {asked[2]} -> {expression_text(point)}"
    return said, lambda: sympy.limit(inner, asked[2], point)


def _read_sum(lowered: str) -> Reading | None:
    import sympy

    asked = _SUM.fullmatch(lowered)
    if not asked:
        return None
    inner, ends = expression_of(asked[1], "input_query"), [_parse_bound(asked[3]), _parse_bound(asked[4])]
    said = f"sum of {expression_text(inner)} from {asked[2]} = {expression_text(ends[0])} to {expression_text(ends[1])}"
    return said, lambda: sympy.summation(inner, (sympy.Symbol(asked[2]), *ends))


def _read_task(lowered: str) -> Reading | None:
    """An equation is to be solved."""
    if lowered.count("=") == 1 and not _TASK.fullmatch(lowered) and not re.search(r"[<>!]", lowered):
        lowered = f"solve {lowered}"
    asked = _TASK.fullmatch(lowered)
    if not asked:
        return None
    left, _, right = asked[2].partition("=")
    inner = expression_of(left, "input_query") - expression_of(right or "0", "input_query")
    said = f"{left.strip()} = {right.strip()}" if right.strip() not in ("", "0") else expression_text(inner)
    return f"{asked[1]} {said}", _TASKS[asked[1][:5]](inner)


_LIMIT = re.compile(
    r"limit (?:of )?(.{1,200}?) as ([a-z]) ?(?:->|→|approaches|goes to|tends to|to) ?(.{1,40})"
)
_SUM = re.compile(r"sum (?:of )?(.{1,200}?) (?:from|for) ([a-z]) ?= ?(-?\w{1,10}) to (.{1,40})")


def _parse_bound(text: str) -> Expr:
    """A bound: a number or infinity."""
    plainly = text.strip().replace("∞", "infinity")
    if plainly.lstrip("+-") in ("infinity", "oo", "inf"):
        return -_import_sympy().oo if plainly.startswith("-") else _import_sympy().oo
    return expression_of(plainly, "input_query")


def _question_in_signs(text: str) -> str:
    """The text itself where it is an expression already, else its words turned into signs."""
    words = re.findall(r"[A-Za-z]{2,}", text)
    return text if all(word.lower() in known_math_names() for word in words) else words_to_signs(text).strip()


def _solve_equation(value: Expr) -> Expr:
    import sympy

    found = sympy.solve(value, find_variable(value))
    return [
        root.evalf(12) if root.has(sympy.CRootOf) else root
        for root in (found if isinstance(found, list) else [found])
    ]


_TASKS: Mapping[str, Callable[[Expr], Callable[[], Expr]]] = {
    "deriv": lambda value: lambda: value.diff(find_variable(value)),
    "diffe": lambda value: lambda: value.diff(find_variable(value)),
    "facto": lambda value: lambda: _import_sympy().factor(value),
    "expan": lambda value: lambda: value.expand(),
    "simpl": lambda value: lambda: _import_sympy().simplify(value),
    "solve": lambda value: lambda: _solve_equation(value),
}


def _import_sympy() -> ModuleType:
    return import_module("sympy")


@GROUP.tool(
    isolated=True,
    examples=[
        {"input_query": "What is two hundred and fifty plus seventy-five divided by three?"},
        {"input_query": "integrate x^2 from 1 to 4"},
        {"input_query": "solve x^2 - 5x + 6 = 0"},
    ],
    phrase="ask Wolfram Alpha for the answer to {input_query}",
    noun="the Wolfram Alpha answer",
    jobs=("answers to questions",),
    stands_in_for=("Calculator",),
    general=True,
)
def wolfram_alpha_calculator(world: World, *, input_query: Question) -> Interpreted:
    """The exact and the decimal answer to a mathematical question, with how the question was read.

    input_query: Arithmetic in signs or English words, or a task: integrate, derivative of, solve, factor, expand, simplify,
        limit of ... as x -> 0, sum of ... from n = 1 to infinity. Units (10 km in miles), dates (days between two
        of them) and matrices are understood as well.
    """
    import sympy

    found = answer_question(input_query[:600], world.today, "input_query")
    if found is not None:
        return {"interpretation": found.reading, "exact": found.text, "decimal": found.number}
    with limit_computation("input_query", input_query):
        reading, compute = _interpret_question(input_query[:600])
        value = compute()
        exact = ", ".join(map(expression_text, value)) if isinstance(value, list) else expression_text(value)
        if not isinstance(value, list) and (value.is_finite is False or value is sympy.nan):
            raise invalid("input_query", input_query[:80], "the result is infinite or undefined")
        if isinstance(value, list) or value.free_symbols or value.is_real is False:
            alone = value[0] if isinstance(value, list) and len(value) == 1 else None
            single = alone is not None and not alone.free_symbols and alone.is_real
            decimal = decimal_value(alone, "input_query", input_query) if single else None
            return {"interpretation": reading, "exact": exact or "no solution", "decimal": decimal}
        decimal = decimal_value(value, "input_query", input_query)
        return {"interpretation": reading, "exact": expression_text(sympy.nsimplify(value) if value.is_Float else value),
                "decimal": decimal}  # fmt: skip


Operation = Literal[
    "simplify", "factor", "derive", "integrate", "zeroes", "tangent", "area", "cos", "sin", "tan", "arccos", "arcsin",
    "arctan", "abs", "log",
]  # fmt: skip


@GROUP.tool(
    isolated=True,
    examples=[
        {"operation": "factor", "expression": "x^2 - 1"},
        {"operation": "abs", "expression": "-15"},
        {"operation": "area", "expression": "1:4|x^2"},
    ],
    phrase="use the Newton calculator with {operation} as the operation on {expression}",
    noun="the Newton calculation",
    stands_in_for=("Calculator",),
)
def newton_calculator(*, operation: Operation, expression: Question) -> Newton:
    """The outcome of one operation of algebra or calculus on an expression, in exact form.

    operation: What to do; zeroes finds the roots, tangent the tangent line, area the integral between two bounds.
    expression: A function such as 3y^3 - y^2, with (over) or / for fractions; c|f(x) for the tangent at c,
        a:b|f(x) for the area from a to b, b|x for the logarithm to base b.
    """
    before, _, text = expression.rpartition("|")
    value = expression_of(text)
    bounds = [expression_of(part) for part in before.split(":")] if before else []
    wanted = {"tangent": 1, "area": 2}.get(operation, 0)
    if len(bounds) != wanted and not (operation == "log" and len(bounds) == 1):
        form = {"tangent": "c|f(x)", "area": "a:b|f(x)", "log": "f(x) or b|x"}.get(operation, "f(x)")
        raise ToolFault(
            "invalid_value", f"{operation} takes an expression of the form {form}", parameter="expression"
        )
    with limit_computation("expression", expression):
        found = _newton_operation(operation, value, bounds)
        if not isinstance(found, list) and (found is _import_sympy().zoo or found is _import_sympy().nan):
            raise invalid("expression", expression[:80], f"{operation} is not defined there")
        result = (
            re.sub(r"\^1(?![\d.])", "", expression_text(found))
            if value.is_Integer
            else expression_text(found)
        )
        return {"operation": operation, "expression": " ".join(expression.split()), "result": result}


def _newton_operation(operation: str, value: Expr, bounds: list[Expr]) -> Expr:
    sympy = _import_sympy()
    name = find_variable(value)
    if operation in ("cos", "sin", "tan") or operation.startswith("arc"):
        if operation in ("arccos", "arcsin") and value.is_real and abs(value) > 1:
            raise invalid("expression", expression_text(value), f"{operation} is defined from -1 to 1")
        return getattr(sympy, operation.replace("arc", "a"))(value)
    if operation in ("simplify", "factor"):
        whole = operation == "factor" and value.is_Integer and abs(value) > 1
        return sympy.factorint(value, visual=True) if whole else getattr(sympy, operation)(value)
    match operation:
        case "abs":
            return sympy.Abs(value)
        case "log":
            if bounds and not (bounds[0].is_positive and bounds[0] != 1):
                raise invalid(
                    "expression",
                    f"{bounds[0]}|{expression_text(value)}",
                    "the base must be positive and not 1",
                )
            return sympy.log(value, *bounds)
        case "derive":
            return value.diff(name)
        case "zeroes":
            return _solve_equation(value)
        case "tangent":
            slope = check_power_terms(value.diff(name).subs(name, bounds[0]))
            return sympy.expand(slope * (name - bounds[0]) + check_power_terms(value.subs(name, bounds[0])))
    return sympy.integrate(_check_bounds_fit(value, name, bounds), (name, *bounds) if bounds else name)


def _logarithm(value: Expr, bounds: list[Expr]) -> Expr:
    if bounds and not (bounds[0].is_positive and bounds[0] != 1):
        raise invalid(
            "expression", f"{bounds[0]}|{expression_text(value)}", "the base must be positive and not 1"
        )
    return _import_sympy().log(value, *bounds)


def _check_bounds_fit(value: Expr, name: Expr, bounds: list[Expr]) -> Expr:
    """The value itself; a fault where putting a bound into it makes it too large to work with."""
    for bound in bounds:
        if bound.is_finite is not False:
            check_power_terms(value.subs(name, bound))
    return value
