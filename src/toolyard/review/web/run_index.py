"""What the index says of each run, and of those that are not as they should be: what is wrong with them."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias
from urllib.parse import quote

from toolyard.benchmarks import benchmark_names, load_benchmark
from toolyard.core.errors import DataError
from toolyard.core.ordered_sums import group_items
from toolyard.core.types import JsonValue
from toolyard.report.page.run_page import Assets, join_assets, page_environment
from toolyard.report.report_files import PAGE, REPORT
from toolyard.report.tables.formats import percent, words
from toolyard.review.web.page_policy import is_of_this_version
from toolyard.review.web.run_files import RunFolder, Stamp
from toolyard.run.plan.former_manifests import current_style
from toolyard.run.store.run_directory import MANIFEST, SCORES

LONGEST_TEXT = 200
LARGEST_NUMBER = 1000


@dataclass(frozen=True, slots=True)
class RunEntry:
    """One run as the index lists it: `place` sorts it by its figure, `remarks` say what is wrong or missing."""

    name: str
    benchmark: str
    model: str
    setup: str
    data: str
    figure: str
    value: str
    place: str
    interval: str
    samples: str
    finished: str
    link: str
    comparable: bool
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RunJson:
    """The JSON files of a run, empty where they cannot be read, and why they cannot."""

    manifest: dict[str, JsonValue]
    report: dict[str, JsonValue]
    remarks: tuple[str, ...]


def index_entry(run: RunFolder) -> RunEntry:
    """What the index says of a run; a run without a report is listed by its manifest."""
    found = run_json(run)
    figure = text_at_keys(found.report, "headline")
    paper = nested_value(found.report, "profiles", "paper")
    samples = nested_value(paper, "samples")
    withheld = found.report.get("withheld") is True
    value = None if withheld else number_at_keys(paper, "figures", figure)
    return RunEntry(
        name=utf8_text(run.name),
        benchmark=text_at_keys(found.manifest, "identity", "benchmark"),
        model=text_at_keys(found.manifest, "identity", "model").partition("?")[0] or "unknown model",
        setup=manifest_style(found.manifest),
        data=text_at_keys(found.manifest, "data").rstrip("/").rpartition("/")[2],
        figure=words(figure),
        value="withheld" if withheld else percent(value),
        place="" if value is None else f"{value:.6f}",
        interval=interval_text(nested_value(paper, "intervals", "figures", figure)),
        samples=f"{samples:,}" if type(samples) is int else "–",
        finished=(text_at_keys(found.manifest, "finished") or "not finished")[:16].replace("T", " "),
        link=run_page_link(run),
        comparable=bool(found.manifest) and run.has(SCORES),
        remarks=tuple(map(utf8_text, (*found.remarks, *page_remarks(run)))),
    )  # fmt: skip


def manifest_style(manifest: dict[str, JsonValue]) -> str:
    """The style that a manifest records, by its name of today."""
    style, benchmark = (text_at_keys(manifest, "identity", name) for name in ("style", "benchmark"))
    return current_style(benchmark, style)


def run_json(run: RunFolder) -> RunJson:
    """Manifest and report; the report's copy of the manifest where the file is not there to be read."""
    read: dict[str, dict[str, JsonValue]] = {MANIFEST: {}, REPORT: {}}
    remarks = []
    for file in read:
        try:
            read[file] = run.json(file) if run.has(file) else {}
        except DataError as error:
            remarks.append(str(error))
    copy = read[REPORT].get("manifest")
    manifest = read[MANIFEST] or (copy if isinstance(copy, dict) else {})
    return RunJson(manifest, read[REPORT], tuple(remarks) or tuple(_missing_parts(manifest, read[REPORT])))


def _missing_parts(manifest: dict[str, JsonValue], report: dict[str, JsonValue]) -> Iterator[str]:
    for key in ("benchmark", "model"):
        if not text_at_keys(manifest, "identity", key):
            yield f"{MANIFEST} does not say its {key} in identity"
    figures = nested_value(report, "profiles", "paper", "figures")
    if report and report.get("withheld") is not True and not isinstance(figures, dict):
        yield f"{REPORT} holds no metrics under the paper profile"


def page_remarks(run: RunFolder) -> tuple[str, ...]:
    """What to know of the run's page before it is opened."""
    if not run.has(PAGE):
        return ()
    again = f"toolyard report {shlex.quote(str(run.path))}"
    try:
        with run.open_file(PAGE) as page:
            if is_of_this_version(page):
                return ()
    except DataError as error:
        return (str(error),)
    return (f"page of another version, shown without its sample browser; write it again: {again}",)


def run_page_link(run: RunFolder) -> str:
    """The address of the run's page, which is drawn when it is opened; empty where something else has its name."""
    try:
        address = f"/runs/{quote(run.name, safe='')}/{PAGE}"
        if not run.has(PAGE):
            return address
        with run.open_file(PAGE):
            return address
    except (DataError, UnicodeEncodeError):
        return ""


def nested_value(value: JsonValue, *keys: str) -> JsonValue:
    """What the keys lead to, None where they lead nowhere."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def text_at_keys(value: JsonValue, *keys: str) -> str:
    """A text, empty where there is something else."""
    found = nested_value(value, *keys)
    return utf8_text(found)[:LONGEST_TEXT] if isinstance(found, str) else ""


def number_at_keys(value: JsonValue, *keys: str) -> float | None:
    """A number, None where there is something else."""
    return share_or_none(nested_value(value, *keys))


def share_or_none(value: JsonValue) -> float | None:
    """The value where it is a number that can be a share."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if abs(value) <= LARGEST_NUMBER else None


def interval_text(value: JsonValue) -> str:
    """Both ends, empty where they are not two numbers."""
    if not isinstance(value, list) or len(value) != 2:
        return ""
    low, high = map(share_or_none, value)
    return "" if low is None or high is None else f"{percent(low)} – {percent(high)}"


def utf8_text(text: str) -> str:
    """Text that UTF-8 can hold: a file's name need not be."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


Known: TypeAlias = dict[RunFolder, tuple[tuple[Stamp, ...], RunEntry]]


class KnownRuns:
    """What the index says of each run, read again only when one of the run's files is another."""

    def __init__(self) -> None:
        self._known: Known = {}

    def entries(self, runs: Sequence[RunFolder]) -> list[RunEntry]:
        """One entry per run, in order; runs that are gone are forgotten."""
        found: Known = {}
        for run in runs:
            # Stamped before it is read: a file that changes meanwhile is read once more, never kept stale.
            stamps = tuple(run.stamp(file) for file in (REPORT, MANIFEST, PAGE))
            before = self._known.get(run)
            found[run] = before if before and before[0] == stamps else (stamps, index_entry(run))
        self._known = found
        return [entry for _, entry in found.values()]


@cache
def index_assets() -> Assets:
    """The index's style, and the script that sorts it and gathers what is ticked."""
    return join_assets(("base.css", "tables.css", "index.css"), ("index.js",))


def index_page(entries: Sequence[RunEntry]) -> str:
    """All runs, grouped by benchmark."""
    groups = group_items(entries, lambda entry: entry.benchmark)
    parts = index_assets()
    # Those without a name come last.
    ordered = dict(sorted(groups.items(), key=lambda group: (not group[0], group[0])))
    template = page_environment().get_template("index.html.j2")
    titles = {name: benchmark_title(name) for name in ordered}
    content = {"style": parts.style, "script": parts.script, "policy": parts.policy}
    return template.render(groups=ordered, titles=titles, **content)


def benchmark_title(benchmark: str) -> str:
    """What the benchmark calls itself; the name in the run's files where it is not installed here."""
    return load_benchmark(benchmark).about.title if benchmark in benchmark_names() else benchmark
