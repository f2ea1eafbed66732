"""Questions of matrices: "determinant of [[1, 2], [3, 4]]", products, inverses, eigenvalues."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from toolyard.world.tools.calculator.algebra import expression_of, expression_text, limit_steps
from toolyard.world.tools.calculator.answer import Answer, plain_number

if TYPE_CHECKING:
    from sympy import Expr, Matrix

MAX_SIZE = 6
_MATRIX = r"[\[{]\s*[\[{][^\[\]{}]*[\]}](?:\s*,\s*[\[{][^\[\]{}]*[\]}]){0,9}\s*[\]}]"
_TASK = re.compile(
    rf"(?:what (?:is|are) |find |calculate |compute |the )*(?P<task>determinant|det|inverse|transpose|"
    rf"trace|rank|eigenvalues?|"
    rf"eigenvectors?|characteristic polynomial|rref|row reduce)(?: of)?(?: the)?(?: matrix)? ?\(?(?P<one>{_MATRIX})\)?"
)
_PRODUCT = re.compile(
    rf"(?:what is |calculate |compute )*(?P<one>{_MATRIX})\s*(?P<sign>[-+*.·×])\s*(?P<other>{_MATRIX})"
)


def answer_matrix_question(question: str) -> Answer | str | None:
    """The answer to a question of matrices; a sentence where there is none; None for other questions."""
    text = " ".join(question.lower().rstrip("?.! ").split())[:500]
    task, product = _TASK.fullmatch(text), _PRODUCT.fullmatch(text)
    match = task or product
    if match is None:
        return None
    one = _parse_matrix(match["one"])
    if isinstance(one, str):
        return one
    if task:
        return _matrix_task(task["task"], one)
    other = _parse_matrix(match["other"])
    return other if isinstance(other, str) else _combine_matrices(one, match["sign"], other)


def _parse_matrix(text: str) -> Matrix:
    """The matrix of its text; a sentence where its rows differ in length or it is too large."""
    import sympy

    rows = [
        [expression_of(cell, "input_query") for cell in row.split(",") if cell.strip()]
        for row in re.findall(r"[\[{]([^\[\]{}]*)[\]}]", text.strip()[1:-1])
    ]
    if not rows or not rows[0] or len({len(row) for row in rows}) != 1:
        return "the rows of a matrix have equally many cells, e.g. [[1, 2], [3, 4]]"
    if max(len(rows), len(rows[0])) > MAX_SIZE:
        return f"matrices of at most {MAX_SIZE} rows and columns are computed"
    return sympy.Matrix(rows)


def _format_value(value: Expr) -> str:
    import sympy

    if isinstance(value, sympy.MatrixBase):
        return (
            "["
            + ", ".join(
                "[" + ", ".join(expression_text(cell) for cell in value.row(n)) + "]"
                for n in range(value.rows)
            )
            + "]"
        )
    return expression_text(value)


def _matrix_task(task: str, one: Matrix) -> Answer | str:
    square = one.rows == one.cols
    if not square and task not in ("transpose", "rank", "rref", "row reduce"):
        return f"the {task} is of a square matrix; this has {one.rows} rows and {one.cols} columns"
    with limit_steps("the matrix"):
        if task == "inverse" and one.det() == 0:
            return "the matrix has no inverse: its determinant is 0"
        value = _TASKS[task](one)
    number = plain_number(float(value)) if getattr(value, "is_Rational", False) else None
    return Answer(
        f"{task} of {_format_value(one)}", value if isinstance(value, str) else _format_value(value), number
    )


def _eigenvalue_text(one: Matrix) -> str:
    return ", ".join(expression_text(value) for value, count in one.eigenvals().items() for _ in range(count))


def _eigenvector_text(one: Matrix) -> str:
    return "; ".join(
        f"{expression_text(value)}: {_format_value(vector.T)[1:-1]}"
        for value, _, vectors in one.eigenvects()
        for vector in vectors
    )


def _matrix_rank(one: Matrix) -> Expr:
    import sympy

    return sympy.Integer(one.rank())


def _polynomial(one: Matrix) -> str:
    import sympy

    return expression_text(sympy.expand(one.charpoly(sympy.Symbol("x")).as_expr()))


_TASKS: Mapping[str, Callable[[Matrix], Expr]] = {
    "determinant": lambda one: one.det(), "det": lambda one: one.det(), "inverse": lambda one: one.inv(),
    "transpose": lambda one: one.T, "trace": lambda one: one.trace(), "rank": _matrix_rank, "eigenvalue": _eigenvalue_text,
    "eigenvalues": _eigenvalue_text, "eigenvector": _eigenvector_text, "eigenvectors": _eigenvector_text,
    "characteristic polynomial": _polynomial, "rref": lambda one: one.rref()[0], "row reduce": lambda one: one.rref()[0],
}  # fmt: skip


def _combine_matrices(one: Matrix, sign: str, other: Matrix) -> Answer | str:
    fits = one.cols == other.rows if sign in "*.·×" else one.shape == other.shape
    if not fits:
        return f"a {one.rows}x{one.cols} and a {other.rows}x{other.cols} matrix cannot be put together with {sign}"
    with limit_steps("the matrix"):
        value = one * other if sign in "*.·×" else one + other if sign == "+" else one - other
    return Answer(f"{_format_value(one)} {sign} {_format_value(other)}", _format_value(value))
