"""Rows whose gold nobody has confirmed yet: {"review": {"status": "draft", ...}}."""

from collections.abc import Mapping

from toolyard.core.types import JsonValue, Sample

FIELD, DRAFT, REVIEWED = "review", "draft", "reviewed"


def is_draft(row: Mapping[str, JsonValue]) -> bool:
    """Whether a row says so itself."""
    mark = row.get(FIELD)
    return isinstance(mark, Mapping) and mark.get("status") == DRAFT


def mark_reviewed(row: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The row after people have decided on it."""
    mark = row.get(FIELD)
    if not isinstance(mark, Mapping) or not is_draft(row):
        return dict(row)
    return {**row, FIELD: {**mark, "status": REVIEWED}}


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
