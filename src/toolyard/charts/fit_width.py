"""Charts as wide as their place on a page: redrawn with the same font size, not scaled."""

import re
from collections.abc import Callable, Mapping
from typing import Any

Spec = dict[str, Any]

# Where a page has two columns of charts or one, beside a headline, and on a phone.
HALF, WHOLE, BESIDE, PHONE = 570.0, 1180.0, 840.0, 350.0
# Names on a phone take this much, and a panel or a cell no less.
PHONE_NAME, LEAST_PANEL, LEAST_CELL = 120, 90.0, 30.0
MOST_STRETCHED = 1.5
_WIDTH = re.compile(r'<svg [^>]*?\bwidth="([\d.]+)')


def draw_in_width(spec: Spec, target: float, draw: Callable[[Spec], str]) -> str:
    """The drawing of a specification in that width, in fewer columns of panels where it needs them."""
    spec = _shorten_labels(spec) if target <= PHONE else spec
    columns = int(spec.get("columns", len(spec.get("hconcat", "x"))))
    # Panels with titles of their own stand below one another on a phone.
    most = columns if target > PHONE or "facet" in spec else 1
    svg = ""
    for fewer in range(most, 0, -1):
        svg = _stretch_to_width(_set_columns(spec, fewer) if fewer < columns else spec, target, draw)
        if width_of(svg) <= target + 1:
            break
    return svg


def width_of(svg: str) -> float:
    """How wide a drawing is."""
    found = _WIDTH.search(svg)
    return float(found.group(1)) if found else 0.0


def _stretch_to_width(spec: Spec, target: float, draw: Callable[[Spec], str]) -> str:
    """The drawing with panels as wide as leaves it the wanted width: names and margins keep theirs."""
    factor, svg = 1.0, draw(spec)
    for _ in range(3):
        whole, half = width_of(svg), width_of(draw(_scale_widths(spec, factor / 2)))
        if abs(whole - target) < 1 or whole - half < 1:
            break
        factor = max(0.05, factor + factor / 2 * (target - whole) / (whole - half))
        svg = draw(_scale_widths(spec, factor))
    return svg


def _scale_widths(spec: Spec, factor: float) -> Spec:
    """The specification with every width of a panel, or of a cell, so many times as large."""
    found = dict(spec)
    width = spec.get("width")
    if isinstance(width, int | float):
        found["width"] = max(LEAST_PANEL, width * factor)
    elif isinstance(width, Mapping):
        found["width"] = {"step": max(LEAST_CELL, width["step"] * min(factor, MOST_STRETCHED))}
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
