"""The paper's figures over models: turns, tool numbers, scaling, errors by setting, lengths of the evaluation data."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from toolyard.benchmarks.mtu.data.lengths import NOTE, length_values
from toolyard.benchmarks.mtu.data.rows import SETTINGS
from toolyard.benchmarks.mtu.data.sample import MtuSample
from toolyard.benchmarks.mtu.papers.analysis import listed_tools_key, turn_key
from toolyard.benchmarks.mtu.papers.published import PUBLISHED
from toolyard.benchmarks.mtu.scoring.errors import CLASSES
from toolyard.core.exhibits import (
    BOX_PARTS,
    Exhibit,
    Mark,
    ModelRun,
    drop_empty_exhibits,
    marks_by_size,
    share_marks,
)
from toolyard.stats.agreement import wilson_share
from toolyard.stats.box_statistics import five_numbers

# Figure 7's three kinds of errors and the classes of Table 16 that they are made of.
KINDS: Mapping[str, tuple[str, ...]] = {
    "action": CLASSES[:3],
    "parameter": ("parameter",),
    "format": ("format",),
}


# The turns behind the counts of Figure 7.
PUBLISHED_TURNS: Mapping[str, int] = {"M-S": 473, "M-M": 266}


def exhibits(runs: Sequence[ModelRun]) -> tuple[Exhibit, ...]:
    """Figures 5-7 and 11, as far as these runs have what they show."""
    return drop_empty_exhibits(
        (
            accuracy_exhibit(runs, "Figure 5a", "Tool selection by turn of the dialogue", "turn", turn_key),
            accuracy_exhibit(
                runs,
                "Figure 5b",
                "Tool selection by number of listed tools",
                "listed tools",
                listed_tools_key,
            ),
            scaling_exhibit(runs),
            error_exhibit(runs),
            length_exhibit(runs),
        )
    )


def accuracy_exhibit(
    runs: Sequence[ModelRun], paper: str, title: str, x: str, key_of: Callable[[MtuSample], str | None]
) -> Exhibit:
    """The share of turns with the right tools along a property of the turn, for each run."""
    marks = []
    for run in runs:
        members: dict[str, list[float]] = {}
        for sample, _, score in run.scored:
            key = key_of(sample) if sample.input else None
            if key is not None:
                members.setdefault(key, []).append(score.values.get("tools_right") or 0.0)
        for key in sorted(members, key=lambda text: int(text.partition("-")[0])):
            found = wilson_share(round(sum(members[key])), len(members[key]))
            shown = f"{key[:-1]}+" if key.endswith("-") else key
            marks.append(
                Mark(
                    run.label, found.value, x=shown, low=found.low, high=found.high, count=found.total,
                    kind=run.kind,
                )
            )  # fmt: skip
    note = "Wilson's 95 % intervals over turns; runs whose data are not at hand, or have changed since, are left out"
    return Exhibit(paper, title, "lines", tuple(marks), x, "tool selection", note=note, from_data=True)


def scaling_exhibit(runs: Sequence[ModelRun]) -> Exhibit:
    """The headline against size."""
    marks = tuple(marks_by_size(runs))
    note = "the configurations of one model averaged; the paper prints the points of its Figure 6 in no table"
    return Exhibit("Figure 6", "Scaling", "scatter", marks, "billions of parameters", "average", note=note)


def error_exhibit(runs: Sequence[ModelRun]) -> Exhibit:
    """Action, parameter and format errors by setting, with the published counts."""
    marks: list[Mark] = []
    for setting in SETTINGS:
        marks += share_marks(runs, partial(_errors_by_kind, setting), panel=setting, absolute=True)
    if marks:
        marks += [
            Mark(row.model, count, x=row.model, panel=row.group, part=kind, source="published")
            for row in PUBLISHED
            if row.table == "Table 16" and any(_has_published_turns(run, row.group) for run in runs)
            for kind, names in KINDS.items()
            if (count := sum(round((row.figures[name] or 0.0) * (row.total or 0)) for name in names))
            is not None
        ]
    note = (
        "counts, the mean of a trial; Figure 7 shows M-S and M-M, from Table 16, of which the M-S part is no partition; "
        "published counts are shown beside runs on as many turns as theirs"
    )
    return Exhibit(
        "Figure 7", "Errors by setting", "stack", tuple(marks), y_title="errors", unit="count", note=note
    )


def _has_published_turns(run: ModelRun, setting: str) -> bool:
    """Whether counts of the run compare with published ones: it answered as many turns of that setting."""
    turns = {sample.id for sample, _, _ in run.scored if sample.groups.get("setting") == setting}
    return len(turns) == PUBLISHED_TURNS.get(setting)


def _errors_by_kind(setting: str, run: ModelRun) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for sample, _, score in run.scored:
        if sample.groups.get("setting") == setting:
            counts.update(score.errors.get(setting, {}))
    return {kind: sum(counts[name] for name in names) for kind, names in KINDS.items()}


def length_exhibit(runs: Sequence[ModelRun]) -> Exhibit:
    """How long the dialogues, turns and prompts of the evaluation data are, by setting and, if several, by source."""
    samples = {sample.id: sample for run in runs for sample, _, _ in run.scored if sample.input}.values()
    sources = dict.fromkeys(sample.groups.get("source", "") for sample in samples)
    marks = [
        Mark(f"{source}, {setting}" if len(sources) > 1 else setting, value, x=measure, panel=measure, part=part,
             count=len(values))
        for source in sources
        for measure, settings in length_values(
            sample for sample in samples if sample.groups.get("source", "") == source
        ).items()
        for setting, values in settings.items()
        for part, value in zip(BOX_PARTS, five_numbers(values) or (), strict=False)
    ]  # fmt: skip
    return Exhibit(
        "Figure 11",
        "Lengths of the evaluation data",
        "box",
        tuple(marks),
        unit="number",
        note=NOTE,
        from_data=True,
    )
