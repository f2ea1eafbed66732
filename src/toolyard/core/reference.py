"""What was published about a benchmark, and where its released scorer differs from the paper."""

import json
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, NotRequired, TypeAlias, TypedDict

from toolyard.core.exhibits import Exhibits
from toolyard.core.sample_types import GoldOf, InputOf
from toolyard.core.types import AnySample, Profile, Sample, Score, Transcript

# Figures that a paper prints and no metric gives, by (part of the data, figure); "" is all of the data.
Derived: TypeAlias = Mapping[tuple[str, str], float | None]
# The published figures that are no shares.
F_STATISTIC, P_VALUE = "f_statistic", "p_value"


@dataclass(frozen=True, slots=True)
class Source:
    """One official file: where it lives, what it must hash to, where it goes."""

    url: str
    path: str
    sha256: str
    size: int
    licence: str


def sources_at(address: str, files: Iterable[tuple[str, int, str]], licence: str) -> tuple[Source, ...]:
    """Official files below one address: the path of each there and here, its size and its sha256."""
    return tuple(Source(f"{address}/{path}", path, sha256, size, licence) for path, size, sha256 in files)


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """One row of a published table, in fractions; `None` where the paper prints nothing.

    `total` is what the figures are shares of, where the paper prints counts.
    """

    table: str
    model: str
    figures: Mapping[str, float | None]
    group: str = ""
    kind: str = ""
    size: float | None = None
    note: str = ""
    total: int | None = None


@dataclass(frozen=True, slots=True)
class Deviation:
    """Where paper and released scorer differ, and by how much on the shipped data.

    Where the released scorer counts the score of one sample for another, `substitutes` maps the second id to the first.
    """

    figure: str
    paper: str
    official: str
    size: str = ""
    substitutes: Callable[[Sequence[AnySample], Profile], Mapping[str, str]] | None = None


@dataclass(frozen=True, slots=True)
class PaperPrompts:
    """Which styles ask as the paper did.

    `style` does so in our words (empty: the first style). The `verbatim` styles send the paper's own text, which only
    the official data hold; where other official files do, `texts` reads them from the folder with the `sources`.
    """

    style: str = ""
    verbatim: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    texts: Callable[[Path], Mapping[str, str]] | None = None


@dataclass(frozen=True, slots=True)
class PaperSetup:
    """What the published figures were made with, as far as it is not in the data.

    `distractor_pool` says which tools were offered beside the gold ones where no release has them,
    `distractor_embedder` what they were found with.
    """

    judge: str = ""
    embedder: str = ""
    simulated_tools: bool = False
    distractor_pool: str = ""
    distractor_embedder: str = ""
    prompts: PaperPrompts = PaperPrompts()


@dataclass(frozen=True, slots=True)
class Printed(Generic[InputOf, GoldOf]):
    """What a paper prints beside its rows.

    `derived` gives a run's own values of printed metrics that are no metric here, from groups and scores alone. `exhibits`
    are the paper's charts over models, and tables that are more than the published rows. `score` gives the values and
    counts of the paper's own metrics alone: those of `Scoring.score` without what explains them.
    """

    derived: Callable[[Sequence[tuple[Sample[InputOf, GoldOf], Transcript, Score]]], Derived] | None = None
    exhibits: Exhibits | None = None
    score: Callable[[Sample[InputOf, GoldOf], Any, Profile], Score] | None = None


@dataclass(frozen=True, slots=True)
class Reference(Generic[InputOf, GoldOf]):
    """The published rows, and where the released scorer differs from the paper: the profile `official`."""

    published: tuple[PublishedRow, ...] = ()
    deviations: tuple[Deviation, ...] = ()
    setup: PaperSetup = PaperSetup()
    printed: Printed[InputOf, GoldOf] = Printed()


class _Model(TypedDict):
    kind: str
    size: NotRequired[float]


class _Table(TypedDict):
    table: str
    printed: str
    columns: Sequence[str]
    rows: dict[str, Sequence[float]]
    note: NotRequired[str]
    notes: NotRequired[dict[str, str]]


def read_deviations(
    path: Path, **substitutes: Callable[[Sequence[AnySample], Profile], Mapping[str, str]]
) -> tuple[Deviation, ...]:
    """The deviations of a TOML file, one table each; `substitutes` by the metric that they are about."""
    return tuple(
        Deviation(**about, substitutes=substitutes.get(about["figure"]))
        for about in tomllib.loads(path.read_text(encoding="utf-8"))["deviation"]
    )


def read_published(path: Path) -> tuple[PublishedRow, ...]:
    """The rows of a file of published tables; percentages become fractions.

        {"source": "...", "models": {"LLaMA3.1-8B": {"kind": "open", "size": 8}},
         "tables": [{"table": "Table 2", "note": "...", "notes": {"LLaMA3.1-8B": "..."}, "printed": "percent",
                     "columns": ["overall", "MNT l1_em"], "rows": {"LLaMA3.1-8B": [37.0, 53.3]}}]}

    A column is a metric, or a group and a metric with a blank between them. `printed` is `percent` or `number`.
    """
    content = json.loads(path.read_text(encoding="utf-8"))
    models: dict[str, _Model] = content["models"]
    tables: list[_Table] = content["tables"]
    return tuple(
        row for table in tables for model in table["rows"] for row in _model_rows(table, model, models[model])
    )


def _model_rows(table: _Table, model: str, about: _Model) -> Iterator[PublishedRow]:
    """One row for each group of a table's columns."""
    groups: dict[str, dict[str, float | None]] = {}
    for column, value in zip(table["columns"], table["rows"][model], strict=True):
        group, _, name = column.rpartition(" ")
        groups.setdefault(group, {})[name] = round(value / 100, 6) if table["printed"] == "percent" else value
    note = table.get("notes", {}).get(model, table.get("note", ""))
    for group, figures in groups.items():
        yield PublishedRow(
            table["table"], model, figures, group, about["kind"], size=about.get("size"), note=note
        )
