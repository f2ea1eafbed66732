"""Without the world extra a tool that needs one of its packages says so in one line."""

import subprocess
import sys
from pathlib import Path

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


def test_without_the_extra_a_call_names_the_package_and_the_library_is_listed() -> None:
    done = without_packages(
        "tools", "call", "Calendar/Calendar/next_public_holidays", '{"countryCode": "FR"}'
    )
    assert done.returncode == 1
    assert "pip install 'toolyard[world]'" in done.stderr
    assert "Traceback" not in done.stderr
    assert without_packages("tools", "list", "TG").returncode == 0


def test_a_call_in_a_worker_names_them_too(tmp_path: Path) -> None:
    (tmp_path / "sympy.py").write_text("raise ModuleNotFoundError(name='sympy')")
    words = ("tools", "call", "Calculator/Calculator/newton_calculator", ARGUMENTS)
    script = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from toolyard.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", script, *words], capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert "needs sympy: pip install 'toolyard[world]'" in done.stderr
    assert "Traceback" not in done.stderr
