"""Charts over samples: how scores spread, and whether long prompts or answers score lower."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from toolyard.charts.chart import ACCENT, PAPER, Chart, apply_theme
from toolyard.charts.vega_lite import View, constant, field, layer, view, views_side_by_side
from toolyard.core.benchmark import RunSetup
from toolyard.core.table import Table
from toolyard.report.content import Report
from toolyard.report.tables.statistics_tables import sample_score_words, sample_scores
from toolyard.stats.summary import Graded

BINS = 20
LENGTH_BINS = 8
FEWEST = 8


@dataclass(frozen=True, slots=True)
class ScoredSample:
    """One sample's own score, as the sample browser shows it, and how long its texts are."""

    score: float
    prompt_length: int
    answer_length: int


def scored_samples(report: Report) -> tuple[ScoredSample, ...]:
    """The samples that have a score."""
    items = report.graded["paper"]
    scores = sample_scores(report.setup, items)
    return tuple(
        ScoredSample(score, _prompt_length(item), _answer_length(item))
        for item, score in zip(items, scores, strict=True)
        if score is not None
    )


def _prompt_length(item: Graded) -> int:
    texts = sum(len(message.content) for message in item.transcript.messages)
    return max(0, texts - _answer_length(item))


def _answer_length(item: Graded) -> int:
    return sum(len(completion.text) for completion in item.transcript.completions)


def distribution_chart(setup: RunSetup, samples: Sequence[ScoredSample]) -> Chart | None:
    """How many samples reach which score."""
    scores = [sample.score for sample in samples]
    if len(scores) < FEWEST:
        return None
    counts, edges = np.histogram(np.clip(scores, 0, 1), bins=BINS, range=(0, 1))
    rows = [
        {"low": 100 * float(low), "high": 100 * float(high), "count": int(count)}
        for count, low, high in zip(counts, edges, edges[1:], strict=False)
    ]
    x = field(
        "low:Q",
        scale={"domain": [0, 100]},
        title="score of a sample, percent",
        axis={"grid": False, "values": [0, 20, 40, 60, 80, 100], "format": "d"},
    )
    y = field("count:Q", title="samples", axis={"tickMinStep": 1, "tickCount": 5})
    chart = view(rows).mark("rect", color=ACCENT, stroke=PAPER, strokeWidth=1.5)
    chart = chart.encode(x=x, x2=field("high:Q"), y=y, y2=constant(0)).properties(width=400, height=190)
    table_rows = tuple((f"{row['low']:.0f} to {row['high']:.0f}", row["count"]) for row in rows)
    return Chart(
        name="distribution",
        title="Score distribution",
        caption=f"Each sample by {sample_score_words(setup)}.",
        spec=apply_theme(chart),
        table=Table("Score distribution", ("percent", "samples"), table_rows),
    )


def length_chart(samples: Sequence[ScoredSample]) -> Chart | None:
    """Mean score of samples with short to long prompts and answers."""
    if len(samples) < FEWEST:
        return None
    scores = [sample.score for sample in samples]
    rows = [
        *_bin_scores("prompt", [sample.prompt_length for sample in samples], scores),
        *_bin_scores("answer", [sample.answer_length for sample in samples], scores),
    ]
    panels = []
    for what in ("prompt", "answer"):
        some = [row for row in rows if row["what"] == what]
        if len(some) > 1:
            panels.append(_length_panel(what, some))
    if not panels:
        return None
    table_rows = tuple(
        (row["what"], f"{row['length']:,.0f}", row["n"], f"{row['value']:.1f}") for row in rows
    )
    return Chart(
        name="length",
        title="Length against score",
        caption="Samples in equal parts from short to long; dots are mean scores, lines 1.96 standard errors.",
        spec=apply_theme(views_side_by_side(*panels, spacing=26)),
        table=Table("Length against score", ("text", "median characters", "n", "mean score"), table_rows),
    )


def _bin_scores(what: str, texts: Sequence[int], values: Sequence[float]) -> list[dict[str, object]]:
    """Mean score and standard error in equal parts of the samples, sorted by length."""
    lengths = np.array(texts, dtype=np.float64)
    scores = np.array(values, dtype=np.float64)
    # Not np.unique, which loads numpy's masked arrays first.
    ends = np.quantile(lengths, np.linspace(0, 1, min(LENGTH_BINS, len(values) // 4) + 1))
    cuts = np.array(sorted(set(ends.tolist())))
    places = np.clip(np.searchsorted(cuts, lengths, side="right") - 1, 0, max(0, len(cuts) - 2))
    rows = []
    for place in sorted(set(places.tolist())):
        inside = scores[places == place]
        mean = float(inside.mean())
        spread = float(1.96 * inside.std(ddof=1) / np.sqrt(len(inside))) if len(inside) > 1 else 0.0
        rows.append(
            {
                "what": what,
                "length": float(np.median(lengths[places == place])),
                "n": len(inside),
                "value": 100 * mean,
                "low": 100 * max(0.0, mean - spread),
                "high": 100 * min(1.0, mean + spread),
            }
        )
    return rows


def _length_panel(what: str, rows: list[dict[str, object]]) -> View:
    scale = {"domain": [0, 100]}
    x = field(
        "length:Q",
        scale={"zero": False, "nice": True, "padding": 8},
        title=f"characters of the {what}",
        axis={"tickCount": 4, "format": "~s", "grid": False},
    )
    y = field("value:Q", scale=scale, title="mean score" if what == "prompt" else None, axis={"tickCount": 5})
    base = view(rows)
    line = base.mark("line", color=ACCENT, strokeWidth=1.5, opacity=0.5).encode(x=x, y=y)
    bars = base.mark("rule", color=ACCENT, strokeWidth=3, opacity=0.3).encode(
        x=x, y=field("low:Q", scale=scale), y2=field("high:Q")
    )
    dots = base.mark("point", color=ACCENT, filled=True, size=44, opacity=1).encode(x=x, y=y)
    return layer(line, bars, dots).properties(width=190, height=190)
