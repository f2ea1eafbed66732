"""Judge replies that the user brings: `toolyard score tooleyes ... --evidence FILE`.

    {"id": "Turn 1: Draw a number below 10.", "question": "match", "turn": 0,
     "reply": "Scoring Reason: It fits.\\nEvaluation Score: 9"}

`id` is the trajectory's or the sample's; `turn` counts assistant turns from 0 and is there for match only. Ids that
the official files use twice are told apart by an optional `path`, else by order of appearance.
"""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from toolyard.benchmarks.tooleyes.data.sample import ToolEyesSample
from toolyard.benchmarks.tooleyes.scoring.predictions import json_objects, samples_by_id
from toolyard.core.errors import DataError
from toolyard.core.types import Evidence, JsonValue

QUESTIONS = ("intent", "validity", "integrity", "match", "quality")
GIVEN = "given"


def read_evidence(path: Path, samples: tuple[ToolEyesSample, ...]) -> tuple[Evidence, ...]:
    """One evidence per line; replies about trajectories that are not scored are left out."""
    known = samples_by_id(samples)
    seen: Counter[tuple[str, str]] = Counter()
    found = []
    for where, row in json_objects(path):
        name, question = str(row.get("id", "")), _question_key(row, where)
        candidates = [
            sample
            for sample in known.get(name, ())
            if "path" not in row or str(row["path"]).endswith(str(sample.input["path"]))
        ]
        place = seen[name, question]
        seen[name, question] += 1
        if place < len(candidates):
            found.append(
                Evidence(candidates[place].id, question, reply=_reply_of_row(row, where), model=GIVEN)
            )
    return tuple(found)


def _question_key(row: Mapping[str, JsonValue], where: str) -> str:
    question, turn = row.get("question"), row.get("turn")
    if question not in QUESTIONS:
        raise DataError(f"{where}: question {question!r}; wanted one of {', '.join(QUESTIONS)}")
    if question != "match":
        return str(question)
    if not isinstance(turn, int) or isinstance(turn, bool) or turn < 0:
        raise DataError(f"{where}: turn {turn!r}; match wants the number of the assistant turn, from 0")
    return f"match/{turn}"


def _reply_of_row(row: Mapping[str, JsonValue], where: str) -> str:
    reply = row.get("reply")
    if not isinstance(reply, str):
        raise DataError(f"{where}: no reply; wanted the judge's text")
    return reply
