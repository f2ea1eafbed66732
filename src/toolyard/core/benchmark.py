"""What a benchmark is: a frozen record of pure functions and names.

A benchmark lives in one folder, exports `BENCHMARK`, and is found by its folder or entry point.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from toolyard.core.metrics import Metric
from toolyard.core.types import (
    Decoding,
    Episode,
    Evidence,
    Failure,
    Json,
    Message,
    Options,
    Profile,
    Question,
    Sample,
    Score,
    Transcript,
)

Prediction: TypeAlias = Any
Embed: TypeAlias = Callable[[Sequence[str]], NDArray[np.float32]]
Ask: TypeAlias = Callable[[Sample, Prediction, Profile], tuple[Question, ...]]
Answerer: TypeAlias = Callable[[Sample, Sequence[Message], random.Random], str]


@dataclass(frozen=True, slots=True)
class Paper:
    """Where the benchmark was published."""

    title: str
    venue: str
    url: str


@dataclass(frozen=True, slots=True)
class Source:
    """One official file: where it lives, what it must hash to, where it goes."""

    url: str
    path: str
    sha256: str
    size: int
    licence: str


@dataclass(frozen=True, slots=True)
class Choice:
    """A benchmark's own option, offered as `--name VALUE` by `run`, `estimate` and `check`."""

    name: str
    help: str
    default: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Grouping:
    """A breakdown: rows by `Sample.groups[name]`, in this order of keys, with these figures each.

    Empty `keys` means all that occur, sorted; empty `figures` means all of the benchmark's.
    `figures_of` overrides `figures` for single keys.
    """

    name: str
    keys: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()
    figures_of: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Size:
    """Something that a sample or its episode has more or less of, such as turns or calls.

    `key_of` gives its number, or a range such as `3-4` or `8+`; None leaves the sample out. The report
    draws `figure` (the headline where empty) against it.
    """

    name: str
    key_of: Callable[[Sample, Score], str | None]
    figure: str = ""


@dataclass(frozen=True, slots=True)
class Rewriting:
    """A change to samples that a model may make before the run (`--rewriter MODEL`).

    `accept` gives the extra input that the model's text stands for, or why it is refused; what a refused
    sample does then is the benchmark's business and its prompt's.
    """

    applies: Callable[[Options], bool]
    prompt: Callable[[Sample], tuple[Message, ...]]
    accept: Callable[[Sample, str], Mapping[str, Json] | Failure]
    decoding: Decoding = Decoding()


@dataclass(frozen=True, slots=True)
class Scene:
    """What an episode acts on besides the model: which tools exist in which world, and what its user knows.

    `part` names the tools (a Category/Subcategory of the library, or ids); in `compatibility` mode calls may
    follow the official documents, which type everything as text and ask for credentials. `slots` are the
    user's answers by key words; a question that no slot fits is declined politely.
    """

    part: tuple[str, ...]
    seed: int = 0
    compatibility: bool = False
    slots: Mapping[str, str] = field(default_factory=dict)
    goal: str = ""
    budget_tokens: int = 1024
    fault_rate: float = 0.0


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """One row of a published table, in fractions; `None` where the paper prints nothing."""

    table: str
    model: str
    figures: Mapping[str, float | None]
    group: str = ""
    kind: str = ""
    size: float | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Deviation:
    """Where paper and released scorer differ, and by how much on the shipped data."""

    figure: str
    paper: str
    official: str
    size: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """One remark of a data audit; `severity` is `defect` or `note`.

    A gold answer that the released scorer itself marks down has the kind `official_unreadable` and the
    sample's id in `where`: `toolyard check` lists it instead of failing.
    """

    where: str
    what: str
    severity: str = "defect"
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A titled table of plain values; None prints as a dash."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Json, ...], ...]
    note: str = ""


def one_by_one(options: Options) -> bool:  # noqa: ARG001 - the signature of Benchmark.joint
    """Every sample is an episode of its own."""
    return False


@dataclass(frozen=True, slots=True)
class Benchmark:
    """Everything the runner, the scorer and the reports need to know about one benchmark."""

    name: str
    version: str
    title: str
    paper: Paper
    sources: tuple[Source, ...]
    starter: Path
    # loading: a path (folder or file) in the official form, and the benchmark's own options
    load: Callable[[Path, Options], tuple[Sample, ...]]
    # running
    prompt: Callable[[Sample, Options], tuple[Message, ...]]
    episode: Callable[[tuple[Sample, ...], Options, Benchmark], Episode]
    decoding: Decoding
    # scoring
    parse: Callable[[Sample, Transcript, Profile], Prediction]
    score: Callable[[Sample, Prediction, Mapping[str, Evidence], Profile], Score]
    metrics: tuple[Metric, ...]
    headline: str
    # what an empty answer scores; figures not named score 0
    floor: Mapping[str, float]
    oracle: Answerer
    baselines: Mapping[str, Answerer]
    # saved predictions in the official results form
    read_predictions: Callable[[Path, tuple[Sample, ...]], tuple[Transcript, ...]]
    # samples of predictions that carry their own queries and tool documents
    predicted_samples: Callable[[Path, tuple[Sample, ...]], tuple[Sample, ...]] | None = None
    read_evidence: Callable[[Path, tuple[Sample, ...]], tuple[Evidence, ...]] | None = None
    ask: Ask | None = None
    # `ask` with the user's own templates instead of the shipped ones
    asking: Callable[[Mapping[str, str]], Ask] | None = None
    judge_decoding: Decoding = Decoding()
    # judges that need no model (`--judge scripted/NAME`), to try a judged benchmark out
    scripted_judges: Mapping[str, Answerer] = field(default_factory=dict)
    # the headline of a run that no judge looked at, where the usual one needs a judge
    unjudged_headline: str = ""
    groupings: tuple[Grouping, ...] = ()
    # what the report draws success against
    sizes: tuple[Size, ...] = ()
    # the floor where it depends on the data, e.g. on how many turns want no call; instead of `floor`
    floor_of: Callable[[tuple[Sample, ...]], Mapping[str, float]] | None = None
    # figures on which by the paper's own formula even a perfect answer stays below 1
    below_one: tuple[str, ...] = ()
    # every error class with its labels, so that a label nobody earned is shown as 0
    error_labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    main_group: str = ""
    styles: tuple[str, ...] = ("default",)
    choices: tuple[Choice, ...] = ()
    # whether all samples of a cluster are one episode, in order (dialogues with their own history)
    joint: Callable[[Options], bool] = one_by_one
    # the world of an episode that calls tools; its final changes stand in Transcript.notes["world"]
    scene: Callable[[Sample, Options], Scene] | None = None
    # extra input per sample id that needs an embedding before prompting; stored and hashed
    prepare: Callable[[Path, tuple[Sample, ...], Embed, int], Mapping[str, Mapping[str, Json]]] | None = None
    rewriting: Rewriting | None = None
    templates: Mapping[str, str] = field(default_factory=dict)
    statistics: Callable[[Path, tuple[Sample, ...]], tuple[Table, ...]] | None = None
    audit: Callable[[Path, tuple[Sample, ...]], tuple[Finding, ...]] | None = None
    published: tuple[PublishedRow, ...] = ()
    deviations: tuple[Deviation, ...] = ()
    # tables beyond figures and groups that need all scores (e.g. consistency between levels)
    analysis: Callable[[Sequence[tuple[Sample, Transcript, Score]], Profile], tuple[Table, ...]] | None = None
    extras: Mapping[str, Json] = field(default_factory=dict)
    # sample id -> id of the sample whose score is counted in its place, where the released scorer mixes two up
    stand_ins: Callable[[Sequence[Sample], Profile], Mapping[str, str]] | None = None

    def worded(self, templates: Mapping[str, str]) -> Benchmark:
        """The benchmark whose questions to a judge are in the user's own words, where it lets them be."""
        if not templates or self.asking is None:
            return self
        return replace(self, ask=self.asking(templates))

    def judged_by(self, judge: str) -> Benchmark:
        """The benchmark as a run with this judge, or with none, reports it."""
        if judge or not self.unjudged_headline:
            return self
        return replace(self, headline=self.unjudged_headline)

    def metric(self, name: str) -> Metric:
        """The metric of that name."""
        return next(metric for metric in self.metrics if metric.name == name)
