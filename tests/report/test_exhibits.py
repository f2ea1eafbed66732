"""The papers' tables and figures over models: every one has a counterpart, models count once, nothing is made up."""

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from compared_runs import rewrite_scores
from toolyard.benchmarks import load_benchmark
from toolyard.benchmarks.mtu.papers.exhibits import accuracy_exhibit as mtu_accuracy
from toolyard.benchmarks.mtu.papers.exhibits import error_exhibit as mtu_errors
from toolyard.benchmarks.mtu.papers.exhibits import length_exhibit as mtu_lengths
from toolyard.benchmarks.toolbehonest.papers.exhibits import exhibits as honest_exhibits
from toolyard.benchmarks.tooleyes.papers.exhibits import (
    correlation_exhibit,
    share_at_reference_exhibit,
    shown_dimensions,
)
from toolyard.cli.app import app
from toolyard.core.exhibits import BOX_PARTS, Exhibit, Kind, Mark, ModelRun, family, model_mean, runs_by_model
from toolyard.core.metrics import Row
from toolyard.core.types import Sample, Score, Transcript
from toolyard.report.charts.exhibit_charts import exhibit_charts
from toolyard.report.charts.label_places import label_sides, padded_axis
from toolyard.report.compare.comparison import compare_runs
from toolyard.report.compare.exhibits import paper_exhibits
from toolyard.report.export.terminal import fit_to_width
from toolyard.report.tables.exhibit_tables import answer_counts, exhibit_table
from toolyard.run.api import evaluate
from toolyard.stats.bootstrap import Estimate
from toolyard.stats.box_statistics import fitted_line, five_numbers, standardise_values
from toolyard.stats.summary import group_sizes, groups_of


def run(
    model: str, setup: str = "", kind: str = "open", scored: Sequence[object] = (), **figures: float
) -> ModelRun:
    known = {name: Estimate(value, None, None) for name, value in figures.items()}
    return ModelRun(model, setup, kind, None, known, {}, {}, scored)  # type: ignore[arg-type]


def named(exhibits: Sequence[Exhibit]) -> dict[str, Exhibit]:
    return {item.paper: item for item in exhibits}


@pytest.fixture(scope="module")
def nested(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    runs = tmp_path_factory.mktemp("runs")
    made = [
        ("scripted/oracle", {}),
        ("scripted/word-overlap", {}),
        ("scripted/word-overlap", {"variant": "no-types"}),
    ]
    return [
        evaluate("nestools", model, limit=12, options=options, runs=runs).folder for model, options in made
    ]


def test_nestools_has_its_tables_and_figures(nested: list[Path]) -> None:
    comparison = compare_runs(nested)["nestools"]
    found = named(paper_exhibits(comparison))
    assert {"Tables 2 and 8", "Table 3", "Figure 4", "Figure 5"} <= set(found)
    main = exhibit_table(found["Tables 2 and 8"])
    names = [row[0] for row in main.rows]
    model = "scripted/word-overlap"
    assert names[:3] == ["scripted/oracle", f"{model} (default)", f"{model} (variant no-types)"]
    assert "GPT-4o" in names and len(names) == 3 + 22
    assert {mark.source for mark in found["Table 3"].marks} == {"run", "published"}
    assert "--profile official scores both alike" in main.note
    by_release = named(paper_exhibits(compare_runs(nested, profile="official")["nestools"]))["Tables 2 and 8"]
    assert "--profile" not in by_release.note
    assert {chart.title.split(":")[0] for chart in exhibit_charts(paper_exhibits(comparison))} >= {
        "Figure 4",
        "Figure 5",
    }


def test_the_command_gives_them_to_terminal_json_latex_and_page(nested: list[Path], tmp_path: Path) -> None:
    words = ["compare", *map(str, nested), "--papers", "--json", "--latex", str(tmp_path / "t.tex")]
    result = CliRunner().invoke(app, [*words, "--html", str(tmp_path / "c.html")])
    assert result.exit_code == 0, result.output
    exhibits = json.loads(result.stdout)["nestools"]["exhibits"]
    assert "Figure 5" in {item["paper"] for item in exhibits}
    mark = next(item for item in exhibits if item["paper"] == "Figure 5")["marks"][0]
    assert {"model", "value", "x", "low", "high", "count"} <= set(mark)
    assert "Figure 5: Average by structure" in (tmp_path / "t.tex").read_text()
    assert "As in the paper" in (tmp_path / "c.html").read_text()
    shown = CliRunner().invoke(app, ["compare", *map(str, nested), "--papers"])
    assert "Figure 4: Selection F1 by depth" in shown.stdout


def test_set_ups_of_one_model_count_as_one_and_families_are_names_without_sizes() -> None:
    runs = [run("a", "x", average=0.2), run("a", "y", average=0.4), run("b", average=0.5)]
    assert list(runs_by_model(runs)) == ["a", "b"]
    assert model_mean(runs_by_model(runs)["a"], "", "average") == pytest.approx(0.3)
    two = [run("a", str(n), intent_comprehension=n / 4, tool_selection=n / 4) for n in range(4)]
    assert correlation_exhibit(two).marks == (), "four set-ups of one model are no four models"
    four = [run(f"m{n}", intent_comprehension=n / 4, tool_selection=n / 8) for n in range(4)]
    cell = next(mark for mark in correlation_exhibit(four).marks if mark.x != mark.part)
    assert cell.value == pytest.approx(1.0) and cell.count == 4
    assert family("Qwen2-7B") == family("Qwen2-72B") == "Qwen2"
    assert family("SmolLM2-135M, tuned") != family("SmolLM2-135M")
    assert family("GPT-4o") == "GPT-4o"


def test_three_judged_models_have_the_correlation_of_their_dimensions(tmp_path: Path) -> None:
    runs = [
        evaluate("tooleyes", f"scripted/{name}", judge="scripted/random", limit=3, runs=tmp_path).folder
        for name in ("oracle", "empty", "no-call")
    ]
    figure = named(paper_exhibits(compare_runs(runs)["tooleyes"]))["Figure 6"]
    assert {mark.count for mark in figure.marks} == {3}
    assert {"intent_comprehension", "outcome"} <= {mark.x for mark in figure.marks}
    cells = {(mark.part, mark.x): mark.value for mark in figure.marks}
    assert cells["format_alignment", "outcome"] == pytest.approx(0.5), "100, 0, 100 against 100, 0, 0"
    (chart,) = exhibit_charts([figure])
    assert "0.50" in chart.svg() and "over 3 models" in chart.caption


def test_the_published_ratio_of_table_3_is_the_papers() -> None:
    table = named(honest_exhibits([run("a", overall=0.1)]))["Table 3"]
    ratio = {mark.x: mark.value for mark in table.marks if mark.model == "ratio, published"}
    assert {
        name: round(100 * (ratio[name] or 0), 1) for name in ("solvable_overall", "overall", "l3_mean")
    } == {"solvable_overall": 91.1, "overall": 39.4, "l3_mean": 14.9}


def answered(length: int, value: float) -> tuple[Sample, Transcript, Score]:
    groups = {"level": "level_1", "scenario": "MNT", "variant": "unsolvable"}
    text = Transcript.answered("s", "x" * length)
    return (Sample("s", {}, None, groups=groups), text, Score("s", values={"l1_em": value}))


def test_length_against_score_is_over_models_with_the_line_of_least_squares() -> None:
    runs = [run(f"m{n}", scored=[answered(40 * (n + 1), 1 - n / 2)]) for n in range(3)]
    figure = named(honest_exhibits(runs))["Figure 5"]
    points = [mark for mark in figure.marks if mark.source == "run"]
    line = [mark for mark in figure.marks if mark.source == "fit"]
    assert len(points) == 3 and len(line) == 2
    assert line[0].value == pytest.approx(-(line[1].value or 0)), (
        "standardised: the line passes through the middle"
    )
    assert (line[0].value or 0) > (line[1].value or 0), "longer answers score lower here"
    assert "Figure 6" not in named(honest_exhibits(runs)), "no proprietary model is among them"
    closed = [run(f"c{n}", kind="closed", scored=[answered(40 * (n + 1), n / 2)]) for n in range(3)]
    found = named(honest_exhibits([*runs, *closed]))
    assert [mark.model for mark in found["Figure 6"].marks if mark.source == "run"] == ["c0", "c1", "c2"]
    assert [mark.model for mark in found["Figure 5"].marks if mark.source == "run"] == ["m0", "m1", "m2"]
    (drawn,) = exhibit_charts([found["Figure 6"]])
    assert all(name in drawn.svg() for name in ("c0", "c1", "c2"))


def test_table_9_counts_queries_scored_at_least_as_high() -> None:
    def scored(*values: float) -> list[tuple[Sample, Transcript, Score]]:
        return [
            (
                Sample(f"q{n}", {}, None),
                Transcript(f"q{n}"),
                Score(f"q{n}", values={"intent_comprehension": value}),
            )
            for n, value in enumerate(values)
        ]

    runs = [
        run("best", scored=scored(0.9, 0.8), overall=0.9),
        run("other", scored=scored(0.9, 0.1), overall=0.5),
    ]
    mark = next(mark for mark in share_at_reference_exhibit(runs).marks if mark.source == "run")
    assert (mark.model, mark.value, mark.count) == ("other", 0.5, 2)


@pytest.mark.parametrize("kind", ["lines", "bars", "stack", "box", "radar", "scatter", "heat"])
def test_every_kind_is_drawn_and_names_of_strangers_stay_text(kind: str) -> None:
    hostile = "<script>alert(1)</script>"
    parts = (
        ("lowest", "lower quartile", "median", "upper quartile", "highest") if kind == "box" else ("p", "q")
    )
    marks = tuple(
        Mark(model, value / 10, x=x, panel=hostile, part=part, at=float(value), source=source)
        for model, source in ((hostile, "run"), ("GPT-4", "published"))
        for x in ("a", "b", "c")
        for value, part in enumerate(parts, 1)
    )
    exhibit = Exhibit("Figure 1", hostile, kind, marks)  # type: ignore[arg-type]
    (chart,) = exhibit_charts([exhibit])
    assert chart.svg().startswith("<svg") and "<script" not in chart.svg()
    assert exhibit_table(exhibit).rows


def test_an_undefined_value_is_no_mark_in_a_picture() -> None:
    marks = (Mark("a", None, x="1"), Mark("a", 0.5, x="2"))
    (chart,) = exhibit_charts([Exhibit("Figure 1", "t", "bars", marks)])
    drawn = json.dumps(chart.spec)
    assert '"value": 50' in drawn and '"x": "1"' not in drawn


def test_every_paper_has_exhibits() -> None:
    for name in ("tooleyes", "nestools", "mtu", "toolbehonest"):
        reference = load_benchmark(name).reference
        assert reference is not None and reference.printed.exhibits is not None


def test_numbers_of_boxes_and_lines() -> None:
    assert five_numbers([1.0, 2.0, 3.0, 4.0, 5.0]) == (1.0, 2.0, 3.0, 4.0, 5.0)
    assert five_numbers([1.0]) is None
    assert standardise_values([1.0, 1.0]) is None
    line = fitted_line([0.0, 1.0, 2.0], [1.0, 3.0, 5.0])
    assert line is not None and (line.slope, line.intercept) == (2.0, 1.0)
    assert fitted_line([1.0, 1.0], [1.0, 2.0]) is None


def test_names_of_points_and_ticks_have_room() -> None:
    crowded = [("Qwen1.5-0.5B", 100.0, 100.0), ("Qwen2-0.5B", 100.0, 100.0), ("alone", 300.0, 30.0)]
    assert label_sides(crowded, 400, 200) == ["above", "below", "above"]
    assert label_sides([("a long name at the left edge", 2.0, 50.0)], 400, 200) == ["right"]
    assert label_sides([("a long name at the right edge", 398.0, 50.0)], 400, 200) == ["left"]
    assert label_sides([("top", 200.0, 1.0)], 400, 200) == ["below"]
    many = label_sides([(f"a rather long name {n}", 100.0, 100.0) for n in range(12)], 400, 200)
    assert many == ["above", "below", "right", "left", *[""] * 8], "what finds no room is left to the table"
    axis = padded_axis([0.135, 405.0], 760, logarithmic=True)
    assert axis.low < 0.135 and axis.high > 405
    assert axis.ticks() == [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500]
    assert axis.place(axis.low) == 0 and axis.place(axis.high) == pytest.approx(760)


def test_an_exhibit_says_on_how_many_answers_it_stands() -> None:
    def lines(*marks: Mark) -> Exhibit:
        return Exhibit("Figure 1", "t", "lines", marks, note="what it is")

    one = lines(Mark("a", 0.5, x="1", count=40), Mark("b", 0.5, x="1", count=40))
    assert answer_counts(one) == "n 40" and exhibit_table(one).note == "what it is; n 40"
    runs = lines(Mark("a", 0.5, x="1", count=40), Mark("b", 0.5, x="1", count=1200))
    assert answer_counts(runs) == "n 40 to 1,200"
    parts = lines(Mark("a", 0.5, x="1", count=40), Mark("a", 0.5, x="2", count=7))
    assert answer_counts(parts) == "n: 40 (1), 7 (2)"
    assert answer_counts(lines(Mark("GPT-4", 0.5, x="1", source="published"))) == "", "papers print no count"
    (chart,) = exhibit_charts([parts])
    assert chart.caption == "what it is; n: 40 (1), 7 (2)"


def test_words_have_the_room_that_they_take_in_the_widest_usual_font() -> None:
    """A legend laid out for a narrow font runs into itself where the reader has a wide one."""
    names = ("first model of a family", "second model of a family")
    marks = tuple(Mark(name, 0.5, x="1") for name in names)
    (chart,) = exhibit_charts([Exhibit("Figure 1", "t", "bars", marks)])
    assert 'font-size="11px"' in chart.svg() and 'font-size="12' not in chart.svg(), "written as wanted"
    entries = [float(found) for found in re.findall(r'd="M0,0h([\d.]+)v1[\d.]+h', chart.svg())]
    in_dejavu_sans = 121
    assert sum(wide >= in_dejavu_sans for wide in entries) == len(names), "laid out for the wide font"


def test_shares_of_turns_carry_their_interval_and_count() -> None:
    def turn(right: float) -> tuple[Sample, Transcript, Score]:
        sample = Sample("d", {"turn": 1, "tools": []}, None, groups={"setting": "M-S"})
        return (sample, Transcript("d"), Score("d", values={"tools_right": right}))

    figure = mtu_accuracy([run("m", scored=[turn(1.0), turn(0.0)])], "Figure 5a", "t", "turn", lambda _: "1")
    (mark,) = figure.marks
    assert (mark.value, mark.count) == (0.5, 2)
    assert mark.low == pytest.approx(0.0945, abs=1e-3) and mark.high == pytest.approx(0.9055, abs=1e-3)


def turns_of(source: str, setting: str, number: int) -> list[tuple[Sample, Transcript, Score]]:
    made = []
    for place in range(number):
        name, groups = f"{source}_{setting}_{place}", {"setting": setting, "source": source}
        wrong = Score(name, errors={setting: {"parameter": 1}})
        shown = {"question": "x" * 40, "user": "two words", "tools": [{}] * (place + 1)}
        gold = {"calls": [{"name": "find"}, {"name": "book"}], "turn": place % 3}
        sample: Sample = Sample(name, shown, gold, groups={**groups, "dialogue": str(place // 3)})
        made.append((sample, Transcript(name), wrong))
    return made


def test_published_counts_of_errors_stand_beside_as_many_turns() -> None:
    """GPT-4's 143 errors on 473 turns say nothing beside a run on 12 turns, or on another corpus."""
    few = run("m", scored=turns_of("API-Bank", "M-S", 12))
    assert {mark.source for mark in mtu_errors([few]).marks} == {"run"}
    whole = run("m", scored=turns_of("MTU-Bench", "M-S", 473))
    beside = [mark for mark in mtu_errors([few, whole]).marks if mark.source == "published"]
    assert {mark.panel for mark in beside} == {"M-S"}, "M-M was answered by nobody"
    assert sum(mark.value or 0 for mark in beside if mark.model == "GPT-4") == 157


def test_lengths_are_distributions_of_turns_words_tools_and_prompts() -> None:
    first, second = (run(name, scored=turns_of(name, "M-S", number)) for name, number in (("a", 7), ("b", 2)))
    found = mtu_lengths([first])
    assert {mark.model for mark in found.marks} == {"M-S"}
    values = {(mark.panel, mark.part): (mark.value, mark.count) for mark in found.marks}
    assert values["turns per dialogue", "median"] == (3.0, 3)
    assert values["turns per dialogue", "lowest"] == (1.0, 3)
    assert values["user words per dialogue", "highest"] == (6.0, 3)
    assert values["user words per turn", "median"] == (2.0, 7)
    assert values["tools called per dialogue", "highest"] == (2.0, 3)
    assert values["calls per turn", "median"] == (2.0, 7)
    assert values["tools listed per turn", "highest"] == (7.0, 7)
    assert values["prompt tokens per turn", "median"] == (10.0, 7)
    assert {mark.model for mark in mtu_lengths([first, second]).marks} == {"a, M-S", "b, M-S"}
    assert len(exhibit_charts([found])) == 1


@pytest.mark.parametrize(("kind", "parts"), [("box", BOX_PARTS), ("radar", ("",))])
def test_figures_of_many_panels_are_readable_in_a_terminal(kind: Kind, parts: tuple[str, ...]) -> None:
    scenarios, dimensions = [f"scenario {n}" for n in range(7)], [f"dimension_{n}" for n in range(6)]
    marks = tuple(
        Mark(model, 0.5, x=name, panel=scenario, part=part, count=9)
        for scenario in scenarios for model in ("a", "b") for name in dimensions for part in parts
    )  # fmt: skip
    table = exhibit_table(Exhibit("Figure", "of many panels", kind, marks))
    assert len(table.columns) <= 9
    assert len(table.rows) == 7 * 2 * (6 if kind == "box" else 1)
    assert fit_to_width(table, 100).table.columns == table.columns, "no column is left out for want of room"


def test_without_a_judge_the_dimensions_are_what_rules_see() -> None:
    plain = run("m", outcome=0.1, format_alignment=0.9, tool_reality=0.5, answer_pass=0.4)
    assert shown_dimensions([plain]) == ("format_alignment", "tool_reality", "answer_pass", "outcome")
    judged = run("m", overall=0.3, format_alignment=0.9, intent_comprehension=0.5, tool_reality=0.5)
    assert shown_dimensions([judged]) == ("format_alignment", "intent_comprehension", "overall")


def api_bank_turn(number: int, source: str, right: float) -> tuple[Sample, Transcript, Score]:
    name = f"{source} {number}"
    values = {"tool_selection": right, "parameter_selection": right, "right": right, "row": float(number)}
    values |= {"dialogue": float(number), "turn": 0.0, "turns": 1.0}
    sample: Sample = Sample(name, {}, None, name, {"setting": "M-S", "source": source})
    return sample, Transcript(name), Score(name, values=values)


def test_all_cells_of_table_5_are_about_the_same_dialogues() -> None:
    """The corpus has two sources, and the breakdown by source has a key with the name of the corpus."""
    mtu = load_benchmark("mtu")
    scored = [api_bank_turn(n, "API-Bank", 1.0) for n in range(3)]
    scored += [api_bank_turn(n, "API-Bank ToolSearcher", 0.0) for n in range(3, 5)]
    rows = [Row(score, sample.cluster, sample.groups) for sample, _, score in scored]
    assert mtu.reference is not None and mtu.reference.printed.derived is not None
    found = ModelRun(
        "m", "", "", None, {}, groups_of(mtu, rows), group_sizes(mtu, rows), scored, mtu.reference.printed.derived(scored)
    )  # fmt: skip
    assert found.figure("API-Bank", "average").value == 1.0  # type: ignore[union-attr]
    table = next(row for row in mtu.published if row.table == "Table 5" and row.group == "API-Bank")
    assert {name: found.mark("API-Bank", name).value for name in table.figures} == dict.fromkeys(
        table.figures, 0.6
    )


def test_a_withheld_headline_is_in_no_table_and_no_figure(tmp_path: Path) -> None:
    good, withheld = (
        evaluate("tooleyes", f"scripted/{name}", judge="scripted/random", limit=8, runs=tmp_path).folder
        for name in ("oracle", "no-call")
    )
    places = iter(range(8))

    def lose(line: dict[str, Any]) -> None:
        if next(places) == 0:
            for scores in line["profiles"].values():
                scores["unscored"] = "judge_unparsable"

    rewrite_scores(withheld, lose)
    comparison = compare_runs([good, withheld])["tooleyes"]
    assert comparison.ranked_runs[-1].summary.withheld
    found = named(paper_exhibits(comparison))
    label = comparison.ranked_runs[-1].label
    for paper in ("Table 2", "Table 3", "Figure 3", "Figure 5", "Figure 10", "Figure 12"):
        shown = [mark for mark in found[paper].marks if mark.model == label and mark.value is not None]
        assert not [one for one in shown if paper in ("Table 2", "Table 3", "Figure 3") or one.x == "overall"]
    assert f"overall withheld, with more than 2 % unscored: {label}" in exhibit_table(found["Figure 5"]).note
    assert f"overall withheld, with more than 2 % unscored: {label}" in exhibit_table(found["Figure 3"]).note
    (all_withheld,) = compare_runs([withheld]).values()
    assert "no run was judged" not in named(paper_exhibits(all_withheld))["Figure 5"].note


def test_figures_that_need_the_data_are_named_where_the_data_are_gone(tmp_path: Path) -> None:
    data = tmp_path / "data"
    shutil.copytree(load_benchmark("mtu").data.starter, data)
    folder = evaluate("mtu", "scripted/no-call", data=str(data), limit=4, runs=tmp_path).folder
    shown = CliRunner().invoke(app, ["compare", str(folder), "--papers"]).stdout
    assert "Figure 5b: Tool selection by number of listed tools" in shown and "left out:" not in shown
    shutil.rmtree(data)
    shown = CliRunner().invoke(app, ["compare", str(folder), "--papers"]).stdout
    (line,) = [line for line in " ".join(shown.split()).split("Figure 5a, ") if "left out:" in line]
    assert line.startswith("Figure 5b, Figure 11: left out: the data of scripted/no-call are not where")
