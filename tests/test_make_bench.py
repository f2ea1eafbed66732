"""`make bench` ends within ten minutes whatever its parts do, and says what a part could not do in its time."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

BENCH = Path(__file__).parents[1] / "bench" / "everything.py"


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("everything", BENCH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "everything", module)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "HERE", tmp_path)
    return module


def test_the_seconds_of_all_parts_are_ten_minutes_at_most(bench: ModuleType) -> None:
    assert sum(one.seconds + 3 * bench.GRACE for one in bench.PARTS if one.short) <= bench.MOST_SECONDS == 600


def test_every_script_of_a_part_is_there(bench: ModuleType) -> None:
    named = {command[0] for part in bench.PARTS for command in (part.short, part.full) if command}
    assert {name for name in named if not (BENCH.parent / name).exists()} == set()


def test_a_part_that_needs_longer_is_stopped_with_what_it_started(bench: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "endless.py").write_text(
        "import subprocess, sys\n"
        "child = [sys.executable, '-c', 'import time; time.sleep(600)']\n"
        "print('| first line |', flush=True)\n"
        "subprocess.run(child)\n"
    )
    text, code = bench.printed(["endless.py"], 1)
    assert text == "| first line |\n\n(stopped after 1 s: what is missing above was not measured)\n"
    assert code == 0


def test_a_part_that_fails_is_not_taken_for_one_that_was_stopped(bench: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "failing.py").write_text("print('| one line |')\nraise SystemExit('no such thing')\n")
    assert bench.printed(["failing.py"], 60) == ("| one line |\n", 1)
