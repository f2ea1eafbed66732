"""Mathematical text to sympy, through Python's own parser and a list of what is allowed.

Text is never handed to sympy itself, which would evaluate it as Python.
"""

from __future__ import annotations

import ast
import functools
import math
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from toolyard.world.isolation.steps import limit_calls
from toolyard.world.kernel.faults import ToolFault, invalid

if TYPE_CHECKING:
    from sympy import Expr

MAX_LENGTH = 500
MAX_BITS = 8_192
MAX_SYMBOLIC_POWER = 40
STEPS = 2_000_000
MAX_EXPONENT = 100_000
MAX_DIGITS = 100
# Whole numbers of up to so many digits are written out.
_WHOLE_DIGITS = 40
MAX_TERMS = 20_000
_SIGNS = {"^": "**", "×": "*", "·": "*", "÷": "/", "−": "-", "–": "-", "π": "pi", "√": "sqrt", "(over)": "/"}
_TERM = re.compile(r"(\d)\s*(?=[A-Za-z(])|(\))\s*(?=[\w(])|\b([a-df-z])\s*(?=\()")
_FACTORIAL = re.compile(r"(\d+|\b[a-z]\b)!(?!=)")
_EXPONENT = re.compile(r"(\d)\*([eE])([+-]?\d)")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
# What sympy raises where it cannot go on, besides saying so.
UNCOMPUTABLE = (
    NotImplementedError,
    ValueError,
    TypeError,
    AttributeError,
    ArithmeticError,
    LookupError,
    RecursionError,
)
_REMAINDER = re.compile(r"(?<=[\d)]) *mod(?:ulo)? *(?=[\d(])", re.IGNORECASE)
_BARE_ROOT = re.compile(r"sqrt *(\d+(?:\.\d+)?)")
_MAGNITUDE = re.compile(r"\|([^|]{1,100})\|")
_DEGREES = re.compile(r"(?<=\d) *(?:°|deg(?:rees?)?\b)")
_LETTERS = frozenset("abcdfghjklmnopqrstuvwxyz")


@functools.cache
def _sympy_functions() -> Mapping[str, Callable[..., Expr]]:
    import sympy as s

    names = "sin cos tan sec csc cot asin acos atan sinh cosh tanh exp log sqrt cbrt factorial gcd lcm floor"
    found: dict[str, Callable[..., Expr]] = {name: getattr(s, name) for name in names.split()}
    return {
        **found,
        "arcsin": s.asin,
        "arccos": s.acos,
        "arctan": s.atan,
        "ln": s.log,
        "log2": lambda x: s.log(x, 2),
        "log10": lambda x: s.log(x, 10),
        # Digits in a name would read as a factor.
        "logtwo": lambda x: s.log(x, 2),
        "logten": lambda x: s.log(x, 10),
        "abs": s.Abs,
        "ceil": s.ceiling,
        "round": _round_half_up,
        "min": s.Min,
        "max": s.Max,
        "comb": s.binomial,
    }


def _round_half_up(value: Expr, digits: Expr | int = 0) -> Expr:
    import sympy as s

    if not s.Integer(digits).is_Integer or abs(digits) > MAX_DIGITS:
        raise ToolFault("limit_exceeded", f"round takes {MAX_DIGITS} digits at most")
    return s.floor(value * 10**digits + s.Rational(1, 2)) / 10**digits


@functools.cache
def load_sympy() -> None:
    """Loads what sympy loads late: imports must not count as steps of the first computation."""
    import sympy as s

    x = s.Symbol("x")
    s.simplify(s.sin(x) ** 2 + s.cos(x) ** 2)
    s.integrate(x**2 * s.exp(x), x)
    s.solve(x**2 - 1, x)


@contextmanager
def limit_steps(what: str) -> Iterator[None]:
    """A bound on the steps of a computation; caches are emptied so that it does not depend on what came before."""
    from sympy.core.cache import clear_cache

    load_sympy()
    clear_cache()
    with limit_calls(STEPS, what):
        yield


@contextmanager
def limit_computation(parameter: str, text: str) -> Iterator[None]:
    """A bound on the steps of what is computed; what sympy cannot do is a fault."""
    try:
        with limit_steps("the computation"):
            yield
    except UNCOMPUTABLE as error:
        raise invalid(parameter, text[:80], f"cannot be computed: {str(error)[:80]}") from None


def known_math_names() -> frozenset[str]:
    """Words that mean something in an expression."""
    return frozenset({*_sympy_functions(), "pi"}) - {"logtwo", "logten"}


def expression_of(text: str, parameter: str = "expression") -> Expr:
    """The sympy expression that a text stands for; a fault that names what is not understood."""
    try:
        tree = ast.parse(_python_syntax(text, parameter), mode="eval")
        with limit_steps("the expression"):
            return check_power_terms(_Reader(parameter, text).read_node(tree.body))
    except (SyntaxError, MemoryError, *UNCOMPUTABLE):
        raise invalid(parameter, text[:80], "not a mathematical expression such as 2*(x + 1)^2 / 3") from None


def _python_syntax(text: str, parameter: str) -> str:
    if len(text) > MAX_LENGTH:
        raise invalid(parameter, text[:40], f"want at most {MAX_LENGTH} characters")
    for sign, name in _SIGNS.items():
        text = text.replace(sign, name)
    if text.count("(") != text.count(")"):
        raise invalid(parameter, text[:80], "the brackets do not match: as many must close as open")
    text = text.replace("log10", "logten").replace("log2(", "logtwo(")
    text = _MAGNITUDE.sub(r"abs(\1)", _DEGREES.sub("*pi/180", text))
    text = _REMAINDER.sub("@", _BARE_ROOT.sub(r"sqrt(\1)", text))
    text = re.sub(
        r"(?<=[\d)]) *% *(?=[\d(])", "@", text
    )  # between two numbers the sign is that of the remainder
    text = _THOUSANDS.sub("", text.strip().rstrip("=?"))
    text = _FACTORIAL.sub(r"factorial(\1)", re.sub(r"(\d+) factorial\b", r"\1!", text)).replace("%", "*0.01")
    spread = _TERM.sub(lambda match: f"{match[1] or match[2] or match[3]}*", text)
    return _EXPONENT.sub(r"\1\2\3", spread)


class _Reader:
    """One walk over a parsed expression."""

    def __init__(self, parameter: str, text: str) -> None:
        self._parameter = parameter
        self._text = text

    def read_node(self, node: ast.AST) -> Expr:
        """The sympy value of a node; numbers stay within bounds."""
        if isinstance(node, ast.Constant):
            return self._check_bits(self._number_node(node.value))
        if isinstance(node, ast.Name):
            return self._name_node(node.id)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd | ast.USub):
            value = self.read_node(node.operand)
            return -value if isinstance(node.op, ast.USub) else value
        if isinstance(node, ast.BinOp):
            return self._check_bits(self._binary_node(node))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            return self._check_bits(self._call(node.func.id, [self.read_node(part) for part in node.args]))
        raise self._fault("only numbers, letters, + - * / ^ and functions are understood")

    def _fault(self, wanted: str) -> ToolFault:
        return invalid(self._parameter, self._text[:80], wanted)

    def _number_node(self, value: object) -> Expr:
        import sympy

        if isinstance(value, int) and not isinstance(value, bool):
            return sympy.Integer(value)
        if not isinstance(value, float) or not math.isfinite(value):
            raise self._fault("only finite numbers are understood")
        return sympy.Rational(repr(value))

    def _name_node(self, name: str) -> Expr:
        import sympy

        constants = {"pi": sympy.pi, "e": sympy.E, "E": sympy.E, "i": sympy.I, "I": sympy.I}
        if name in constants:
            return constants[name]
        if name.lower() in _LETTERS:
            return sympy.Symbol(name)
        raise self._fault(f"{name} is unknown; variables are single letters, constants pi, e and i")

    def _binary_node(self, node: ast.BinOp) -> Expr:
        left, right = self.read_node(node.left), self.read_node(node.right)
        match node.op:
            case ast.Add():
                return left + right
            case ast.Sub():
                return left - right
            case ast.Mult():
                return left * right
            case ast.Div():
                if right == 0:
                    raise self._fault("division by zero")
                return left / right
            case ast.MatMult():  # what stands for mod
                if not (left.is_Integer and right.is_Integer and right != 0):
                    raise self._fault("mod takes two whole numbers, the second not 0")
                return left % right
            case ast.Pow():
                return self._power_node(left, right)
        raise self._fault("only + - * / ^ are understood")

    def _power_node(self, base: Expr, exponent: Expr) -> Expr:
        if base.is_Rational and exponent.is_Rational:
            large = _count_bits(base) * abs(exponent) > MAX_BITS
        elif base.is_Rational and not exponent.is_number:
            large = _count_bits(base) * _largest_number(exponent) > 10 * MAX_BITS
        else:
            large = base.is_number and _exceeds_limit(exponent, MAX_EXPONENT)
        if large:
            raise ToolFault("limit_exceeded", "the power is too large to be written out")
        if not base.is_number and _exceeds_limit(exponent, MAX_SYMBOLIC_POWER):
            raise ToolFault("limit_exceeded", f"powers of variables go up to {MAX_SYMBOLIC_POWER}")
        return base**exponent

    def _call(self, name: str, arguments: list[Expr]) -> Expr:
        function = _sympy_functions().get(name.lower())
        if function is None:
            raise self._fault(
                f"no function {name}; known ones are {', '.join(sorted(known_math_names() - {'pi'}))}"
            )
        if name.lower() in ("factorial", "comb") and any(_exceeds_limit(a, 1000) for a in arguments):
            raise ToolFault("limit_exceeded", f"{name} takes numbers up to 1000")
        if name.lower() in ("exp", "sinh", "cosh", "tanh") and any(
            _exceeds_limit(a, MAX_EXPONENT) for a in arguments
        ):
            raise ToolFault("limit_exceeded", f"{name} takes numbers up to {MAX_EXPONENT}")
        return function(*arguments)

    def _check_bits(self, value: Expr) -> Expr:
        if value.is_Rational and _count_bits(value) > MAX_BITS:
            raise ToolFault("limit_exceeded", "the numbers become too large")
        return value


def check_power_terms(value: Expr) -> Expr:
    """The value itself; a fault where a power of a sum in it would have too many terms.

    Needed besides the bound on steps: sympy expands such powers in loops that call nothing.
    """
    import sympy as s

    for power in value.atoms(s.Pow):
        if power.base.is_Add and power.exp.is_Rational and power.exp.q == 1:
            terms = len(power.base.args) - 1
            if abs(power.exp) > MAX_TERMS or math.comb(abs(int(power.exp)) + terms, terms) > MAX_TERMS:
                raise ToolFault("limit_exceeded", "a power of a sum has too many terms; try a smaller one")
    return value


def _count_bits(value: Expr) -> int:
    """The size of a rational number."""
    return max(int(value.p).bit_length(), int(value.q).bit_length())


def _largest_number(value: Expr) -> int:
    """The largest whole part of any number in an expression."""
    import sympy as s

    return max((abs(int(number)) for number in value.atoms(s.Rational)), default=0)


def _exceeds_limit(value: Expr, limit: int) -> bool:
    return bool(value.is_number and abs(value.evalf(5)) > limit)


def expression_text(value: Expr) -> str:
    """An expression as people write it: ^ for powers, e, i and infinity."""
    text = _SYMPY_SIGNS.sub(lambda found: _WRITTEN[found[0]], str(value).replace("**", "^"))
    return _INVERSE.sub(r"1/\1^\2", text)


_WRITTEN = {"E": "e", "I": "i", "oo": "infinity", "zoo": "complex infinity", "Abs": "abs"}
_INVERSE = re.compile(r"(\b[a-z]|(?<![\w)])\([^()]{1,80}\))\^\(-(\d{1,3})\)")
_SYMPY_SIGNS = re.compile(r"\b(?:E|I|oo|zoo|Abs)\b")


def decimal_value(value: Expr, parameter: str, text: str) -> float | int:
    """A number as JSON knows it, to twelve digits; a fault for anything that is not a real number."""
    if value.free_symbols:
        raise invalid(parameter, text[:80], "it holds variables; want numbers only")
    if value.is_Integer and abs(value) < 10**_WHOLE_DIGITS:
        return int(value)
    with limit_steps("the number"):
        found = value.evalf(15)
    if not found.is_real or not found.is_finite:
        raise invalid(
            parameter, text[:80], f"the result is {expression_text(found)}, not a finite real number"
        )
    try:
        number = float(f"{float(found):.12g}")
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ToolFault("out_of_range", "the result is beyond 1e308")
    return number


def find_variable(value: Expr) -> Expr:
    """The variable to work in: x where there is one, else the first letter; x for constants."""
    import sympy

    names = sorted(value.free_symbols, key=str)
    return next((name for name in names if str(name) == "x"), names[0] if names else sympy.Symbol("x"))
