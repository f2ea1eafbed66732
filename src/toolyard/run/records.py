"""The lines of a run directory's files, and the records they stand for.

{"sample": "7", "trial": 0, "messages": [{"role": "user", "content": "..."}, ...],
 "completions": [{"text": "[...]", "finish_reason": "stop", "usage": {...}, "latency": 0.4}],
 "notes": {}, "error": null}
"""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import Any

from toolyard.core.errors import DataError
from toolyard.core.types import (
    SPENT,
    Completion,
    Counts,
    Evidence,
    Failure,
    Message,
    Record,
    Score,
    Transcript,
    Usage,
)
from toolyard.models.stored import read_completion

TRANSCRIPTS = "transcripts.jsonl"

MESSAGE_FIELDS = {item.name for item in fields(Message)}
EVIDENCE_FIELDS = {item.name for item in fields(Evidence)}
EVIDENCE_KINDS = {
    "trial": int, "judge_trial": int, "nearest": int, "reply": str, "model": str, "key": str,
    "nearest_similarity": float, "target_similarity": float, "temperature": float,
}  # fmt: skip


def slim(record: Any) -> dict[str, Any]:
    """The record without fields that hold their default, so that files stay small; what is empty is written."""
    return {
        name: value
        for name, default in _defaults(record.__class__)
        if (value := getattr(record, name)) != default or type(value) is not type(default)
    }


@cache
def _defaults(kind: type[Any]) -> tuple[tuple[str, object], ...]:
    return tuple((item.name, item.default) for item in fields(kind))


def transcript_line(transcript: Transcript) -> Record:
    """What transcripts.jsonl holds for one (sample, trial)."""
    return {
        "sample": transcript.sample,
        "trial": transcript.trial,
        "messages": [slim(message) for message in transcript.messages],
        "completions": [slim(completion) for completion in transcript.completions],
        "notes": transcript.notes,
        "error": transcript.error,
    }


def read_transcript(line: Record) -> Transcript:
    """The transcript that a line stands for."""
    return Transcript(
        sample=_field(line, "sample", str),
        trial=_field(line, "trial", int),
        messages=tuple(read_message(message) for message in _field(line, "messages", list)),
        completions=tuple(completion_of(completion) for completion in _field(line, "completions", list)),
        notes=_notes(_field(line, "notes", dict)),
        error=read_failure(_field(line, "error", dict, None)),
    )


def _notes(notes: Record) -> Record:
    """The notes of an episode, among which its tokens may stand."""
    if SPENT in notes:
        for name in ("prompt_tokens", "completion_tokens"):
            _field(notes[SPENT], name, int)
    return notes


def read_message(line: Record) -> Message:
    """The message that a JSON object stands for."""
    _field(line, "role", str)
    _field(line, "content", str)
    unknown = set(line) - MESSAGE_FIELDS
    if unknown:
        raise DataError(
            f"messages: found {', '.join(sorted(unknown))}; known are {', '.join(sorted(MESSAGE_FIELDS))}"
        )
    return Message(**{**line, "tool_calls": tuple(_field(line, "tool_calls", list, ()))})


def completion_of(line: Record) -> Completion:
    """The completion that a JSON object stands for."""
    completion = read_completion(line)
    if completion is None:
        raise DataError("completions: found one without text, or with fields of another kind")
    return completion


def read_failure(line: Record | None) -> Failure | None:
    """The failure that a JSON object stands for."""
    return None if line is None else Failure(_field(line, "kind", str), _field(line, "detail", str))


def evidence_line(evidence: Evidence) -> Evidence:
    """What evidence.jsonl holds of one answer; the codec writes records field by field."""
    return evidence


def read_evidence(line: Record) -> Evidence:
    """The evidence that a line of evidence.jsonl stands for."""
    for name in ("sample", "question"):
        _field(line, name, str)
    for name, kind in EVIDENCE_KINDS.items():
        _field(line, name, kind, kind())
    usage, unknown = _field(line, "usage", dict), set(line) - EVIDENCE_FIELDS
    if unknown:
        raise DataError(f"found {', '.join(sorted(unknown))}; known are {', '.join(sorted(EVIDENCE_FIELDS))}")
    tokens = Usage(*(_field(usage, item.name, int, 0) for item in fields(Usage)))
    return Evidence(**{**line, "usage": tokens, "error": read_failure(_field(line, "error", dict, None))})


def _field(line: Any, name: str, kind: type, *default: Any) -> Any:
    """The field of a line, or its default; DataError where it is missing or something else."""
    if not isinstance(line, dict):
        raise DataError(f"found {type(line).__name__} where an object with {name} was wanted")
    if name not in line and not default:
        raise DataError(f"{name} is missing")
    value = line.get(name, *default)
    fits = isinstance(value, (int, float) if kind is float else kind) and not isinstance(value, bool)
    if fits or (default and (value == default[0])):
        return value
    raise DataError(f"{name}: found {type(value).__name__}, wanted {kind.__name__}")


def score_line(score: Score) -> dict[str, Any]:
    """What scores.jsonl holds of one score under one profile."""
    return {
        "values": score.values,
        "counts": {
            name: [counts.matched, counts.predicted, counts.gold] for name, counts in score.counts.items()
        },
        "errors": score.errors,
        "graded": score.graded,
        "reasons": score.reasons,
        "missing": score.missing,
        "unscored": score.unscored,
    }


def read_score(sample: str, trial: int, line: Record) -> Score:
    """The score that a JSON object stands for."""
    return Score(
        sample=sample,
        trial=trial,
        values=line["values"],
        counts={name: Counts(*counts) for name, counts in line["counts"].items()},
        errors=line["errors"],
        graded=line["graded"],
        reasons=tuple(line["reasons"]),
        missing=line["missing"],
        unscored=line["unscored"],
    )
