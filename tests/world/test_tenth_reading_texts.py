"""Texts and files as they are read by people who use them: numbers of Python, PDF documents, grammar, test data."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.state import World

FOLDER = "/workspace/Tool_learning_test/Tools/File/Pdf/test_file"


def _value(world: World, tool: str, **arguments: Any) -> Any:
    result = call(world, tool, arguments)
    assert result.error is None, result.text
    return json.loads(result.text)


def _printed(code: str) -> str:
    found = _value(World.fresh(0), "Execute/Execute/execute_pycode", code=code)
    assert found["error"] is None
    return str(found["output"]).strip()


def test_python_rounds_as_python_does() -> None:
    numbers = [
        2.675,
        -2.675,
        4.35,
        0.15,
        0.35,
        1.005,
        0.125,
        88.825,
        1e300,
        0.0,
        -0.0,
        123456789.987,
        250.0,
        350.0,
    ]
    code = f"print([round(x, n) for x in {numbers} for n in (1, 2, 0, -1, -2, 20)])"
    assert _printed(code) == str([round(x, n) for x in numbers for n in (1, 2, 0, -1, -2, 20)])
    assert _printed("def round(x, n):\n    return n\nprint(round(2.675, 2))") == "2"


@pytest.mark.parametrize(
    "text", ["pow(3, -1, 7)", "pow(38, -1, 97)", "pow(2, -3, -7)", "pow(5, 3, 13)", "pow(2, -1)"]
)
def test_powers_with_a_modulus(text: str) -> None:
    assert _printed(f"print({text})") == str(eval(text))


def test_statistics_are_exact() -> None:
    import statistics

    data = [0.1, 0.2, 0.3, 7.25]
    for name in ("mean", "fmean", "variance", "pvariance", "stdev", "pstdev", "harmonic_mean"):
        wanted = repr(getattr(statistics, name)(data))
        assert _printed(f"import statistics\nprint(repr(statistics.{name}({data})))") == wanted
