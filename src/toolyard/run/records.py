"""The lines of a run directory's files, and the records they stand for.

{"sample": "7", "trial": 0, "messages": [{"role": "user", "content": "..."}, ...],
 "completions": [{"text": "[...]", "finish_reason": "stop", "usage": {...}, "latency": 0.4}],
 "notes": {}, "error": null}
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

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


def slim(record: Any) -> dict[str, Any]:
    """The record without fields that hold their default, so that files stay small; what is empty is written."""
    return {
        item.name: value
        for item in fields(record)
        if (value := getattr(record, item.name)) != item.default or type(value) is not type(item.default)
    }


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
    if not isinstance(line["sample"], str) or not isinstance(line["trial"], int):
        raise TypeError("sample is no text or trial no number")
    if SPENT in line["notes"]:
        Usage(**line["notes"][SPENT])
    return Transcript(
        sample=line["sample"],
        trial=line["trial"],
        messages=tuple(read_message(message) for message in line["messages"]),
        completions=tuple(completion_of(completion) for completion in line["completions"]),
        notes=line["notes"],
        error=read_failure(line["error"]),
    )


def read_message(line: Record) -> Message:
    """The message that a JSON object stands for."""
    return Message(**{**line, "tool_calls": tuple(line.get("tool_calls", ()))})


def completion_of(line: Record) -> Completion:
    """The completion that a JSON object stands for."""
    completion = read_completion(line)
    if completion is None:
        raise ValueError("a completion without text")
    return completion


def read_failure(line: Record | None) -> Failure | None:
    """The failure that a JSON object stands for."""
    return None if line is None else Failure(line["kind"], line["detail"])


def evidence_line(evidence: Evidence) -> Evidence:
    """What evidence.jsonl holds of one answer; the codec writes records field by field."""
    return evidence


def read_evidence(line: Record) -> Evidence:
    """The evidence that a line of evidence.jsonl stands for."""
    return Evidence(**{**line, "usage": Usage(**line["usage"]), "error": read_failure(line["error"])})


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
