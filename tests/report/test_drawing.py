"""Charts as drawings: words stay words, nothing is loaded from elsewhere, and success by size."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from xml.etree import ElementTree

import pytest

from report_toy import toy_report, with_benchmark, with_sizes
from toolyard.benchmarks import load_benchmark
from toolyard.charts.chart import INK, Chart, apply_theme
from toolyard.charts.fit_width import HALF, PHONE, WHOLE, draw_in_width, svg_width
from toolyard.charts.svg_drawing import draw
from toolyard.charts.vega_lite import field, view
from toolyard.core.benchmark import Size
from toolyard.core.table import Table
from toolyard.core.types import Options, Sample, Score
from toolyard.owntools.matrix_charts import matrix_chart
from toolyard.report.charts.run_charts import run_charts
from toolyard.report.charts.size_charts import size_chart, size_curves
from toolyard.report.content import Report

HOSTILE = '</text><script>alert("1")</script>&'


def texts(svg: str) -> list[str]:
    root = ElementTree.fromstring(svg)
    return [item.text or "" for item in root.iter("{http://www.w3.org/2000/svg}text")]


def test_words_of_strangers_stay_words() -> None:
    rows = [{"name": HOSTILE, "value": 1.0}]
    values = {"x": field("value:Q", title=None), "y": field("name:N", title=None), "text": field("name:N")}
    spec = apply_theme(view(rows).mark("text", color=INK).encode(**values))
    svg = Chart("c", '"><script>', "x", spec, Table("", (), ())).svg()
    assert "<script" not in svg and texts(svg).count(HOSTILE) == 2


@pytest.mark.parametrize("name", [HOSTILE, 'a"] || datum["value"', "\\", "constructor", "it's", "${datum}"])
def test_a_matrix_keeps_the_order_of_its_tools_whatever_they_are_called(name: str) -> None:
    cells = [("z", name, 0.4, "40"), (name, "z", 0.4, "40"), (name, name, 1.0, "100"), ("z", "z", 1.0, "90")]
    chart = matrix_chart("m", "t", "c", cells, ("wanted", "called"), ("z", name))
    found = [text for text in texts(chart.svg()) if text in ("z", name)]
    assert found == ["z", name, "z", name]


def test_a_drawing_is_one_labelled_image_that_loads_nothing_and_is_the_same_again(report: Report) -> None:
    for chart in run_charts(report):
        svgs = chart.page_svgs()
        assert chart.page_svgs() == svgs, chart.name
        names = re.findall(r'id="([^"]*)"', "".join(svgs))
        assert len(names) == len(set(names)), "both stand on one page"
        for svg in filter(None, svgs):
            root = ElementTree.fromstring(svg)
            assert (root.get("role"), root.get("aria-label")) == ("img", f"{chart.title}. {chart.caption}")
            loaded = r"(?:href|src|style|on\w+)=|url\((?!#)|<(?:script|style|image|foreignObject)"
            assert not re.search(loaded, svg), chart.name


def test_charts_of_one_name_do_not_clip_one_another() -> None:
    def clips(value: float) -> set[str]:
        bar = view([{"name": "a", "value": value}]).mark("bar", cornerRadiusEnd=2)
        spec = apply_theme(bar.encode(x=field("value:Q"), y=field("name:N")).properties(width=200))
        found = draw(spec)
        names = set(re.findall(r'id="([^"]*)"', found))
        assert names == set(re.findall(r"url\(#([^)]*)\)", found)) and draw(spec) == found
        return names

    assert clips(1.0) and not clips(1.0) & clips(2.0)


def test_a_png_has_twice_the_size_of_the_drawing(report: Report) -> None:
    chart = run_charts(report)[0]
    size = re.search(r'width="([\d.]+)" height="([\d.]+)"', chart.svg())
    assert size is not None
    header = chart.png()[16:24]
    width, height = int.from_bytes(header[:4], "big"), int.from_bytes(header[4:], "big")
    assert (width, height) == (round(2 * float(size[1])), round(2 * float(size[2])))


@pytest.mark.parametrize("width", [PHONE, HALF, WHOLE])
def test_charts_are_drawn_as_wide_as_their_place(report: Report, width: float) -> None:
    for chart in run_charts(report):
        if chart.rigid:
            continue
        drawn = draw_in_width(chart.spec, width)
        assert svg_width(drawn) <= width + 1, chart.name
        assert svg_width(drawn) > 0.9 * width or "'step'" in str(chart.spec.get("width")), chart.name


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
    chart = next(chart for chart in run_charts(report) if chart.name == "sizes")
    calls = size_curves(report)[0].points
    ends = [f"{100 * (point.estimate.value or 0):.1f} at {point.key}" for point in (calls[0], calls[-1])]
    drawn = ElementTree.fromstring(chart.svg())
    assert drawn.get("role") == "img"
    assert f"Calls: {ends[0]}, {ends[1]}." in str(drawn.get("aria-label"))
    assert len(chart.table.rows) == 12 + 3
    assert chart.table.rows[0][:4] == ("calls", "0", calls[0].samples, "tone")
    words = {"tone by calls", "average by depth", f"n {calls[0].samples}", "3+"}
    assert words <= set(texts(chart.svg()))


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
