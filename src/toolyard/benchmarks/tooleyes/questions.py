"""What a judge is asked (Section 2.4, Appendix F.2): the paper's criteria and scale in our own words.

Model text stands between fence lines that carry a digest of that very text. A text cannot contain its own digest, so
nothing inside a fence can close it, and a score written inside is visibly part of the material.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import partial

from toolyard.benchmarks.tooleyes.documents import documents_of
from toolyard.benchmarks.tooleyes.parse import Trajectory
from toolyard.benchmarks.tooleyes.prompt import TEMPLATES
from toolyard.benchmarks.tooleyes.rounds import Round, answer_of, read_round
from toolyard.benchmarks.tooleyes.verdicts import GRAMMAR
from toolyard.core.types import Message, Profile, Question, Sample
from toolyard.text.templates import render

CHAIN_QUESTIONS = ("intent", "validity", "integrity")
NOTHING = "(empty)"


def ask(
    sample: Sample, trajectory: Trajectory, profile: Profile, templates: Mapping[str, str]
) -> tuple[Question, ...]:
    """Intent, validity and integrity of the thoughts, the match of each call, the quality of the answer."""
    question = partial(_question, {**TEMPLATES, **templates})
    tools = ("tools", "\n".join(json.dumps(item, ensure_ascii=False) for item in documents_of(sample)))
    request = ("request", str(sample.input["query"]))
    chain = tuple(
        question(name, name, tools, request, ("thoughts", _chain(trajectory, profile, name)))
        for name in CHAIN_QUESTIONS
    )
    matches = tuple(
        question(
            f"match/{place}", "match", tools, ("thought", turn.thought or NOTHING), ("tool", turn.action)
        )
        for place, turn in judged_turns(trajectory, profile)
    )
    if profile == "paper" and not trajectory.passed:
        return (*chain, *matches)
    answer = ("answer", _answer(trajectory, profile))
    return (*chain, *matches, question("quality", "quality", tools, request, answer))


def judged_turns(trajectory: Trajectory, profile: Profile) -> tuple[tuple[int, Round], ...]:
    """The turns whose call is compared with its thought: valid rounds, or all turns under `official`."""
    if profile == "official":
        return tuple(enumerate(map(read_round, trajectory.assistant)))
    return tuple((place, turn) for place, turn in enumerate(trajectory.rounds) if turn.valid)


def _chain(trajectory: Trajectory, profile: Profile, question: str) -> str:
    """The thoughts in order; for intent also what the user said in between.

    The released code shows its own format complaints as user requests; only `official` does so here.
    """
    parts, number = [], 0
    for turn in trajectory.turns:
        if turn.source == "assistant":
            number += 1
            parts.append(f"Turn {number}:\n{read_round(turn.value).thought or NOTHING}")
        elif (
            turn.source == "user"
            and question == "intent"
            and (turn.kind != "format" or profile == "official")
        ):
            parts.append(f"User request:\n{turn.value}")
    return "\n\n".join(parts) or NOTHING


def _answer(trajectory: Trajectory, profile: Profile) -> str:
    if profile == "paper" or trajectory.passed:
        return trajectory.answer or NOTHING
    texts = trajectory.assistant
    return (answer_of(read_round(texts[-1])) if texts else "") or NOTHING


def _question(texts: Mapping[str, str], name: str, criteria: str, *material: tuple[str, str]) -> Question:
    instructions = render(texts["judge"], {"criteria": texts[f"judge_{criteria}"].strip()})
    shown = "\n\n".join(fenced(label, text) for label, text in material)
    asked = render(texts["judge_input"], {"material": shown})
    messages = (Message("system", instructions.strip()), Message("user", asked.strip()))
    return Question(name, "judge", messages, grammar=GRAMMAR, repair=texts["judge_repair"].strip())


def fenced(label: str, text: str) -> str:
    """The text between two lines that it cannot contain."""
    digest = hashlib.sha256(f"{label}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"<<<{label} {digest}\n{text}\n{label} {digest}>>>"
