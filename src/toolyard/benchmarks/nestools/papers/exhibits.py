"""The paper's figures over models: scaling by family, depth, structure, error proportions; and Table 3's variants."""

from collections import Counter
from collections.abc import Mapping, Sequence

from toolyard.benchmarks.nestools.papers.published import COLUMNS, PUBLISHED
from toolyard.benchmarks.nestools.scoring.errors import ERROR_LABELS
from toolyard.benchmarks.nestools.scoring.metrics import GROUPINGS
from toolyard.benchmarks.nestools.task.prompt import BASE, NO_CONJUNCTIONS, NO_TYPES, VARIANT
from toolyard.core.exhibits import (
    Exhibit,
    Mark,
    ModelRun,
    drop_empty_exhibits,
    family,
    marks_by_size,
    over_keys,
    runs_by_model,
    share_marks,
)

# Table 3: LLaMA3.1-8B under the two variants, in percent, in the order of Table 2's columns without format and tree.
TABLE_3: Mapping[str, tuple[float, ...]] = {
    BASE: (65.7, 71.6, 68.5, 44.2, 50.7, 47.2, 44.2, 51.0, 47.3, 40.8, 42.7, 41.7, 51.2),
    NO_TYPES: (62.7, 73.6, 67.7, 40.4, 51.4, 45.3, 42.4, 52.6, 46.9, 35.7, 43.1, 39.0, 49.7),
    NO_CONJUNCTIONS: (59.8, 73.4, 65.9, 35.7, 48.3, 41.0, 41.1, 53.3, 46.4, 33.2, 43.8, 37.8, 47.8),
}


def exhibits(runs: Sequence[ModelRun]) -> tuple[Exhibit, ...]:
    """Table 3 and Figures 3-6, as far as these runs have what they show."""
    depths, structures = (grouping.keys for grouping in GROUPINGS)
    return drop_empty_exhibits(
        (
            variant_exhibit(runs),
            scaling_exhibit(runs),
            Exhibit(
                "Figure 4", "Selection F1 by depth of nesting", "lines",
                over_keys(runs, depths, "selection_f1"), "depth", "selection F1",
            ),
            Exhibit(
                "Figure 5", "Average by structure of nesting", "bars", over_keys(runs, structures, "average"),
                "structure", "average",
            ),
            *(error_shares(runs, name) for name in ("parameter", "nested", "tool")),
        )
    )  # fmt: skip


def variant_exhibit(runs: Sequence[ModelRun]) -> Exhibit:
    """Each model under the robustness variants that it was run with, and the published LLaMA3.1-8B."""
    several = [
        run
        for some in runs_by_model(runs).values()
        if len({item.options.get(VARIANT.name, VARIANT.default) for item in some}) > 1
        for run in some
    ]
    marks = [run.mark("", name, x=name) for run in several for name in COLUMNS[2:]]
    if several:
        marks += [
            Mark(f"LLaMA3.1-8B ({variant})", value / 100, x=name, source="published")
            for variant, row in TABLE_3.items()
            for name, value in zip(COLUMNS[2:], row, strict=True)
        ]
    return Exhibit("Table 3", "Robustness: without types, without conjunctions", "table", tuple(marks))


def scaling_exhibit(runs: Sequence[ModelRun]) -> Exhibit:
    """Average against size, models of one family joined."""
    printed = [
        Mark(row.model, row.figures["average"], part=family(row.model), at=row.size, source="published")
        for row in PUBLISHED
        if row.size is not None
    ]
    own = marks_by_size(runs)
    marks = (*own, *printed) if own else ()
    return Exhibit(
        "Figure 3", "Scaling by family", "scatter", tuple(marks), "billions of parameters", "average",
        note="the configurations of one model averaged; a line joins the models of one family",
    )  # fmt: skip


def error_shares(runs: Sequence[ModelRun], name: str) -> Exhibit:
    """What the errors of one class are made of."""

    def counts(run: ModelRun) -> dict[str, int]:
        found: Counter[str] = Counter()
        for _, _, score in run.scored:
            found.update(score.errors.get(name, {}))
        return {label: found[label] for label in ERROR_LABELS[name]}

    paper = "Figure 6" if name != "tool" else "Section 5.5.1"
    return Exhibit(
        paper, f"Proportions of {name} errors", "stack", share_marks(runs, counts), y_title="share of errors"
    )
