"""Matrices of tools against tools as pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from toolyard.charts.chart import ACCENT, INK, MUTED, Chart, chart_data, drawn_names, themed
from toolyard.core.table import Table

MOST_DRAWN = 40
# Up to so many tools each field of a matrix bears its number.
MOST_NUMBERED = 14


def matrix_chart(
    name: str,
    title: str,
    caption: str,
    cells: Sequence[tuple[str, str, float, str]],
    axes: tuple[str, str],
    order: Sequence[str] = (),
) -> Chart:
    """A heat map of (row, column, value from 0 to 1, text); `order` says which names stand first."""
    import altair as alt

    rows = [name for name in order if any(name in cell[:2] for cell in cells)] or list(
        dict.fromkeys(cell[0] for cell in cells)
    )
    columns = list(dict.fromkeys([*rows, *(cell[1] for cell in cells)]))
    shown = drawn_names([*rows, *columns])
    data: list[dict[str, Any]] = [
        {"row": shown[row], "column": shown[column], "value": value, "text": text}
        for row, column, value, text in cells
    ]
    base = alt.Chart(chart_data(data)).encode(
        x=alt.X(
            "column:N", sort=[shown[each] for each in columns], title=axes[1], axis=alt.Axis(labelAngle=-45)
        ),
        y=alt.Y("row:N", sort=[shown[each] for each in rows], title=axes[0]),
    )
    fields = base.mark_rect(cornerRadius=2).encode(
        color=alt.Color("value:Q", scale=alt.Scale(domain=[0, 1], range=["#eef2f6", ACCENT]), legend=None)
    )
    layers = [fields]
    if len(columns) <= MOST_NUMBERED:
        layers.append(
            base.mark_text(fontSize=9).encode(
                text="text:N",
                color=alt.condition(
                    "datum.value > 0.55", alt.value("#ffffff"), alt.value(MUTED if cells else INK)
                ),
            )
        )
    step = 34 if len(columns) <= MOST_NUMBERED else 16
    spec = themed(
        alt.layer(*layers).properties(width=alt.Step(step), height=alt.Step(max(18, step // 2 + 6)))
    )
    table = Table(
        title, (axes[0], axes[1], "value"), tuple((row, column, text) for row, column, _, text in cells)
    )
    return Chart(name, title, caption, spec, table, wide=True)
