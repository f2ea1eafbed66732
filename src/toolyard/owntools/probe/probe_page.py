"""A profile as one self-contained page: pictures, tables, and the samples behind each figure."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from toolyard.charts.chart import Chart, apply_theme, dots_with_intervals
from toolyard.charts.vega_lite import field, layer, step, view
from toolyard.core.table import Cell, Links, Table
from toolyard.core.types import JsonValue
from toolyard.core.untrusted.json_safe import json_safe
from toolyard.lines import indented_json, write_whole
from toolyard.owntools.matrix_charts import MOST_DRAWN, matrix_chart
from toolyard.owntools.probe.document_rewriting import Suggestion
from toolyard.owntools.probe.model_profile import MOST_IDS, Rate, ToolProfile, key_of
from toolyard.owntools.probe.sample_observations import NOTHING, UNSOLVABLE, Seen, SeenCall
from toolyard.report.charts.figure_charts import percent_axis
from toolyard.report.page.comparison_page import page_text
from toolyard.report.page.run_page import draw_charts
from toolyard.report.page.verdict_line import VerdictLine
from toolyard.report.tables.formats import percent
from toolyard.run.plan.run_config import display_name
from toolyard.stats.bootstrap import Estimate
from toolyard.text.counted_nouns import how_many

MOST_SAMPLES = 150
# Titles of tables as the bar at the top of the page shows them.
SHORT = {
    "Where it has to say no": "Saying no",
    "Right tool, by tool": "By tool",
    "Tools confused": "Confused",
    "Called without need": "Needless",
    "Wanted and not called": "Missed",
    "Parameters invented": "Invented",
    "Over turns and depth": "Decay",
    "Rewritten descriptions": "Rewritten",
}


@dataclass(frozen=True, slots=True)
class TableSize:
    """How much a table shows: rows, and samples in a cell."""

    rows: int
    ids: int


PAGE, TERMINAL = TableSize(40, MOST_IDS), TableSize(10, 1)


def render_profile(profile: ToolProfile, suggestion: Suggestion | None = None) -> str:
    """The page; what models and sources say is escaped like any text."""
    tables = [*profile_tables(profile), *([] if suggestion is None else suggestion.tables())]
    shape = f"{how_many(len(profile.tools), 'tool')}, style {profile.style}"
    return page_text(
        "parts.html.j2",
        title="Probe with your tools",
        kicker=f"{display_name(profile.model)} on {profile.source} ({shape})",
        links=[
            ("pictures", "Pictures"),
            *((f"part-{at}", SHORT.get(table.title, table.title)) for at, table in enumerate(tables, 1)),
            ("samples", "Samples"),
        ],
        verdict=_verdict_line(profile),
        charts=draw_charts(profile_charts(profile)),
        tables=tables,
        samples=[_sample_json(each) for each in _samples_to_show(profile, tables)],
    )  # fmt: skip


def _verdict_line(profile: ToolProfile) -> VerdictLine | None:
    """In how many suites the model lies above the best trivial baseline with its whole interval."""
    compared = [each for each in profile.headlines if each.baseline_value is not None]
    if not compared:
        return None
    above = [
        each
        for each in compared
        if (each.value.low or each.value.value or 0.0) > (each.baseline_value or 0.0)
    ]
    wrong = len({key_of(each) for each in _wrong_samples(profile)})
    return VerdictLine(
        len(above) == len(compared),
        f"Better than the best trivial baseline in {len(above)} of {how_many(len(compared), 'suite')}; "
        f"{wrong} of {how_many(len(profile.seen), 'sample')} went wrong.",
    )


def profile_tables(profile: ToolProfile, size: TableSize = PAGE) -> list[Table]:
    """All tables of a profile that have rows, for page and terminal."""
    tables = [
        _headline_table(profile),
        _rate_table("Where it has to say no", "what is asked of it", profile.refusals, size),
        _rate_table(
            "Right tool, by tool", "wanted tool", sorted(profile.per_tool, key=lambda rate: rate.share.value or 0), size
        ),
        *_confusion_tables(profile, size),
        Table(
            "Parameters invented", ("tool", "parameter", "what", "times", "samples"),
            tuple(
                (e.tool, e.parameter, e.kind, len(e.samples), _links(e.samples, size)) for e in profile.invented[: size.rows]
            ),
            note="A value counts as invented where it stands neither in the request nor in the dialogue so far.",
        ),
        _rate_table("Over turns and depth", "turn or depth", [*profile.turns, *profile.depths], size),
    ]  # fmt: skip
    return [table for table in tables if table.rows]


def _confusion_tables(profile: ToolProfile, size: TableSize) -> list[Table]:
    """Calls of the wrong tool, then unwanted calls, then missing calls."""
    found = profile.confusions
    return [
        _table_of_confusions(
            "Tools confused", ("wanted", "called instead"), [e for e in found if NOTHING not in e[:2]], size
        ),
        _table_of_confusions("Called without need", ("called",), [e for e in found if e[0] == NOTHING], size),
        _table_of_confusions(
            "Wanted and not called", ("wanted",), [e for e in found if e[1] == NOTHING], size
        ),
    ]


def _table_of_confusions(
    title: str, columns: tuple[str, ...], chosen: Sequence[tuple[str, str, tuple[str, ...]]], size: TableSize
) -> Table:
    rows = tuple(
        (*(shown_name(name) for name in (wanted, called) if name != NOTHING), len(ids), _links(ids, size))
        for wanted, called, ids in chosen[: size.rows]
    )
    note = f"{len(chosen) - size.rows} more: profile.json has all" if len(chosen) > size.rows else ""
    return Table(title, (*columns, "times", "samples"), rows, note)


def shown_name(name: str) -> str:
    """A tool's name; the benchmark's word for what cannot be done in plain words."""
    return "(say that it cannot be done)" if name == UNSOLVABLE else name


def _headline_table(profile: ToolProfile) -> Table:
    rows = tuple(
        (
            each.benchmark, each.figure, _percent_cell(each.value), each.samples,
            f"{each.baseline.removeprefix('scripted/')}: {percent(each.baseline_value)}" if each.baseline else "–",
        )
        for each in profile.headlines
    )  # fmt: skip
    runs = next((PurePath(each.run).parent for each in profile.headlines), "")
    note = (
        "The best trivial baseline needs no ability; a model that does not beat it has shown none. "
        f"Reports of the suites: toolyard report {runs}/*"
    )
    columns = ("suite", "metric", "percent [95 %]", "samples", "best trivial baseline")
    return Table("Metrics", columns, rows, note=note)


def _percent_cell(value: Estimate) -> Cell:
    within = "" if value.low is None else f" [{percent(value.low)}, {percent(value.high)}]"
    return Cell(f"{percent(value.value)}{within}")


def _rate_table(title: str, head: str, rates: Sequence[Rate], size: TableSize) -> Table:
    rows = tuple(
        (rate.name, _percent_cell(rate.share), rate.samples, _links(rate.wrong, size)) for rate in rates
    )
    return Table(title, (head, "percent [95 %]", "samples", "those that went wrong"), rows)


def _links(ids: Sequence[str], size: TableSize) -> Links:
    shown = tuple(dict.fromkeys(ids))
    more = len(shown) - size.ids
    return Links(shown[: size.ids], f" and {more} more" if more > 0 else "")


def profile_charts(profile: ToolProfile) -> list[Chart]:
    """The confusion matrix, and how the model decays."""
    charts = []
    if profile.confusions:
        charts.append(_confusion_chart(profile))
    for name, title, rates in (
        ("turns", "Right turns of dialogues, by turn", profile.turns),
        ("depths", "Right nested requests, by depth", profile.depths),
    ):
        if rates:
            charts.append(_decay_chart(name, title, rates))
    return charts


def _confusion_chart(profile: ToolProfile) -> Chart:
    wanted: Counter[str] = Counter(call.tool for each in profile.seen for call in each.wanted)
    missed: Counter[str] = Counter()
    for first, _, ids in profile.confusions:
        missed[first] += len(ids)
    nothing = sum(each.refuses and not each.wanted for each in profile.seen) or 1
    cells = []
    for first, second, ids in profile.confusions:
        total = nothing if first == NOTHING else wanted[first]
        cells.append((first, second, min(1.0, len(ids) / max(1, total)), str(len(ids))))
    for tool, count in wanted.items():
        right = max(0, count - missed[tool])
        cells.append((tool, tool, right / count, str(right)))
    names = [*profile.tools, UNSOLVABLE, NOTHING]
    ranked = [name for name, _ in missed.most_common(MOST_DRAWN)]
    known = set(ranked) | {second for first, second, _ in profile.confusions if first in ranked}
    order = [name for name in names if name in known][:MOST_DRAWN]
    drawn_cells = [
        (_chart_name(cell[0]), _chart_name(cell[1]), *cell[2:])
        for cell in cells
        if cell[0] in order and (cell[1] in order or cell[0] == cell[1])
    ]
    unknown = sum(len(ids) for _, second, ids in profile.confusions if second not in names)
    caption = (
        "Row: the tool that was wanted; column: the one that was called; the darker, the larger the share of the row; "
        "the diagonal is right. Numbers count calls; where the tools are too many to write them in, they stand under "
        f"Numbers. {how_many(unknown, 'call')} went to tools that do not exist."
    )
    return matrix_chart(
        "confusions",
        "Tools confused",
        caption,
        drawn_cells,
        ("wanted", "called"),
        list(map(_chart_name, order)),
    )


def _chart_name(name: str) -> str:
    return "(say no)" if name == UNSOLVABLE else name


def _decay_chart(name: str, title: str, rates: Sequence[Rate]) -> Chart:
    rows: list[dict[str, object]] = [
        {"level": rate.name, "value": 100 * rate.share.value, "low": 100 * (rate.share.low or 0),
         "high": 100 * (rate.share.high if rate.share.high is not None else rate.share.value)}
        for rate in rates
        if rate.share.value is not None
    ]  # fmt: skip
    base = view(rows).encode(y=field("level:N", sort=None, title=None))
    marks = dots_with_intervals(base, percent_axis())
    spec = apply_theme(layer(*marks).properties(width=300, height=step(26)))
    table = Table(
        title,
        ("level", "percent", "samples"),
        tuple((r.name, percent(r.share.value), r.samples) for r in rates),
    )
    return Chart(name, title, "Share of samples that are wholly right, with 95 % intervals.", spec, table)


def _samples_to_show(profile: ToolProfile, tables: Sequence[Table]) -> list[Seen]:
    """Every sample that a table leads to, and others that went wrong as long as there is room."""
    named = {
        name
        for table in tables
        for row in table.rows
        for cell in row
        if isinstance(cell, Links)
        for name in cell.names
    }
    others = [each for each in _wrong_samples(profile) if key_of(each) not in named][
        : max(0, MOST_SAMPLES - len(named))
    ]
    kept = named | {key_of(each) for each in others}
    return [each for each in profile.seen if key_of(each) in kept]


def _wrong_samples(profile: ToolProfile) -> list[Seen]:
    return [
        each for each in profile.seen if each.right is False or each.refused is False or not each.tools_right
    ]


def _sample_json(each: Seen) -> dict[str, JsonValue]:
    return {
        "anchor": key_of(each),
        "title": key_of(each),
        "parts": [
            ("Request", each.request),
            ("Wanted", _calls_text(each.wanted) or "no call, or the verdict"),
            ("Called", _calls_text(each.called) or "nothing that could be read as a call"),
            ("Answer", each.answer or "(empty)"),
            *([("Why points were lost", "\n".join(each.reasons[:8]))] if each.reasons else []),
        ],
    }


def _calls_text(calls: Sequence[SeenCall]) -> str:
    return "\n".join(
        call.tool
        if call.arguments is None
        else f"{call.tool} {json.dumps(json_safe(dict(call.arguments)), ensure_ascii=False)}"
        for call in calls
    )


def keep_profile(folder: Path, profile: ToolProfile, suggestion: Suggestion | None = None) -> None:
    """profile.html and profile.json, with a suggestion also suggestion.json and documents.patch."""
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / "profile.json", indented_json(profile.to_json()))
    write_whole(folder / "profile.html", render_profile(profile, suggestion).encode("utf-8", "replace"))
    if suggestion is not None:
        write_whole(folder / "suggestion.json", indented_json(suggestion.to_json()))
        write_whole(folder / "documents.patch", suggestion.patch.encode("utf-8", "replace"))
