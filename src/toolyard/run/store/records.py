"""The lines of a run directory's files, and the records they stand for.

{"sample": "7", "trial": 0, "messages": [{"role": "user", "content": "..."}, ...],
 "completions": [{"text": "[...]", "finish_reason": "stop", "usage": {...}, "latency": 0.4}],
 "notes": {}, "error": null}
"""

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
    JsonValue,
    Message,
    Record,
    Score,
    Transcript,
    Usage,
)
from toolyard.core.untrusted.typed_fields import typed_field, typed_items, typed_values
from toolyard.models.cache.stored_completions import read_completion

TRANSCRIPTS = "transcripts.jsonl"

MESSAGE_FIELDS = {item.name for item in fields(Message)}
EVIDENCE_FIELDS = {item.name for item in fields(Evidence)}
EVIDENCE_KINDS = {
    "trial": int, "judge_trial": int, "nearest": int, "reply": str, "model": str, "key": str,
    "nearest_similarity": float, "target_similarity": float, "temperature": float,
}  # fmt: skip


def drop_defaults(record: Any) -> dict[str, JsonValue]:
    """The record without fields that hold their default, so that files stay small; what is empty is written."""
    return {
        name: value
        for name, default in _default_values(record.__class__)
        if (value := getattr(record, name)) != default or type(value) is not type(default)
    }


@cache
def _default_values(kind: type[Any]) -> tuple[tuple[str, object], ...]:
    return tuple((item.name, item.default) for item in fields(kind))


def transcript_line(transcript: Transcript) -> Record:
    """What transcripts.jsonl holds for one (sample, trial)."""
    return {
        "sample": transcript.sample,
        "trial": transcript.trial,
        "messages": [drop_defaults(message) for message in transcript.messages],
        "completions": [drop_defaults(completion) for completion in transcript.completions],
        "notes": transcript.notes,
        "error": transcript.error,
    }


def read_transcript(line: Record) -> Transcript:
    """The transcript that a line stands for."""
    return Transcript(
        sample=typed_field(line, "sample", str),
        trial=typed_field(line, "trial", int),
        messages=tuple(read_message(message) for message in typed_field(line, "messages", list)),
        completions=tuple(completion_of(completion) for completion in typed_field(line, "completions", list)),
        notes=_restore_notes(typed_field(line, "notes", dict)),
        error=read_failure(typed_field(line, "error", dict, None)),
    )


def _restore_notes(notes: Record) -> Record:
    """The notes of an episode, among which its tokens may stand."""
    if SPENT in notes:
        for name in ("prompt_tokens", "completion_tokens"):
            typed_field(notes[SPENT], name, int)
    return notes


def read_message(line: Record) -> Message:
    """The message that a JSON object stands for."""
    typed_field(line, "role", str)
    typed_field(line, "content", str)
    unknown = set(line) - MESSAGE_FIELDS
    if unknown:
        raise DataError(
            f"messages: found {', '.join(sorted(unknown))}; known are {', '.join(sorted(MESSAGE_FIELDS))}"
        )
    return Message(**{**line, "tool_calls": tuple(typed_field(line, "tool_calls", list, ()))})


def completion_of(line: Record) -> Completion:
    """The completion that a JSON object stands for."""
    completion = read_completion(line)
    if completion is None:
        raise DataError("completions: found one without text, or with fields of another kind")
    return completion


def read_failure(line: Record | None) -> Failure | None:
    """The failure that a JSON object stands for."""
    return None if line is None else Failure(typed_field(line, "kind", str), typed_field(line, "detail", str))


def evidence_line(evidence: Evidence) -> Evidence:
    """What evidence.jsonl holds of one answer; the codec writes records field by field."""
    return evidence


def read_evidence(line: Record) -> Evidence:
    """The evidence that a line of evidence.jsonl stands for."""
    for name in ("sample", "question"):
        typed_field(line, name, str)
    for name, kind in EVIDENCE_KINDS.items():
        typed_field(line, name, kind, kind())
    usage, unknown = typed_field(line, "usage", dict), set(line) - EVIDENCE_FIELDS
    if unknown:
        raise DataError(f"found {', '.join(sorted(unknown))}; known are {', '.join(sorted(EVIDENCE_FIELDS))}")
    tokens = Usage(*(typed_field(usage, item.name, int, 0) for item in fields(Usage)))
    return Evidence(
        **{**line, "usage": tokens, "error": read_failure(typed_field(line, "error", dict, None))}
    )


def score_line(score: Score) -> dict[str, JsonValue]:
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
    counts = typed_values(line, "counts", list)
    errors = typed_values(line, "errors", dict)
    return Score(
        sample=sample,
        trial=trial,
        values=typed_values(line, "values", float, None),
        counts={name: _restore_counts(counts, name) for name in counts},
        errors={name: typed_values(errors, name, int) for name in errors},
        graded=line.get("graded"),
        reasons=tuple(typed_items(line, "reasons", str)),
        missing=typed_values(line, "missing", str),
        unscored=typed_field(line, "unscored", str, None),
    )


def _restore_counts(counts: Record, name: str) -> Counts:
    numbers = typed_items(counts, name, float)
    if len(numbers) != len(Counts._fields):
        raise DataError(f"counts.{name}: found {len(numbers)} numbers, wanted {len(Counts._fields)}")
    return Counts(*numbers)
