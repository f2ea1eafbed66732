"""What a benchmark is: a frozen record of records, most of them optional; it never changes during a run.

    BENCHMARK = Benchmark(
        about=About("mybench", "0.1.0", "My benchmark"),
        data=Data(load, starter=FOLDER / "starter"),
        task=Task(prompt),
        scoring=Scoring(parse, score, metrics=(mean("accuracy"),), headline="accuracy"),
        checks=Checks(oracle),
    )

It lives in one folder, exports `BENCHMARK`, and is found by folder or entry point. What a run chooses is its `RunSetup`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeAlias

import numpy as np
from numpy.typing import NDArray

from toolyard.core.checks import Answerer as Answerer
from toolyard.core.checks import Attack as Attack
from toolyard.core.checks import Checks as Checks
from toolyard.core.checks import Mutant as Mutant
from toolyard.core.checks import Mutations as Mutations
from toolyard.core.episodes import one_shot
from toolyard.core.metrics import Metric
from toolyard.core.pieces import PieceWriter
from toolyard.core.reference import F_STATISTIC as F_STATISTIC
from toolyard.core.reference import P_VALUE as P_VALUE
from toolyard.core.reference import Derived as Derived
from toolyard.core.reference import Deviation as Deviation
from toolyard.core.reference import PaperSetup as PaperSetup
from toolyard.core.reference import PublishedRow as PublishedRow
from toolyard.core.reference import Reference as Reference
from toolyard.core.sample_types import GoldOf, InputOf, Prediction
from toolyard.core.scene import Scene as Scene
from toolyard.core.table import Table as Table
from toolyard.core.types import (
    PROFILES,
    Decoding,
    Episode,
    Evidence,
    Failure,
    JsonValue,
    Message,
    Options,
    Profile,
    Question,
    Sample,
    Score,
    Transcript,
)
from toolyard.core.variations import Variation

Embed: TypeAlias = Callable[[Sequence[str]], NDArray[np.float32]]
Prepare: TypeAlias = Callable[
    [Path, tuple[Sample[InputOf, GoldOf], ...], Embed, int], Mapping[str, Mapping[str, JsonValue]]
]
# The last argument holds the run's own templates, over the benchmark's.
Ask: TypeAlias = Callable[
    [Sample[InputOf, GoldOf], Prediction, Profile, Mapping[str, str]], tuple[Question, ...]
]
Floor: TypeAlias = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Paper:
    """Where the benchmark was published."""

    title: str = ""
    venue: str = ""
    url: str = ""


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
    """A benchmark's own option, offered as `--name VALUE` by `run`, `estimate` and `check`.

    `paper` is what the published figures were made with, where that is not the default. `word` is what the command
    line calls it, where files of runs know it by another name; both are taken.
    """

    name: str
    help: str
    default: str
    choices: tuple[str, ...] = ()
    paper: str = ""
    word: str = ""

    @property
    def flag(self) -> str:
        """The word behind the two dashes."""
        return self.word or self.name


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
class Size(Generic[InputOf, GoldOf]):
    """Something that a sample or its episode has more or less of, such as turns or calls.

    `key_of` gives its number, or a range such as `3-4` or `8+`; None leaves the sample out. The report
    draws `figure` (the headline where empty) against it.
    """

    name: str
    key_of: Callable[[Sample[InputOf, GoldOf], Score], str | None]
    figure: str = ""


@dataclass(frozen=True, slots=True)
class Rewriting(Generic[InputOf, GoldOf]):
    """A change to samples that a model may make before the run (`--rewriter MODEL`).

    `accept` gives the extra input that the model's text stands for, or why it is refused; what a refused
    sample does then is the benchmark's business and its prompt's.
    """

    applies: Callable[[Options], bool]
    prompt: Callable[[Sample[InputOf, GoldOf]], tuple[Message, ...]]
    accept: Callable[[Sample[InputOf, GoldOf], str], Mapping[str, JsonValue] | Failure]
    decoding: Decoding = Decoding()


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


def one_by_one(options: Options) -> bool:  # noqa: ARG001 - the signature of Task.joint
    """Every sample is an episode of its own."""
    return False


@dataclass(frozen=True, slots=True)
class About:
    """What the benchmark is called and where it was published; `version` changes whenever a score can move.

    `alike` names earlier versions, and for each the styles that are asked and scored today as they were then: their runs
    are read, resumed and compared like those of this version.
    """

    name: str
    version: str
    title: str
    paper: Paper = Paper()
    alike: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Data(Generic[InputOf, GoldOf]):
    """Where samples come from: `load` reads a path (folder or file) in the official form; `prompts` hold its words."""

    load: Callable[[Path, Options], tuple[Sample[InputOf, GoldOf], ...]]
    starter: Path
    hard: Path | None = None
    sources: tuple[Source, ...] = ()
    statistics: Callable[[Path, tuple[Sample[InputOf, GoldOf], ...]], tuple[Table, ...]] | None = None
    audit: Callable[[Path, tuple[Sample[InputOf, GoldOf], ...]], tuple[Finding, ...]] | None = None
    # writes data and predictions apart into smaller sets of the same form; a cluster stays together
    divide: Callable[[Path, Path | None, PieceWriter], None] | None = None
    prompts: tuple[Source, ...] = ()

    @property
    def shipped(self) -> tuple[Path, ...]:
        """The sets that come with the package."""
        return (self.starter,) if self.hard is None else (self.starter, self.hard)


@dataclass(frozen=True, slots=True)
class Task(Generic[InputOf, GoldOf]):
    """What a model is asked to do, and how.

    `joint` says whether all samples of a cluster are one episode, in order (dialogues with their own history).
    `scene` is the world of an episode that calls tools; its final changes stand in Transcript.notes["world"].
    `seeded_world` says whether it is that of `--world-seed`.
    `prepare` gives extra input per sample id that needs an embedding before prompting; it is stored and hashed.
    `verbatim` names the styles that send the paper's own text, which only the official data hold; where other official
    files do, `official_texts` reads them out of the folder that `Data.prompts` were fetched into.
    The first of `styles` is the default; `paper_style` is the one that asks as the paper did, in our words (the first where
    empty); `former_styles` gives for what earlier runs recorded the name that it has now.
    `hard_tokens` is the room for an answer to the hard set, where gold needs more than `decoding` leaves.
    """

    prompt: Callable[[Sample[InputOf, GoldOf], Options], tuple[Message, ...]]
    episode: Callable[[tuple[Sample[InputOf, GoldOf], ...], RunSetup], Episode] = one_shot
    decoding: Decoding = Decoding()
    hard_tokens: int | None = None
    styles: tuple[str, ...] = ("default",)
    choices: tuple[Choice, ...] = ()
    templates: Mapping[str, str] = field(default_factory=dict)
    joint: Callable[[Options], bool] = one_by_one
    scene: Callable[[Sample[InputOf, GoldOf], Options], Scene] | None = None
    seeded_world: bool = False
    prepare: Prepare[InputOf, GoldOf] | None = None
    rewriting: Rewriting[InputOf, GoldOf] | None = None
    variations: Mapping[str, Variation] = field(default_factory=dict)  # conclusions should stand under them
    verbatim: tuple[str, ...] = ()
    paper_style: str = ""
    former_styles: Mapping[str, str] = field(default_factory=dict)
    official_texts: Callable[[Path], Mapping[str, str]] | None = None


@dataclass(frozen=True, slots=True)
class Scoring(Generic[InputOf, GoldOf, Prediction]):
    """How an answer becomes scores, and scores become figures.

    `floor` is what an empty answer scores (figures not named: 0), as numbers or as a function of the data.
    `below_one` names figures on which by the paper's own formula even a perfect answer stays below 1. `errors`
    lists every error class with its labels, so that a label nobody earned is shown as 0. `substitutes` gives,
    for a sample id, the id of the sample whose score the released scorer counts in its place. `printed` gives the
    values and counts of the paper's own figures alone: the same as those of `score`, without what explains them.
    """

    parse: Callable[[Sample[InputOf, GoldOf], Transcript, Profile], Prediction]
    score: Callable[[Sample[InputOf, GoldOf], Prediction, Mapping[str, Evidence], Profile], Score]
    metrics: tuple[Metric, ...]
    headline: str
    own_headline: str = ""  # on our own data, where the paper's figure is not what separates models
    groupings: tuple[Grouping, ...] = ()
    main_group: str = ""
    sizes: tuple[Size[InputOf, GoldOf], ...] = ()
    errors: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    floor: Floor | Callable[[tuple[Sample[InputOf, GoldOf], ...]], Floor] = field(default_factory=dict)
    below_one: tuple[str, ...] = ()
    # saved predictions in the official results form; some carry their own queries and tool documents
    read_predictions: Callable[[Path, tuple[Sample[InputOf, GoldOf], ...]], tuple[Transcript, ...]] | None = (
        None
    )
    predicted_samples: (
        Callable[[Path, tuple[Sample[InputOf, GoldOf], ...]], tuple[Sample[InputOf, GoldOf], ...]] | None
    ) = None
    # tables beyond figures and groups that need all scores (e.g. consistency between levels)
    analysis: (
        Callable[[Sequence[tuple[Sample[InputOf, GoldOf], Transcript, Score]], Profile], tuple[Table, ...]]
        | None
    ) = None
    substitutes: Callable[[Sequence[Sample[InputOf, GoldOf]], Profile], Mapping[str, str]] | None = None
    # what the radar shows, and figures of our own that stand beside the paper's
    capabilities: tuple[str, ...] = ()
    beyond: tuple[str, ...] = ()
    # which of the shared abilities the figures speak for, where their names do not say it
    axes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    dimensions: tuple[str, ...] = ()  # what people compare two answers by
    printed: Callable[[Sample[InputOf, GoldOf], Prediction, Profile], Score] | None = None
    # what is to be executed in the world before an answer can be called wrong
    executions: Callable[[Sample[InputOf, GoldOf], Prediction], tuple[Question, ...]] | None = None
    # why an answer that needs no ability may earn much of the headline, and the baselines of which that is true: none, all
    trivial_share: str = ""
    trivial_by: tuple[str, ...] = ()

    def metric(self, name: str) -> Metric:
        """The metric of that name."""
        return next(metric for metric in self.metrics if metric.name == name)

    def why_trivial(self, baseline: str) -> str:
        """Why a trivial baseline may earn much of the headline; empty where the benchmark does not know."""
        return self.trivial_share if not self.trivial_by or baseline in self.trivial_by else ""

    def floor_on(self, samples: tuple[Sample[InputOf, GoldOf], ...]) -> Floor:
        """What an empty answer scores on these samples."""
        return self.floor(samples) if callable(self.floor) else self.floor


@dataclass(frozen=True, slots=True)
class Judging(Generic[InputOf, GoldOf, Prediction]):
    """What scoring must know and cannot compute: questions for a judge or an embedder.

    `fallback_headline` is the headline of a run that no judge looked at, where the usual one needs a judge.
    `judged` and `similar` name the figures that need a judge or an embedder, `templates` the judge's prompts,
    `scripted` the judges that need no model (`--judge scripted/NAME`).
    """

    ask: Ask[InputOf, GoldOf, Prediction]
    decoding: Decoding = Decoding()
    scripted: Mapping[str, Answerer[InputOf, GoldOf]] = field(default_factory=dict)
    fallback_headline: str = ""
    read: Callable[[Path, tuple[Sample[InputOf, GoldOf], ...]], tuple[Evidence, ...]] | None = None
    judged: tuple[str, ...] = ()
    similar: tuple[str, ...] = ()
    templates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Benchmark(Generic[InputOf, GoldOf, Prediction]):
    """Everything the runner, the scorer and the reports need to know about one benchmark."""

    about: About
    data: Data[InputOf, GoldOf]
    task: Task[InputOf, GoldOf]
    scoring: Scoring[InputOf, GoldOf, Prediction]
    checks: Checks[InputOf, GoldOf]
    judging: Judging[InputOf, GoldOf, Prediction] | None = None
    reference: Reference[InputOf, GoldOf] | None = None

    @property
    def name(self) -> str:
        """What commands call it."""
        return self.about.name

    @property
    def version(self) -> str:
        """Changes whenever a score can move."""
        return self.about.version

    @property
    def profiles(self) -> tuple[Profile, ...]:
        """The profiles it is scored under; `official` only where there is a released scorer to equal."""
        return PROFILES if self.reference is not None else PROFILES[:1]

    def titled(self, version: str, profile: Profile) -> str:
        """Its title with a version, and the profile where there is more than one."""
        named = f", profile {profile}" if len(self.profiles) > 1 else ""
        return f"{self.about.title} {version}{named}"

    @property
    def published(self) -> tuple[PublishedRow, ...]:
        """The published rows; none where there is no paper."""
        return self.reference.published if self.reference is not None else ()

    @property
    def deviations(self) -> tuple[Deviation, ...]:
        """Where paper and released scorer differ."""
        return self.reference.deviations if self.reference is not None else ()

    @property
    def asks(self) -> bool:
        """Whether scoring has questions: for a judge, an embedder or the world."""
        return self.judging is not None or self.scoring.executions is not None

    @property
    def judge_decoding(self) -> Decoding:
        """How a judge's replies are drawn by default."""
        return self.judging.decoding if self.judging is not None else Decoding()


@dataclass(frozen=True, slots=True)
class RunSetup:
    """What one run chooses; the benchmark itself never changes."""

    benchmark: Benchmark
    options: Options
    decoding: Decoding
    judge: str = ""
    judge_decoding: Decoding = Decoding()
    own_data: bool = False

    @classmethod
    def default(cls, benchmark: Benchmark, options: Options | None = None) -> RunSetup:
        """The benchmark with its own defaults."""
        style = benchmark.task.styles[0]
        return cls(
            benchmark, options or Options(style), benchmark.task.decoding, "", benchmark.judge_decoding
        )

    @property
    def headline(self) -> str:
        """The figure that stands for the run; another where the usual one needs a judge and has none, or on our own data."""
        judging = self.benchmark.judging
        unjudged = judging.fallback_headline if judging is not None and not self.judge else ""
        scoring = self.benchmark.scoring
        return unjudged or (self.own_data and scoring.own_headline) or scoring.headline

    def questions(self, sample: Sample, prediction: object, profile: Profile) -> tuple[Question, ...]:
        """What scoring wants to know about one answer, in the run's own words."""
        judging, executions = self.benchmark.judging, self.benchmark.scoring.executions
        asked = () if judging is None else judging.ask(sample, prediction, profile, self.options.templates)
        if executions is None or profile != "paper":
            return asked
        return (*asked, *executions(sample, prediction))
