"""Charts as wide as their place on a page: redrawn with the same font size, not scaled."""

import math
import re
from collections.abc import Mapping
from typing import Any

from toolyard.charts.svg_drawing import draw

Spec = dict[str, Any]

# Where a page has two columns of charts or one, beside a headline, and on a phone.
HALF, WHOLE, BESIDE, PHONE = 570.0, 1180.0, 840.0, 350.0
# Names on a phone take this much, and a panel or a cell no less.
PHONE_NAME, LEAST_PANEL, LEAST_CELL = 120, 90.0, 30.0
MOST_STRETCHED = 1.5
# The names beside a panel are thought to take so much at first; a drawing that fills this share of its place stays.
NAMES_OF_PANEL, LEAST_SHARE, MOST_DRAWINGS = 35.0, 0.95, 4
_WIDTH = re.compile(r'<svg [^>]*?\bwidth="([\d.]+)')


def draw_in_width(spec: Spec, target: float) -> str:
    """The drawing of a specification in that width, in fewer columns of panels where it needs them."""
    spec = _shorten_labels(spec) if target <= PHONE else spec
    if not isinstance(spec.get("width"), Mapping) and not spec.keys() & {"hconcat", "concat", "facet"}:
        return draw({**spec, "width": target, "autosize": {"type": "fit-x", "contains": "padding"}})
    columns = _count_columns(spec)
    # Panels with titles of their own stand below one another on a phone.
    if target <= PHONE and "facet" not in spec and columns > 1:
        spec, columns = _set_columns(spec, 1), 1
    rest, svg = NAMES_OF_PANEL * columns, ""
    shown: Spec = {}
    for _ in range(MOST_DRAWINGS):
        # Names and margins keep their width.
        fewer = max(1, min(columns, int(target / (rest / columns + LEAST_PANEL))))
        if fewer < columns:
            rest, columns, spec = rest * fewer / columns, fewer, _set_columns(spec, fewer)
        fitting = _scale_widths(spec, (target - rest) / _width_of_panels(spec, columns))
        if fitting == shown:
            break
        shown, svg = fitting, draw(fitting)
        if LEAST_SHARE * target <= svg_width(svg) <= target + 1:
            break
        rest = svg_width(svg) - _width_of_panels(shown, columns)
    return svg


def svg_width(svg: str) -> float:
    """How wide a drawing is."""
    found = _WIDTH.search(svg)
    return float(found.group(1)) if found else 0.0


def _count_columns(spec: Spec) -> int:
    """In how many columns its panels stand."""
    if "facet" in spec:
        return int(spec["columns"])
    panels = len(spec.get("hconcat") or spec.get("concat") or "x")
    return min(panels, int(spec.get("columns", panels)))


def _width_of_panels(spec: Spec, columns: int = 1) -> float:
    """How much of the width of a drawing the panels of a row take."""
    if "spec" in spec:
        return columns * _width_of_panels(spec["spec"])
    for key in ("hconcat", "concat"):
        if key in spec:
            widths = [_width_of_panels(each) for each in spec[key]]
            return sum(max(widths[place::columns]) for place in range(columns))
    width = spec["width"]
    return float(width["step"] * _count_names(spec) if isinstance(width, Mapping) else width)


def _count_names(spec: Spec) -> int:
    """How many names stand beside one another."""
    across = spec.get("layer", [spec])[0]["encoding"]["x"]["field"]
    return len({row[across] for row in spec["data"]["values"]})


def _scale_widths(spec: Spec, factor: float) -> Spec:
    """The specification with every width of a panel, or of a cell, so many times as large."""
    found = dict(spec)
    width = spec.get("width")
    if isinstance(width, int | float):
        found["width"] = max(LEAST_PANEL, math.floor(width * factor))
    elif isinstance(width, Mapping):
        wanted = math.floor(width["step"] * min(factor, MOST_STRETCHED))
        found["width"] = {"step": max(min(width["step"], LEAST_CELL), wanted)}
    if "spec" in spec:
        found["spec"] = _scale_widths(spec["spec"], factor)
    for key in ("hconcat", "concat"):
        if key in spec:
            found[key] = [_scale_widths(each, factor) for each in spec[key]]
    return found


def _set_columns(spec: Spec, columns: int) -> Spec:
    """The specification with its panels in so many columns."""
    if "hconcat" not in spec:
        return {**spec, "columns": columns}
    gap = spec["spacing"]
    rest = {key: value for key, value in spec.items() if key != "hconcat"}
    return {**rest, "concat": spec["hconcat"], "columns": columns, "spacing": {"row": gap, "column": gap}}


def _shorten_labels(value: object) -> Any:
    """The specification with less room for names: those above columns aslant, those of a legend one below another."""
    if isinstance(value, list):
        return [_shorten_labels(each) for each in value]
    if not isinstance(value, dict):
        return value
    # rows of data stay as they are
    found = {key: each if key == "values" else _shorten_labels(each) for key, each in value.items()}
    for key in ("labelLimit", "minExtent"):
        if isinstance(found.get(key), int | float):
            found[key] = min(found[key], PHONE_NAME)
    if "columns" in found and "labelLimit" in found:
        found["columns"] = 1
    if found.get("orient") == "top" and found.get("labelAngle") == 0:
        found["labelAngle"] = -40
    return found
