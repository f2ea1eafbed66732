"""Tables on a terminal: what has no room is named, numbers stay in one line."""

import pytest
from rich.console import Console

from toolyard.cli.output import print_tables
from toolyard.core.table import Table
from toolyard.report.export.terminal import Fitted, fit_to_width, rich_table
from toolyard.report.tables.comparison_tables import none_can_differ
from toolyard.report.tables.formats import above_chance
from toolyard.stats.significance import too_few_clusters

ROW = ("parameter f1", "37.8 [30.1, 45.0]", "37.8", "0.0", "37.8", "3.9", "1.9", "1.9", "0.0")
FIGURES = Table(
    "figures",
    (
        "figure",
        "paper [95 %]",
        "official",
        "above chance",
        "word-overlap",
        "random",
        "first-tool",
        "copy",
        "empty",
    ),
    (ROW,),
    "in percent",
)


def drawn(found: Fitted, width: int) -> list[str]:
    console = Console(width=width, no_color=True)
    with console.capture() as captured:
        console.print(rich_table(found.table, found.widths))
    return captured.get().splitlines()


def test_columns_without_room_are_named_and_no_number_is_broken() -> None:
    found = fit_to_width(FIGURES, 80)
    lines = drawn(found, 80)
    assert {len(line) for line in lines} == {len(lines[0])}
    assert len(lines[0]) <= 80
    assert "37.8 [30.1, 45.0]" in "\n".join(lines)
    assert found.left_out == ("first-tool", "copy", "empty")
    assert found.note == (
        "in percent; no room for first-tool, copy, empty: a wider terminal or --json shows them"
    )
    sentence = Fitted(Table("t", ("a", "b"), (), "In percent."), ("b",)).note
    assert sentence.startswith("In percent; no room for b: ")
    found = fit_to_width(FIGURES, 160)
    assert found.table is FIGURES
    assert (found.left_out, found.note) == ((), "in percent")
    assert fit_to_width(FIGURES, 10).table.columns == ("figure", "paper [95 %]")


def test_texts_are_broken_before_a_column_is_left_out_and_words_are_not() -> None:
    table = Table("t", ("name", "about", "more"), (("a", "one two three " * 9, "four five six " * 9),))
    found = fit_to_width(table, 40)
    assert found.left_out == ()
    assert all(len(line) <= 40 for line in drawn(found, 40))
    table = Table("Options", ("from", "option", "meaning"), (("model", "--per-subtask", "many words " * 20),))
    shown = fit_to_width(table, 60)
    assert shown.widths[1] >= len("--per-subtask")


def test_so_few_clusters_can_never_show_a_difference() -> None:
    assert too_few_clusters(6) == ""
    assert too_few_clusters(5) == (
        "5 clusters can never reach p < 0.05: the smallest p is 0.0625, however large the difference; "
        "6 or more are needed"
    )
    assert "with 3 tests to correct for: the smallest p is 0.09375" in too_few_clusters(6, 3)
    # beside a clearer test the correction may spare the one with fewer clusters
    assert none_can_differ([40, 6, 6]) == ""
    assert none_can_differ([6, 6, 6]).startswith("6 clusters can never reach p < 0.05, with 3 tests")
    assert none_can_differ([1]).startswith("1 cluster can never reach p < 0.05:")
    assert none_can_differ([40, 5]).startswith("5 clusters can never reach p < 0.05:")
    assert none_can_differ([]) == ""


@pytest.mark.parametrize(
    ("share", "text"), [(None, "–"), (0.0, "0.0"), (0.25, "25.0"), (-0.007, "below"), (-2.03, "below")]
)
def test_a_figure_below_chance_says_so_and_by_how_much(share: float | None, text: str) -> None:
    assert above_chance(share) == text


def test_a_pipe_gets_every_column_in_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    columns = ("model", *(f"parameter selection {number}" for number in range(9)))
    print_tables([Table("Figures", columns, (("local", *("80.0",) * 9),))])
    assert "parameter selection 8" in capsys.readouterr().out
