"""The record of a benchmark: how many fields it has, which a plug-in must fill, and what tags of metrics do."""

from collections.abc import Iterator
from dataclasses import MISSING, Field, fields, replace
from pathlib import Path
from typing import Any

import pytest

from toolyard.core.benchmark import About, Checks, Data, Judging, Reference, RunSetup, Scoring, Task
from toolyard.core.metrics import OWN_HEADLINE, UNJUDGED_HEADLINE, mean, tag_metrics
from toolyard.report.compare.capability import axis_figures
from toy_benchmark import toy_benchmark

DOCS = Path(__file__).parents[1] / "docs" / "extending.md"
PARTS = (About, Data, Task, Scoring, Checks, Judging, Reference)


def record_fields() -> Iterator[tuple[type, Field[Any]]]:
    return ((part, each) for part in PARTS for each in fields(part))


def test_a_record_has_forty_fields_and_a_plug_in_fills_twelve() -> None:
    assert sum(1 for _ in record_fields()) <= 40
    needed = [
        each.name
        for part, each in record_fields()
        if part not in (Judging, Reference) and each.default is MISSING and each.default_factory is MISSING
    ]
    assert [*needed, "baselines"] == [
        "name", "version", "title", "load", "starter", "prompt", "parse", "score", "metrics", "headline", "oracle",
        "baselines",
    ]  # fmt: skip


def test_the_page_for_authors_names_every_field() -> None:
    text = DOCS.read_text(encoding="utf-8")
    assert [each.name for _, each in record_fields() if each.name not in text] == []


def test_tags_choose_the_headline_and_the_ability(tmp_path: Path) -> None:
    toy = toy_benchmark(tmp_path)
    metrics = (mean("accuracy"), mean("other").with_tags(OWN_HEADLINE, "honesty"))
    tagged = replace(toy, scoring=replace(toy.scoring, metrics=metrics))
    setup = RunSetup.default(tagged)
    assert (setup.headline, replace(setup, own_data=True).headline) == ("accuracy", "other")
    unjudged = replace(
        tagged, scoring=replace(tagged.scoring, metrics=tag_metrics(metrics, {UNJUDGED_HEADLINE: ["other"]}))
    )
    asked = RunSetup.default(unjudged)
    assert (asked.headline, replace(asked, judge="j").headline) == ("other", "accuracy")
    assert (axis_figures(tagged, "honesty"), axis_figures(toy, "honesty")) == (("other",), ())


def test_a_tag_for_a_metric_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="no metric is called tone"):
        tag_metrics([mean("accuracy")], {"judged": ("tone",)})
