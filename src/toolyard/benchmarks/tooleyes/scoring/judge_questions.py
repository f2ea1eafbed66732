"""What a judge is asked (Section 2.4, Appendix F.2): the paper's criteria and scale in our own words.

What is graded is shown in blocks that it cannot close and turns that it cannot imitate (`material.py`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from toolyard.benchmarks.tooleyes.data.documents import documents_of
from toolyard.benchmarks.tooleyes.data.sample import QueryGold, ToolEyesSample
from toolyard.benchmarks.tooleyes.scoring.judge_material import (
    TOOLS,
    Claims,
    Piece,
    claims_in,
    fence_pieces,
    question_code,
)
from toolyard.benchmarks.tooleyes.scoring.judge_verdicts import verdict_grammar
from toolyard.benchmarks.tooleyes.scoring.outcome import outcome
from toolyard.benchmarks.tooleyes.scoring.parse import Trajectory
from toolyard.benchmarks.tooleyes.task.prompt import TEMPLATES
from toolyard.benchmarks.tooleyes.task.rounds import Round, finish_answer, read_round
from toolyard.core.declared_world import DECLARATION
from toolyard.core.types import Message, Profile, Question
from toolyard.text.json_values import json_per_line
from toolyard.text.templates import render

CHAIN_QUESTIONS = ("intent", "validity", "integrity")
OUTCOME = "outcome"
NOTHING = "(empty)"


@dataclass(frozen=True, slots=True)
class Posed:
    """A question with what its reply is read by: the code it asks for, and what the material says about scores."""

    question: Question
    code: str
    claims: Claims


def ask(
    sample: ToolEyesSample, trajectory: Trajectory, profile: Profile, templates: Mapping[str, str]
) -> tuple[Question, ...]:
    """Intent, validity and integrity of the thoughts, the match of each call, the quality of the answer.

    Where no rule can see whether the answer decides rightly, the judge is asked that as well.
    """
    posed = pose_questions(sample, trajectory, profile, templates)
    decided = pose_outcome(sample, trajectory, templates) if profile == "paper" else None
    return tuple(each.question for each in (*posed, *((decided,) if decided else ())))


def pose_outcome(
    sample: ToolEyesSample, trajectory: Trajectory, templates: Mapping[str, str]
) -> Posed | None:
    """The question whether the answer decides as the right one does; None where rules have said it."""
    if not isinstance(sample.gold, QueryGold) or not outcome(sample.gold, trajectory).asks:
        return None
    observations = (trajectory.reference or {}).get("observations", ())
    right = sample.gold.right_answer(observations)
    pieces = (
        Piece("request", str(sample.input["query"])),
        Piece("right answer", right if isinstance(right, str) else NOTHING),
        Piece("answer", trajectory.answer or NOTHING),
    )
    return pose_question({**TEMPLATES, **templates}, OUTCOME, "outcome", *pieces)


def pose_questions(
    sample: ToolEyesSample, trajectory: Trajectory, profile: Profile, templates: Mapping[str, str]
) -> tuple[Posed, ...]:
    """The questions with what their replies are read by."""
    posed = partial(pose_question, {**TEMPLATES, **templates})
    tools = Piece(TOOLS, json_per_line(documents_of(sample)))
    request = Piece("request", str(sample.input["query"]))
    chain = tuple(
        posed(name, name, tools, request, *_pieces_in_order(trajectory, profile, name))
        for name in CHAIN_QUESTIONS
    )
    matches = tuple(
        posed(
            f"match/{place}",
            "match",
            tools,
            Piece("thought", turn.thought or NOTHING),
            Piece("tool", turn.action),
        )
        for place, turn in judged_turns(trajectory, profile)
    )
    if profile == "paper" and not trajectory.passed:
        return (*chain, *matches)
    answer = Piece("answer", _final_answer(trajectory, profile))
    return (*chain, *matches, posed("quality", "quality", tools, request, answer))


def judged_turns(trajectory: Trajectory, profile: Profile) -> tuple[tuple[int, Round], ...]:
    """The turns whose call is compared with its thought: valid rounds, or all turns under `official`."""
    if profile == "official":
        return tuple(enumerate(map(read_round, trajectory.assistant)))
    return tuple((place, turn) for place, turn in enumerate(trajectory.rounds) if turn.valid)


def _pieces_in_order(trajectory: Trajectory, profile: Profile, question: str) -> Iterator[Piece]:
    """The thoughts in order; for intent also what the user said in between.

    The released code shows its own format complaints as user requests; only `official` does so here.
    """
    number = 0
    for turn in trajectory.turns:
        if turn.source == "assistant":
            number += 1
            yield Piece(f"thought {number}", read_round(turn.value).thought or NOTHING)
        elif (
            turn.source == "user"
            and question == "intent"
            and (turn.kind != "format" or profile == "official")
        ):
            yield Piece(f"user after thought {number}", turn.value)
    if not number:
        yield Piece("thoughts", NOTHING)


def _final_answer(trajectory: Trajectory, profile: Profile) -> str:
    if profile == "paper" or trajectory.passed:
        return trajectory.answer or NOTHING
    texts = trajectory.assistant
    return (finish_answer(read_round(texts[-1])) if texts else "") or NOTHING


def pose_question(texts: Mapping[str, str], name: str, criteria: str, *pieces: Piece) -> Posed:
    """One question about these pieces."""
    code, claims = question_code(name, pieces), claims_in(pieces)
    instructions = render(
        texts["judge"], {"criteria": texts[f"judge_{criteria}"].strip(), "world": DECLARATION}
    )
    asked = render(texts["judge_input"], {"material": fence_pieces(pieces, code), "code": code})
    question = Question(
        name,
        "judge",
        (Message("system", instructions.strip()), Message("user", asked.strip())),
        grammar=verdict_grammar(code, claims),
        repair=render(texts["judge_repair"], {"code": code}).strip(),
    )
    return Posed(question, code, claims)
