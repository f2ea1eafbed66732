"""Long runs of one sign take no time by their square, wherever a stranger may put them."""

from __future__ import annotations

import pytest

from parser_targets import targets
from toolyard.benchmarks.tooleyes.checks.passages import passages
from toolyard.benchmarks.tooleyes.verdicts import repaired_verdict
from toolyard.core.types import Failure
from toolyard.models.scrub import Scrubber
from toolyard.text.runs import short_runs

# By their square these would take longer than a test may.
LENGTH = 120_000
RUNS = ("\t", "\n", " ", "-", "*", "|", "\\", "%5C", "%255C", "[1,", "> ", "< ", "a: ", "`")


def test_only_runs_that_nobody_writes_are_cut() -> None:
    assert short_runs("a" + " " * 200 + "b") == "a" + " " * 200 + "b"
    assert short_runs("a" + "\n" * 5000 + "b") == "a" + "\n" * 200 + "b"


@pytest.mark.parametrize("door", ["toolbehonest answer", "tooleyes round", "tooleyes verdict"])
def test_runs_in_answers_are_read_in_time(door: str) -> None:
    for run in RUNS:
        targets()[door].run((run * (LENGTH // len(run))).encode())


def test_runs_in_bodies_layouts_and_verdicts_are_read_in_time() -> None:
    scrubber = Scrubber("sk-planted-0123456789abcdef")
    for run in RUNS:
        text = run * (LENGTH // len(run))
        scrubber.body(text)
        passages(text)
        assert isinstance(repaired_verdict(text), Failure)


def test_a_key_behind_many_backslashes_is_still_found() -> None:
    key = "sk-planted-0123456789abcdef"
    scrubber = Scrubber(key)
    for run in ("\\", "\\" * 3, "\\" * 63, "%5C", "%255c" * 7):
        told = "".join(f"{run}u{ord(sign):04x}" for sign in key)
        assert scrubber.body(f'{{"said": "{told}"}}') != f'{{"said": "{told}"}}', run
