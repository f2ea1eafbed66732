"""Rows whose gold nobody has confirmed yet: {"review": {"status": "draft", ...}}."""

from __future__ import annotations

from collections.abc import Mapping

from toolyard.core.types import Json, Sample

FIELD, DRAFT, REVIEWED = "review", "draft", "reviewed"


def is_draft(row: Mapping[str, Json]) -> bool:
    """Whether a row says so itself."""
    mark = row.get(FIELD)
    return isinstance(mark, Mapping) and mark.get("status") == DRAFT


def confirmed(row: Mapping[str, Json]) -> dict[str, Json]:
    """The row after people have decided on it."""
    return {**row, FIELD: {**row[FIELD], "status": REVIEWED}} if is_draft(row) else dict(row)


def draft_refusal(path: object, samples: tuple[Sample, ...]) -> str:
    """Why data with drafts make no figures, and what to do; empty where there are none."""
    drafts = [sample.id for sample in samples if sample.draft]
    if not drafts:
        return ""
    return (
        f"{path}: {len(drafts)} of {len(samples)} rows are drafts that nobody has reviewed (first: {drafts[0]}); "
        f"decide on them with toolyard review {path} --annotator NAME, then write the set with "
        f"toolyard review {path} --export DIR and take that"
    )
