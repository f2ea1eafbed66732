"""What a judge is asked (Section 2.4, Appendix F.2): the paper's criteria and scale in our own words.

Model text stands between fence lines that carry a digest of that very text. A text cannot contain its own digest, so
nothing inside a fence can close it, and a score written inside is visibly part of the material.
"""

from __future__ import annotations

import hashlib
import json

from toolyard.benchmarks.tooleyes.documents import documents_of
from toolyard.benchmarks.tooleyes.parse import Trajectory
from toolyard.benchmarks.tooleyes.prompt import TEMPLATES
from toolyard.benchmarks.tooleyes.rounds import answer_of, read_round
from toolyard.core.templates import render
from toolyard.core.types import Message, Profile, Question, Sample

CHAIN_QUESTIONS = ("intent", "validity", "integrity")
NO_THOUGHT = "(empty)"


def ask(sample: Sample, trajectory: Trajectory, profile: Profile) -> tuple[Question, ...]:
    """Intent, validity and integrity of the thoughts, the match of each call, the quality of the answer."""
    document = "\n".join(json.dumps(item, ensure_ascii=False) for item in documents_of(sample))
    query = str(sample.input["query"])
    chain = [_question(name, {"chain": _chain(trajectory, profile, name)}, document, query) for name in CHAIN_QUESTIONS]
    matches = [
        _question("match", {"thought": turn.thought or NO_THOUGHT, "tool": turn.action}, document, query, place)
        for place, turn in judged_turns(trajectory, profile)
    ]
    if profile == "paper" and not trajectory.passed:
        return (*chain, *matches)
    answer = _answer(trajectory, profile)
    return (*chain, *matches, _question("quality", {"answer": answer}, document, query))


def judged_turns(trajectory: Trajectory, profile: Profile) -> list[tuple[int, _Judged]]:
    """The turns whose call is compared with its thought: valid rounds, or all turns under `official`."""
    if profile == "official":
        return [(place, _judged(text)) for place, text in enumerate(trajectory.assistant)]
    return [(place, _judged(turn.text)) for place, turn in enumerate(trajectory.rounds) if turn.valid]


class _Judged:
    """Thought and tool of one turn, as a judge sees them."""

    __slots__ = ("action", "thought")

    def __init__(self, thought: str, action: str) -> None:
        self.thought = thought
        self.action = action


def _judged(text: str) -> _Judged:
    turn = read_round(text)
    return _Judged(turn.thought, turn.action)


def _chain(trajectory: Trajectory, profile: Profile, question: str) -> str:
    """The thoughts in order; for intent also what the user said in between.

    The released code shows its own format complaints as user requests; only `official` does so here.
    """
    parts, number = [], 0
    for turn in trajectory.turns:
        if turn.source == "assistant":
            number += 1
            parts.append(f"Turn {number}:\n{_judged(turn.value).thought or NO_THOUGHT}")
        elif turn.source == "user" and question == "intent" and (turn.kind != "format" or profile == "official"):
            parts.append(f"User request:\n{turn.value}")
    return "\n\n".join(parts) or NO_THOUGHT


def _answer(trajectory: Trajectory, profile: Profile) -> str:
    if profile == "paper" or trajectory.passed:
        return trajectory.answer or NO_THOUGHT
    texts = trajectory.assistant
    return (answer_of(read_round(texts[-1])) if texts else "") or NO_THOUGHT


def _question(
    name: str, material: dict[str, str], document: str, query: str, place: int | None = None
) -> Question:
    fields = {"document": fenced("tools", document), "query": fenced("request", query)}
    fields |= {key: fenced(key, value) for key, value in material.items()}
    system = Message("system", render(TEMPLATES["judge"], {"criteria": TEMPLATES[f"judge_{name}"].strip()}).strip())
    user = Message("user", render(TEMPLATES["judge_match_input" if name == "match" else "judge_input"], {
        "material": fields["document"] + "\n\n" + "\n\n".join(
            value for key, value in fields.items() if key not in ("document", *(("query",) if name == "match" else ()))
        ),
    }).strip())
    return Question(name if place is None else f"{name}/{place}", "judge", (system, user))


def fenced(label: str, text: str) -> str:
    """The text between two lines that it cannot contain."""
    digest = hashlib.sha256(f"{label}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"<<<{label} {digest}\n{text}\n{label} {digest}>>>"
