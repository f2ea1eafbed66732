"""Matrices of tools against tools as pictures."""

from collections.abc import Sequence

from toolyard.charts.chart import ACCENT, INK, PAPER, Chart, apply_theme, drawn_names
from toolyard.charts.vega_lite import field, layer, step, view
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
    rows = [name for name in order if any(name in cell[:2] for cell in cells)] or list(
        dict.fromkeys(cell[0] for cell in cells)
    )
    columns = list(dict.fromkeys([*rows, *(cell[1] for cell in cells)]))
    shown = drawn_names(columns)
    data: list[dict[str, object]] = [
        {"row": shown[row], "column": shown[column], "value": value, "text": text}
        for row, column, value, text in cells
    ]
    # Vega compiles a sort list into an expression, and names are strangers' text: the scale states their order.
    across, down = (
        [shown[each] for each in some if any(each == cell[place] for cell in cells)]
        for some, place in ((columns, 1), (rows, 0))
    )
    base = view(data).encode(
        x=field("column:N", scale={"domain": across}, title=axes[1], axis={"labelAngle": -45}),
        y=field("row:N", scale={"domain": down}, title=axes[0]),
    )
    # By opacity: the page gives the one colour in light and dark, which a scale of two would fix.
    shades = {"domain": [0, 1], "range": [0.07, 1]}
    squares = base.mark("rect", color=ACCENT, cornerRadius=2)
    layers = [squares.encode(opacity=field("value:Q", scale=shades, legend=None))]
    if len(columns) <= MOST_NUMBERED:
        ink = {"condition": {"test": "datum.value > 0.5", "value": PAPER}, "value": INK}
        layers.append(base.mark("text", fontSize=9).encode(text=field("text:N"), color=ink))
    size = 34 if len(columns) <= MOST_NUMBERED else 16
    spec = apply_theme(layer(*layers).properties(width=step(size), height=step(max(18, size // 2 + 6))))
    table = Table(
        title, (axes[0], axes[1], "value"), tuple((row, column, text) for row, column, _, text in cells)
    )
    return Chart(name, title, caption, spec, table, wide=True)
