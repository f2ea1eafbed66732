"""Charts drawn without an engine: marks where their values are, words that stay words, and success by size."""

import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from xml.etree import ElementTree

import pytest

from report_toy import toy_report, with_benchmark, with_sizes
from toolyard.benchmarks import load_benchmark
from toolyard.charts.chart import ACCENT, INK, SECOND, Chart, apply_theme
from toolyard.charts.drawing import NotDrawn, draw_specification
from toolyard.charts.drawing.scales import numbers_of, tick_step
from toolyard.charts.drawing.svg import cut_to, format_fixed, format_value, text_width
from toolyard.charts.vega_lite import (
    Channel,
    View,
    constant,
    facet_by,
    field,
    layer,
    side_by_side,
    step,
    view,
)
from toolyard.core.benchmark import Size
from toolyard.core.table import Table
from toolyard.core.types import Options, Sample, Score
from toolyard.report.charts.run_charts import charts_of
from toolyard.report.charts.size_charts import size_chart, size_curves
from toolyard.report.content import Report

NAMES = field("name:N", sort=None, title=None)
VALUES = field("value:Q", scale={"domain": [0, 100]}, title="percent")
ROWS = [{"name": "a", "value": 25.0, "high": 75.0}, {"name": "b", "value": 100.0, "high": 100.0}]


def elements(chart: View, tag: str) -> list[dict[str, str]]:
    root = ElementTree.fromstring(draw_specification(apply_theme(chart)))
    return [item.attrib for item in root.iter(f"{{http://www.w3.org/2000/svg}}{tag}")]


def texts(chart: View) -> list[str]:
    root = ElementTree.fromstring(draw_specification(apply_theme(chart)))
    return [item.text or "" for item in root.iter("{http://www.w3.org/2000/svg}text")]


def dots(**more: Channel) -> View:
    shown = view(ROWS).mark("point", filled=True, size=64, color=ACCENT).encode(y=NAMES, x=VALUES, **more)
    return shown.properties(width=200, height=step(20))


def test_points_stand_at_their_values_and_names_in_steps() -> None:
    found = elements(dots(), "circle")
    assert [(item["cx"], item["cy"], item["r"], item["fill"]) for item in found] == [
        ("50", "10", "4", ACCENT),
        ("200", "30", "4", ACCENT),
    ]
    assert texts(dots()) == ["0", "20", "40", "60", "80", "100", "percent", "a", "b"]


def test_rules_bars_and_rectangles_go_from_end_to_end() -> None:
    base = view(ROWS).encode(y=NAMES, x=VALUES)
    rule = base.mark("rule", color=SECOND).encode(x2=field("high:Q")).properties(width=200, height=step(20))
    first = next(item for item in elements(rule, "line") if item["stroke"] == SECOND)
    assert (first["x1"], first["x2"], first["y1"], first["y2"]) == ("50", "150", "10", "10")
    bar = base.mark("bar", color=SECOND, height=12).properties(width=200, height=step(20))
    assert [(item["x"], item["width"], item["y"]) for item in elements(bar, "rect")] == [
        ("0", "50", "4"),
        ("0", "200", "24"),
    ]
    cell = base.mark("rect", color=SECOND).encode(x=field("value:N", sort=None, title=None, axis=None))
    square = cell.properties(width=step(40), height=step(20))
    assert [(item["x"], item["y"], item["width"]) for item in elements(square, "rect")] == [
        ("0", "0", "40"),
        ("40", "20", "40"),
    ]


def test_a_line_goes_through_its_rows_in_order_and_has_a_gap_where_a_value_is_missing() -> None:
    rows = [{"x": place, "y": value} for place, value in ((2, 0.0), (0, 0.0), (1, 10.0), (3, None), (4, 5.0))]
    rows += [{"x": 5, "y": 10.0}]
    along = field("x:Q", title=None, scale={"domain": [0, 5]})
    up = field("y:Q", title=None, scale={"domain": [0, 10]})
    chart = view(rows).mark("line", color=ACCENT).encode(x=along, y=up).properties(width=50, height=10)
    assert [item["d"] for item in elements(chart, "path")] == ["M0,10L10,0L20,10", "M40,5L50,0"]


def test_a_legend_names_the_colours_and_conditions_choose_one() -> None:
    colour = field("name:N", scale={"domain": ["a", "b"], "range": [ACCENT, SECOND]})
    chart = dots(color=colour)
    assert texts(chart)[:2] == ["a", "b"]
    assert [item["fill"] for item in elements(chart, "circle")] == [ACCENT, SECOND, ACCENT, SECOND]
    chosen = {"condition": {"test": "datum.value > 55", "value": SECOND}, "value": INK}
    assert [item["fill"] for item in elements(dots(color=chosen), "circle")] == [INK, SECOND]


def test_panels_stand_beside_one_another_and_facets_share_their_scales() -> None:
    chart = side_by_side(dots().properties(title="first"), dots().properties(title="second"), spacing=30)
    places = [item["transform"] for item in elements(chart, "g") if "translate" in item.get("transform", "")]
    assert len(places) == 3 and {"first", "second"} <= set(texts(chart))
    panel = (
        view(ROWS)
        .mark("point", filled=True, color=ACCENT)
        .encode(x=field("name:O", sort=None, title=None, axis={"labelAngle": 0}), y=VALUES)
    )
    parts = facet_by(panel.properties(width=100, height=100), field("name:N", sort=["b", "a"], title=None), 2)
    assert [(item["cx"], item["cy"]) for item in elements(parts, "circle")] == [("75", "0"), ("25", "75")]


def test_words_of_strangers_stay_words() -> None:
    rows = [{"name": '</text><script>alert("1")</script>&', "value": 1.0}]
    chart = view(rows).mark("text", color=INK).encode(y=NAMES, x=VALUES, text=field("name:N"))
    found = draw_specification(apply_theme(chart))
    assert "<script" not in found and "&lt;script&gt;" in found
    ElementTree.fromstring(found)
    named = Chart("c", '"><script>', "x", apply_theme(dots()), Table("", (), ()))
    assert "<script" not in named.svg()


@pytest.mark.parametrize(
    "chart",
    [
        dots(size=field("value:Q")),
        dots().properties(projection={}),
        dots().mark("image"),
        dots().encode(x=field("value:Q")),
        dots().encode(x=field("value:Q", title=None, scale={"type": "sqrt"})),
        dots().encode(y=field("name:N", title=None)),
        dots().encode(color=field("name:N")),
        dots().mark("bar", color=ACCENT).encode(x=field("value:Q", title=None, stack="zero")),
        dots().mark("text", color=INK).encode(text=field("value:Q", format="%")),
    ],
    ids=["channel", "key", "mark", "title", "scale", "order", "colours", "stack", "format"],
)
def test_what_is_not_known_is_left_to_the_engine(chart: View) -> None:
    with pytest.raises(NotDrawn):
        draw_specification(apply_theme(chart))


def test_the_engine_draws_the_rest_and_a_png_has_twice_the_size_of_the_drawing() -> None:
    other = dots().encode(x=field("value:Q"))
    svg = Chart("c", "Title", "caption", apply_theme(other), Table("", (), ())).svg()
    assert svg.startswith('<svg role="img" aria-label="Title. caption"')
    chart = Chart("c", "", "", apply_theme(dots()), Table("", (), ()))
    size = re.search(r'width="([\d.]+)" height="([\d.]+)"', chart.svg())
    assert size is not None
    header = chart.png()[16:24]
    width, height = int.from_bytes(header[:4], "big"), int.from_bytes(header[4:], "big")
    assert (width, height) == (round(2 * float(size[1])), round(2 * float(size[2])))


def test_numbers_are_written_as_people_read_them() -> None:
    assert [format_fixed(value, 0) for value in (12.5, -0.04, -2.5)] == ["13", "0", "−3"]
    assert (
        format_value(1200.0, "~s") == "1.2k"
        and format_value(0.05, ".1f") == "0.1"
        and format_value(7, None) == "7"
    )
    assert [tick_step(0, high, 10) for high in (1, 100, 166, 1009)] == [0.1, 10, 20, 100]
    rounded = numbers_of([3.0, 166.0], {}, 100, upright=True)
    assert (rounded.low, rounded.high, rounded.ticks(4)) == (0, 180, [0, 50, 100, 150])


def test_words_have_room_for_a_wider_font() -> None:
    assert text_width("Hello", 10) == pytest.approx(1.17 * (722 + 556 + 222 + 222 + 556) / 100)
    assert cut_to("a long name", 10, 36) == "a lon…"
    assert text_width("字", 10) == pytest.approx(11.7)


DRAWN = """
import sys
from pathlib import Path
from report_toy import toy_report
from toolyard.report.charts.run_charts import charts_of

names = [chart.name for chart in charts_of(toy_report(Path(sys.argv[1]), "12")) if chart.svg()]
assert {"figures", "distribution"} <= set(names), names
assert "vl_convert" not in sys.modules, "an engine was loaded"
"""


def test_the_charts_of_a_run_need_no_engine(tmp_path: Path) -> None:
    line = [sys.executable, "-c", DRAWN, str(tmp_path)]
    places = {"PYTHONPATH": ":".join(sys.path), "TOOLYARD_CACHE": str(tmp_path / "cache")}
    done = subprocess.run(line, env=places, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr


def test_constants_and_layers_share_the_scale() -> None:
    base = view(ROWS).encode(y=NAMES)
    stems = base.mark("rule", color=ACCENT).encode(x=VALUES, x2=constant(0))
    points = base.mark("point", filled=True, color=SECOND).encode(x=VALUES)
    chart = layer(stems, points).properties(width=100, height=step(10))
    ends = [item["x2"] for item in elements(chart, "line") if item["stroke"] == ACCENT]
    assert ends == ["0", "0"]
    assert [item["cx"] for item in elements(chart, "circle")] == ["25", "100"]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return with_sizes(toy_report(tmp_path_factory.mktemp("toy")))


def sized(report: Report, key_of: Callable[[Sample, Score], str | None]) -> Report:
    return with_benchmark(
        report, scoring=replace(report.benchmark.scoring, breakdowns=(Size("calls", key_of),))
    )


def test_each_point_is_the_figure_on_the_samples_of_that_size(report: Report) -> None:
    calls, depth = size_curves(report)
    assert (calls.figure, depth.figure) == ("tone", "average")
    for point in calls.points:
        values = [
            item.score.values["tone"] or 0.0
            for item in report.graded["paper"]
            if item.score.unscored is None and int(item.sample.id[1:]) % 12 == int(point.key)
        ]
        assert point.samples == len(values)
        assert point.estimate.value == pytest.approx(fmean(values))
        assert point.estimate.low is not None
        assert point.estimate.low <= fmean(values)


def test_sizes_are_ordered_as_numbers_and_only_several_with_a_score_are_drawn(report: Report) -> None:
    calls, depth = size_curves(report)
    assert [point.key for point in calls.points] == [str(number) for number in range(12)]
    assert [point.key for point in depth.points] == ["1", "2", "3+"]
    some = sized(report, lambda sample, _: {"s0": "1", "s1": "2", "s3": "2"}.get(sample.id))
    [curve] = size_curves(some)
    assert [(point.key, point.samples) for point in curve.points] == [("1", 1), ("2", 1)], "s3 timed out"
    assert size_chart(size_curves(sized(report, lambda sample, _: "2"))) is None
    assert size_chart(size_curves(sized(report, lambda sample, _: None))) is None


def test_the_chart_says_in_words_and_numbers_what_it_draws(report: Report) -> None:
    chart = next(chart for chart in charts_of(report) if chart.name == "sizes")
    calls = size_curves(report)[0].points
    ends = [f"{100 * (point.estimate.value or 0):.1f} at {point.key}" for point in (calls[0], calls[-1])]
    drawn = ElementTree.fromstring(chart.svg())
    assert drawn.get("role") == "img"
    assert f"Calls: {ends[0]}, {ends[1]}." in str(drawn.get("aria-label"))
    assert len(chart.table.rows) == 12 + 3
    assert chart.table.rows[0][:4] == ("calls", "0", calls[0].samples, "tone")
    texts = [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert {"tone by calls", "average by depth", f"n {calls[0].samples}", "3+"} <= set(texts)


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("mtu", {"turn of the dialogue", "wanted calls per turn", "listed tools"}),
        ("nestools", {"wanted calls", "depth of nesting"}),
        ("tooleyes", {"rounds of the episode"}),
    ],
)
def test_benchmarks_declare_sizes_of_figures_that_they_have(name: str, sizes: set[str]) -> None:
    benchmark = load_benchmark(name)
    assert {size.name for size in benchmark.scoring.sizes} == sizes
    metrics = {metric.name for metric in benchmark.scoring.metrics}
    assert {size.figure for size in benchmark.scoring.sizes} - {""} <= metrics


@pytest.mark.parametrize("name", ["mtu", "nestools"])
def test_the_starter_set_has_samples_of_several_sizes(name: str) -> None:
    benchmark = load_benchmark(name)
    samples = benchmark.data.load(benchmark.data.starter, Options())
    for size in benchmark.scoring.sizes:
        keys = {size.key_of(sample, Score(sample.id)) for sample in samples} - {None}
        assert 2 <= len(keys) <= 12


@pytest.mark.parametrize(("rounds", "key"), [(1, "1"), (9, "9"), (14, "10+")])
def test_rounds_beyond_the_limit_are_one_size(rounds: int, key: str) -> None:
    [size] = load_benchmark("tooleyes").scoring.sizes
    assert size.key_of(Sample("q", {}, None), Score("q", graded={"rounds_used": rounds})) == key
    assert size.key_of(Sample("q", {}, None), Score("q")) is None


def test_a_benchmark_without_sizes_has_no_such_chart(tmp_path: Path) -> None:
    assert size_chart(size_curves(toy_report(tmp_path, "12"))) is None
