"""How far figures agree with people who compared two runs (MTU-Bench, Table 6; ToolEyes, Figures 8 and 9).

Labels, one line per vote; 1 means the first run is better, 0 a tie, -1 the second:

    {"sample": "M-S_7", "annotator": "ada", "label": 1, "dimension": "overall"}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from toolyard.core.aggregate import rows_of
from toolyard.core.benchmark import Table
from toolyard.core.errors import DataError, UsageError
from toolyard.core.metrics import Row
from toolyard.core.preference import LABELS, Preference, metric_differences, preference
from toolyard.core.types import Json, Profile
from toolyard.lines import read_lines
from toolyard.report.compared import ComparedRun, load_runs

# annotator -> item -> label
Labels: TypeAlias = Mapping[str, Mapping[str, int]]
FIELDS = ("sample", "annotator", "label")


def read_labels(path: Path, dimension: str = "") -> Labels:
    """The votes of a file, of one dimension where one is asked for."""
    if not path.exists():
        raise DataError(f"{path} does not exist; give a jsonl file with {', '.join(FIELDS)}")
    votes: dict[str, dict[str, int]] = {}
    for number, line in enumerate(read_lines(path), 1):
        missing = [name for name in FIELDS if not isinstance(line, dict) or name not in line]
        if missing:
            raise DataError(f"{path}, line {number} lacks {', '.join(missing)}; wanted {', '.join(FIELDS)}")
        if line["label"] not in LABELS or isinstance(line["label"], bool):
            raise DataError(f"{path}, line {number} has the label {line['label']!r}; it may be 1, 0 or -1")
        if not dimension or line.get("dimension") == dimension:
            votes.setdefault(str(line["annotator"]), {})[str(line["sample"])] = int(line["label"])
    if not votes:
        raise DataError(f"{path} holds no vote" + (f" on {dimension!r}" if dimension else ""))
    return votes


def agreement(
    first: Path, second: Path, labels: Labels, *, figures: Sequence[str], profile: Profile
) -> list[Preference]:
    """Each figure's differences between two runs held against people's preferences."""
    runs = next(iter(load_runs([first, second], profile, {}, force=False).values()))
    if len(runs) != 2:
        raise UsageError("agreement compares two runs of one benchmark")
    known = [metric.name for metric in runs[0].benchmark.metrics]
    unknown = [name for name in figures if name not in known]
    if unknown:
        raise UsageError(
            f"{runs[0].benchmark.name} has no figure {', '.join(unknown)}; it has {', '.join(known)}"
        )
    rows = [_rows_by_item(run, labels) for run in runs]
    return [
        preference(name, metric_differences(runs[0].benchmark.metric(name), *rows), labels)
        for name in figures or [runs[0].benchmark.headline]
    ]


def _rows_by_item(run: ComparedRun, labels: Labels) -> list[Row]:
    """The run's rows by what people judged: whole dialogues where the labels name them, else samples."""
    rows = rows_of(run.graded)
    items = {item for votes in labels.values() for item in votes}
    if items & {row.cluster for row in rows}:
        return rows
    by_sample = [replace(row, cluster=row.score.sample) for row in rows]
    if not items & {row.cluster for row in by_sample}:
        raise DataError(
            f"no label names a sample of {run.folder}; labels name {min(items)!r}, samples are like {rows[0].score.sample!r}"
        )
    return by_sample


def agreement_table(found: Sequence[Preference]) -> Table:
    """Table 6: metric against people, and people against each other."""
    rows = tuple(
        (
            item.figure, item.items, item.annotators, item.metric_human, item.human_human,
            item.same_side, item.human_same_side, item.cohen, item.fleiss,
        )
        for item in found
    )  # fmt: skip
    columns = (
        "figure", "items", "annotators", "metric-human r", "human-human r",
        "same side", "humans same side", "Cohen's kappa", "Fleiss' kappa",
    )  # fmt: skip
    note = "r is Pearson's over items; human-human figures are means over pairs of annotators"
    return Table("agreement with people", columns, rows, note)


def agreement_json(found: Sequence[Preference]) -> list[Json]:
    """The figures as plain JSON."""
    return [{name: getattr(item, name) for name in item.__slots__} for item in found]
