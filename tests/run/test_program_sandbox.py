"""Programs of models: whatever they do, they end inside their limits with one error, and reach nothing but functions."""

import json
import random
from pathlib import Path

import pytest

from cases import cases
from graded_answers import drive
from toolyard.core.programs import MOST_CALLS, TOO_MANY_CALLS, CallAnswer, ProgramLog, program_in, run_program
from toolyard.run.grade.forked_work import can_fork
from toolyard.run.play.program_sandbox import LONGEST_ERROR, OUTPUT_BYTES, perform_program

NAMES = ("find_berth", "finish")


def played(source: str) -> tuple[str, list[tuple[str, dict[str, object]]], ProgramLog]:
    """The error of a program, its calls and its log."""
    calls: list[tuple[str, dict[str, object]]] = []
    log = ProgramLog()

    def answer(name, arguments):  # type: ignore[no-untyped-def]
        calls.append((name, dict(arguments)))
        if arguments.get("ship") == "none":
            return CallAnswer(refusal="there is no such ship")
        return CallAnswer({"berth": len(calls)}, ends=name == "finish")
        yield

    return drive(run_program(source, NAMES, answer, log), perform_program), calls, log


def test_calls_are_made_in_order_with_what_earlier_ones_returned() -> None:
    error, calls, log = played(
        "b = find_berth(ship='Ida', **{'from': 1})\nprint(b['berth'])\n"
        "finish(answer=str(b['berth']))\nfind_berth(ship='after')"
    )
    assert (error, log.printed) == ("", "1\n")
    assert calls == [("find_berth", {"ship": "Ida", "from": 1}), ("finish", {"answer": "1"})]


def test_a_refusal_is_an_exception_with_its_text() -> None:
    source = "try:\n    find_berth(ship='none')\nexcept Exception as error:\n    finish(answer=str(error))"
    assert played(source)[1][-1] == ("finish", {"answer": "there is no such ship"})
    assert played("find_berth(ship='none')")[0] == "RuntimeError: there is no such ship"


HOSTILE = {
    "while True: pass": "TimeoutError",
    "try:\n    while True: pass\nexcept BaseException:\n    pass": "TimeoutError",
    "for j in range(9):\n    find_berth(ship=str(j))\n    for i in range(12000000): pass": "TimeoutError",
    "x = 'a' * 10 ** 10": "MemoryError",
    "x = []\nwhile True: x.append('a' * 1000)": "MemoryError",
    "while True: print('x' * 1000)": "MemoryError",
    "def f(): return f()\nf()": "RecursionError",
    "import subprocess": "ModuleNotFoundError",
    "import os\nos.system('ls')": "AttributeError",
    "import os\nos.environ['HOME']": "",
    "open('/etc/passwd').read()": "PermissionError",
    "__import__('os')": "",
    "().__class__.__bases__[0].__subclasses__()": "AttributeError",
    "find_berth.__globals__": "AttributeError",
    "find_berth('Ida')": "TypeError: find_berth() takes keyword arguments only",
    "search_everything(query=1)": "NameError: name 'search_everything' is not defined",
    "await find_berth(ship='Ida')": "TypeError",
    "def f(:": "SyntaxError",
    "[" * 5000: "",
    "x = 1\n" * 20000 + "\x00": "",
    f"for i in range({100 * MOST_CALLS}): find_berth(ship=str(i))": TOO_MANY_CALLS,
}


@pytest.mark.parametrize(("source", "error"), HOSTILE.items(), ids=range(len(HOSTILE)))
def test_a_hostile_program_ends_with_one_error_inside_its_limits(source: str, error: str) -> None:
    found, calls, log = played(source)
    assert found.startswith(error)
    assert found
    assert log.errors == [found]
    assert "\n" not in found
    assert len(found) <= LONGEST_ERROR
    assert len(log.printed) <= OUTPUT_BYTES
    assert len(calls) <= MOST_CALLS
    # The next program is not affected.
    assert played("finish(answer='x')")[0] == ""


# Which limit ends a program first depends on the machine.
LIMITS = ("TimeoutError: the program ran", "MemoryError: the program used")


@pytest.mark.parametrize(
    ("source", "error", "made"),
    cases(__file__, "a_program_of_every_hostile_kind_reaches_nothing_but_functions"),
)
def test_a_program_of_every_hostile_kind_reaches_nothing_but_functions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, error: str, made: int
) -> None:
    monkeypatch.chdir(tmp_path)
    found, calls, log = played(source)
    assert found.startswith(LIMITS if error == "limit" else error)
    assert bool(found) == bool(error)
    assert "\n" not in found and len(found) <= LONGEST_ERROR
    assert (len(calls), {name for name, _ in calls} <= set(NAMES)) == (made, True)
    # What is called must fit the files of a run.
    assert json.dumps([arguments for _, arguments in calls], allow_nan=False)
    assert len(log.printed) <= OUTPUT_BYTES
    assert not any(tmp_path.iterdir())


PIECES = (
    "while True:", "  pass", "def f(x):", "find_berth(ship=", ")", "finish(answer=", "'a' * 10 ** 9", "lambda:", "class A:",
    "import os", "os.", "__class__", "f'{", "}'", "\n", "    ", "yield", "await ", "async ", "try:", "except:", "\x00",
    "é", "(" * 40,
)  # fmt: skip


def test_programs_made_of_scraps_never_raise() -> None:
    rng = random.Random(7)
    for _ in range(60):
        source = "".join(rng.choice(PIECES) for _ in range(rng.randint(1, 12)))
        error, calls, _ = played(source)
        assert isinstance(error, str)
        assert len(calls) <= MOST_CALLS


@pytest.mark.parametrize(("reply", "program"), cases(__file__, "the_program_of_a_reply"))
def test_the_program_of_a_reply(reply: str, program: str) -> None:
    assert program_in(reply) == program


def test_no_copy_of_the_process_is_made_beside_the_engine() -> None:
    # A copy would inherit the engine without its threads, and wait for ever at its end.
    played("finish(answer='x')")
    assert not can_fork()
