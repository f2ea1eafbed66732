"""Answers are read strictly under `official` and sanely under `paper`; no text makes a reader raise or crawl."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import cases
from toolyard.benchmarks.toolbehonest.scoring import official, paper
from toolyard.benchmarks.toolbehonest.scoring.parse import parse
from toolyard.benchmarks.toolbehonest.scoring.plan_progress import PlanStep
from toolyard.core.types import Failure, Profile, Sample, Transcript

TOOLS = "1. Alpha: Does a.\n2. Beta-2: Does b.\n3. Finish: Ends.\n4. UnsolvableQuery: Gap."
# The released scorer's contract for a level-3 step, as a pattern; ours must agree with it without backtracking.
STEP = re.compile(r"(Subgoal \d+[:：]\s*.*?)(?= Planned tool[:：]) Planned tool[:：]\s*([\w\s\+\-]+)(?=\n|$)")
LABEL = re.compile(r"Subgoal\s*\d+[:：]\s*(.*)")
PIECES = st.sampled_from(
    [
        "Subgoal 1:",
        "Subgoal 22：",
        "Subgoal 3",
        "subgoal 1:",
        " Planned tool:",
        " Planned tool：",
        "Planned tool:",
        " ",
        "\n",
        "\r",
        "\t",
        ".",
        "A",
        "B-2",
        "C + d",
        "(x)",
        "Finish",
        "because it fits",
        "：",
        "[x]",
        "\xa0",
        "é",
    ]
)


def read(text: str, level: int, profile: Profile) -> tuple[str, ...]:
    sample = Sample("x", {"task": "", "tools": TOOLS, "level": level, "language": "en"}, None)
    return parse(sample, Transcript.answered("x", text), profile).tools


@given(st.lists(PIECES, max_size=40).map("".join))
def test_level_3_steps_agree_with_the_released_pattern(body: str) -> None:
    wanted = [(LABEL.sub(r"\1", text.strip()), tool.strip()) for text, tool in STEP.findall(body.strip())]
    if wanted and wanted[-1][1].lower() == "finish":
        wanted.pop()
    found = official.planned_steps(f"<answer>{body}</answer>")
    assert [(step.subgoal, step.tool) for step in found] == wanted


@given(st.text(st.characters(), max_size=300))
def test_readers_never_raise(text: str) -> None:
    for level in (1, 2, 3):
        for profile in ("paper", "official"):
            read(text, level, profile)
            read(f"<answer>{text}</answer>", level, profile)


@pytest.mark.parametrize(
    "text",
    [
        "Subgoal 1: " * 60000,
        "<answer>" * 60000,
        " Planned tool:" * 60000,
        "[" * 300000 + "]" * 300000,
        "Subgoal 1: x Planned tool: A." * 30000,
        "1. " * 200000,
        " " * 500000,
        "Subgoal 1:\n" * 60000,
        "<think>" * 60000,
    ],
)
def test_long_texts_are_read_in_passing(text: str) -> None:
    for level in (1, 2, 3):
        read(f"<answer>{text}</answer>", level, "official")
        read(f"<answer>{text}</answer>", level, "paper")


@pytest.mark.parametrize(("text", "strict", "sane"), cases(__file__, "verdicts"))
def test_verdicts(text: str, strict: str, sane: str) -> None:
    body = paper.answer_body(text)
    assert official.official_verdict(text) == strict
    assert ("" if isinstance(body, Failure) else paper.paper_verdict(body)) == sane


@pytest.mark.parametrize(("body", "strict", "sane"), cases(__file__, "level_2_names"))
def test_level_2_names(body: str, strict: list[str], sane: list[str]) -> None:
    text = f"<answer>{body}</answer>"
    assert read(text, 2, "official") == tuple(strict)
    assert read(text, 2, "paper") == tuple(sane)


@pytest.mark.parametrize(("line", "strict", "sane"), cases(__file__, "level_3_steps"))
def test_level_3_steps(line: str, strict: list[str], sane: list[str]) -> None:
    text = f"<answer>\n{line}\n</answer>"
    assert read(text, 3, "official") == tuple(strict)
    assert read(text, 3, "paper") == tuple(sane)


def test_a_subgoal_keeps_its_words_and_loses_its_brackets() -> None:
    steps = paper.planned_steps(
        "Subgoal 1: [Weigh (to the gram) the flour.] Planned tool: UnsolvableQuery", ()
    )
    assert steps == (PlanStep("Weigh (to the gram) the flour.", "UnsolvableQuery"),)
