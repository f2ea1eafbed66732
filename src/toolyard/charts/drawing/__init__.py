"""Charts drawn as SVG from their Vega-Lite specification, as far as our charts use it, without an engine.

An engine for all of Vega-Lite takes a second and a half of the processor before its first chart. What is not known here
is not guessed: `draw_specification` raises `NotDrawn`, and the chart goes to the engine.
"""

from toolyard.charts.drawing.layout import draw_specification
from toolyard.charts.drawing.svg import NotDrawn

__all__ = ["NotDrawn", "draw_specification"]
