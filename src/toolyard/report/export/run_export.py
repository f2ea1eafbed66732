"""A run for other programs: Markdown, CSV, JSON, LaTeX, charts, ATIF, an inspect log, Hub cards; files in a folder."""

import csv
import io
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import orjson

from toolyard.core.errors import refuse_unknown
from toolyard.core.types import JsonValue
from toolyard.lines import whole_folder, write_whole
from toolyard.report.analyses import all_analyses, analysis_rows, report_json
from toolyard.report.charts.run_charts import run_charts
from toolyard.report.content import Report, load_report
from toolyard.report.export.atif_files import write_atif
from toolyard.report.export.hub_export import write_hub
from toolyard.report.export.inspect_log import write_inspect_log
from toolyard.report.export.latex import latex_tables
from toolyard.report.report_files import document_tables
from toolyard.report.tables.group_tables import group_tables_with_baselines
from toolyard.report.tables.published_tables import printed_tables
from toolyard.report.tables.run_tables import results_table
from toolyard.report.tables.statistics_tables import figures_per_sample
from toolyard.stats.bootstrap import Estimate
from toolyard.text.markdown import markdown_tables
from toolyard.text.parsing import json_safe
from toolyard.text.printable import printable_text

# Spreadsheets run cells that begin like this, and many split at other signs than commas; an apostrophe makes them text.
FORMULA = re.compile(r"(?:^|(?<=[;|\t\n]))(?=[\s\"]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\n])")


def export_run(folder: Path, form: str, out: Path) -> list[Path]:
    """The files written, in the form asked for."""
    refuse_unknown("--to", form, FORMS)
    report = load_report(folder)
    with whole_folder(out) as folder:
        written = FORMS[form](report, folder)
    return [out / path.relative_to(folder) for path in written]


def write_markdown(report: Report, out: Path) -> list[Path]:
    """report.md with figures, groups, errors, published rows, analyses and statistics."""
    return [_write_text(out / "report.md", markdown_tables(document_tables(report, all_analyses(report))))]


def write_json(report: Report, out: Path) -> list[Path]:
    """report.json: figures, groups, intervals, errors and baselines under both profiles, and every analysis."""
    data = orjson.dumps(
        json_safe(report_json(report, all_analyses(report))), option=orjson.OPT_INDENT_2
    ).decode()
    return [_write_text(out / "report.json", data + "\n")]


def write_latex(report: Report, out: Path) -> list[Path]:
    """tables.tex: the run's figures, its breakdowns, and the paper's tables with the run in them."""
    groups = [table for pair in group_tables_with_baselines(report) for table in pair if table is not None]
    tables = [results_table(report), *groups, *printed_tables(report)]
    return [_write_text(out / "tables.tex", latex_tables([*tables, *all_analyses(report)]))]


def write_charts(report: Report, out: Path) -> list[Path]:
    """Every chart as SVG and PNG."""
    written = []
    for chart in run_charts(report):
        written.append(_write_text(out / f"{chart.name}.svg", chart.svg()))
        picture = out / f"{chart.name}.png"
        write_whole(picture, chart.png())
        written.append(picture)
    return written


def write_csv(report: Report, out: Path) -> list[Path]:
    """Figures, groups, errors, samples and analyses, a file each; fractions, unrounded, empty where undefined."""
    return [
        _write_text(out / "analyses.csv", csv_text(ANALYSIS_COLUMNS, analysis_rows(all_analyses(report)))),
        _write_text(out / "figures.csv", csv_text(FIGURE_COLUMNS, figure_rows(report))),
        _write_text(out / "groups.csv", csv_text(GROUP_COLUMNS, group_rows(report))),
        _write_text(out / "errors.csv", csv_text(("profile", "class", "label", "count"), error_rows(report))),
        _write_text(out / "samples.csv", sample_csv(report)),
    ]


ANALYSIS_COLUMNS = ("analysis", "row", "column", "value")
FIGURE_COLUMNS = ("profile", "figure", "value", "low", "high", "best_baseline", "above_chance")
GROUP_COLUMNS = ("profile", "group", "key", "samples", "figure", "value", "low", "high")


def figure_rows(report: Report) -> Iterable[Sequence[JsonValue]]:
    """One row per profile and figure."""
    for profile, summary in report.summaries.items():
        for name, figure in summary.figures.items():
            chance, corrected = report.chance(name, profile), report.chance_corrected(name, profile)
            yield (profile, name, *_value_and_interval(figure), chance, corrected)


def group_rows(report: Report) -> Iterable[Sequence[JsonValue]]:
    """One row per profile, breakdown, key and figure."""
    for profile, summary in report.summaries.items():
        for group, members in summary.groups.items():
            for key, figures in members.items():
                size = summary.group_sizes.get(group, {}).get(key, 0)
                for name, figure in figures.items():
                    yield (profile, group, key, size, name, *_value_and_interval(figure))


def error_rows(report: Report) -> Iterable[Sequence[JsonValue]]:
    """One row per profile and error label."""
    for profile, summary in report.summaries.items():
        for kind, labels in summary.errors.items():
            for label, count in labels.items():
                yield (profile, kind, label, count)


def sample_csv(report: Report) -> str:
    """One row per (sample, trial): where it belongs and every figure on it alone, under both profiles."""
    names = [metric.name for metric in report.benchmark.scoring.metrics]
    groups = sorted({name for item in report.graded["paper"] for name in item.sample.groups})
    columns = [
        column
        for profile in report.graded
        for column in figures_per_sample(report.benchmark.scoring.metrics, report.graded[profile]).values()
    ]
    head = ("sample", "trial", "cluster", *(f"group_{name}" for name in groups), "unscored")
    rows = [
        (
            item.sample.id,
            item.transcript.trial,
            item.sample.cluster,
            *(item.sample.groups.get(name, "") for name in groups),
            item.score.unscored or "",
            *(column[place] for column in columns),
        )
        for place, item in enumerate(report.graded["paper"])
    ]
    return csv_text((*head, *(f"{profile}_{name}" for profile in report.graded for name in names)), rows)


def _value_and_interval(figure: Estimate) -> tuple[float | None, float | None, float | None]:
    return (figure.value, figure.low, figure.high)


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[JsonValue]]) -> str:
    """Rows as CSV; numbers unrounded, text never a formula, and nothing unseen in it."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(map(_csv_cell, columns))
    writer.writerows([_csv_cell(value) for value in row] for row in rows)
    return text.getvalue()


def _csv_cell(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return FORMULA.sub("'", printable_text(value))
    return "" if value is None else value


def _write_text(path: Path, text: str) -> Path:
    write_whole(path, text.encode("utf-8", "backslashreplace"))
    return path


FORMS: dict[str, Callable[[Report, Path], list[Path]]] = {
    "markdown": write_markdown,
    "csv": write_csv,
    "json": write_json,
    "latex": write_latex,
    "charts": write_charts,
    "atif": write_atif,
    "inspect": lambda report, out: [write_inspect_log(report, out)],
    "hub": write_hub,
}
