"""What was published about a benchmark, and where its released scorer differs from the paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias

from toolyard.core.exhibits import Exhibits
from toolyard.core.sample_types import GoldOf, InputOf
from toolyard.core.types import Sample, Score, Transcript

# Figures that a paper prints and no metric gives, by (part of the data, figure); "" is all of the data.
Derived: TypeAlias = Mapping[tuple[str, str], float | None]
# The published figures that are no shares.
F_STATISTIC, P_VALUE = "f_statistic", "p_value"


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
    """Where paper and released scorer differ, and by how much on the shipped data."""

    figure: str
    paper: str
    official: str
    size: str = ""


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


@dataclass(frozen=True, slots=True)
class Reference(Generic[InputOf, GoldOf]):
    """The published rows, and where the released scorer differs from the paper: the profile `official`.

    `derived` gives a run's own values of printed figures that are no metric, out of groups and scores alone;
    `exhibits` the paper's figures over models, and tables that are more than the published rows.
    """

    published: tuple[PublishedRow, ...] = ()
    deviations: tuple[Deviation, ...] = ()
    setup: PaperSetup = PaperSetup()
    derived: Callable[[Sequence[tuple[Sample[InputOf, GoldOf], Transcript, Score]]], Derived] | None = None
    exhibits: Exhibits | None = None
