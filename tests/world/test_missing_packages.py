"""Without the world extra a tool that needs one of its packages says so in one line."""

from __future__ import annotations

import subprocess
import sys

BLOCKED = """
import sys
for name in ("babel", "faker", "holidays", "PIL", "pint", "pydantic_monty", "pypdf", "reportlab", "sympy", "tzdata"):
    sys.modules[name] = None
from toolyard.cli import main
sys.argv = ["toolyard", *sys.argv[1:]]
main()
"""


ARGUMENTS = '{"operation": "factor", "expression": "x^2-1"}'


def without_packages(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", BLOCKED, *words], capture_output=True, text=True, timeout=120
    )


def test_a_call_names_the_package_and_the_install_line() -> None:
    done = without_packages("tools", "call", "Calculator/Calculator/newton_calculator", ARGUMENTS)
    assert done.returncode == 1
    assert "pip install 'toolyard[world]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_library_can_be_listed_all_the_same() -> None:
    assert without_packages("tools", "list", "TG").returncode == 0
