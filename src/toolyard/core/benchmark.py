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
from toolyard.core.checks import Oracle as Oracle
from toolyard.core.checks import Trivial as Trivial
from toolyard.core.metrics import OWN_HEADLINE, UNJUDGED_HEADLINE, Metric
from toolyard.core.pieces import PieceWriter
from toolyard.core.reference import F_STATISTIC as F_STATISTIC
from toolyard.core.reference import P_VALUE as P_VALUE
from toolyard.core.reference import Derived as Derived
from toolyard.core.reference import Deviation as Deviation
from toolyard.core.reference import PaperPrompts as PaperPrompts
from toolyard.core.reference import PaperSetup as PaperSetup
from toolyard.core.reference import Printed as Printed
from toolyard.core.reference import PublishedRow as PublishedRow
from toolyard.core.reference import Reference as Reference
from toolyard.core.reference import Source as Source
from toolyard.core.sample_types import GoldOf, InputOf, Prediction
from toolyard.core.scene import Scene as Scene
from toolyard.core.scene import SeededScene as SeededScene
from toolyard.core.scene import StyledScene as StyledScene
from toolyard.core.table import Table as Table
from toolyard.core.types import (
    PROFILES,
    Completion,
    Conversation,
    Decoding,
    Episode,
    Evidence,
    Failure,
    Generate,
    JsonValue,
    Message,
    Options,
    Profile,
    Question,
    Request,
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


@dataclass(frozen=True, slots=True)
class Paper:
    """Where the benchmark was published."""

    title: str = ""
    venue: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """A benchmark's own option, offered as `--name VALUE` by `run`, `estimate` and `check`.

    `paper` is what the published figures were made with, where that is not the default. `word` is what the command
    line calls it, where files of runs know it by another name; both are taken. Under the values in `joint`, all samples
    of a cluster are one episode, in order (dialogues with their own history).
    """

    name: str
    help: str
    default: str
    choices: tuple[str, ...] = ()
    paper: str = ""
    word: str = ""
    joint: tuple[str, ...] = ()

    @property
    def flag(self) -> str:
        """The word behind the two dashes."""
        return self.word or self.name


@dataclass(frozen=True, slots=True)
class Grouping:
    """A breakdown: rows by `Sample.groups[name]`, in this order of keys, with these figures each.

    Empty `keys` means all that occur, sorted; empty `figures` means all of the benchmark's.
    `figures_of` overrides `figures` for single keys. `main` marks the one that `--limit` takes samples from in turn;
    without a mark it is the first.
    """

    name: str
    keys: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()
    figures_of: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    main: bool = False


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
class Catalogue:
    """How many tools each sample is to be offered (`--catalogue 64`), and whether the others are near or far.

    `library` describes the tools that the world has, by id; `ids` gives those of a sample's own scene by name.
    """

    size: int
    far: bool
    seed: int
    data: Path
    library: Mapping[str, str] = field(default_factory=dict)
    ids: Callable[[Sample], Mapping[str, str]] = lambda _: {}


@dataclass(frozen=True, slots=True)
class SeenResults(Generic[InputOf, GoldOf]):
    """The styles in which a model sees what its calls return (`--perturb NAME=LEVEL`); none where `styles` is empty.

    `fields` names what the tools of a sample return; without it, the world's documents do. `entries`: a result is cut by
    its entries where it has no list.
    """

    styles: tuple[str, ...] = ()
    fields: Callable[[Sample[InputOf, GoldOf]], Mapping[str, Sequence[str]]] | None = None
    entries: bool = False


@dataclass(frozen=True, slots=True)
class Preparation(Generic[InputOf, GoldOf]):
    """Input that samples get before they are shown: what needs an embedding, by sample id, and what a model rewrites.

    It is stored and hashed. `catalogue` gives a sample as many tools as are asked for, the needed ones among them.
    `results` says in which styles a model sees what calls return, so that it can be perturbed.
    """

    embedded: Prepare[InputOf, GoldOf] | None = None
    rewriting: Rewriting[InputOf, GoldOf] | None = None
    catalogue: Callable[[Sample[InputOf, GoldOf], Catalogue], Sample[InputOf, GoldOf]] | None = None
    results: SeenResults[InputOf, GoldOf] = field(default_factory=lambda: SeenResults())


@dataclass(frozen=True, slots=True)
class SavedResults(Generic[InputOf, GoldOf]):
    """Readers of saved answers in the official results form.

    `samples` gives the samples with what the file says about them, such as its own queries and tool documents;
    `evidence` reads saved replies of a judge.
    """

    predictions: Callable[[Path, tuple[Sample[InputOf, GoldOf], ...]], tuple[Transcript, ...]]
    samples: (
        Callable[[Path, tuple[Sample[InputOf, GoldOf], ...]], tuple[Sample[InputOf, GoldOf], ...]] | None
    ) = None
    evidence: Callable[[Path, tuple[Sample[InputOf, GoldOf], ...]], tuple[Evidence, ...]] | None = None


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
class About:
    """What the benchmark is called and where it was published; `version` changes whenever a score can move."""

    name: str
    version: str
    title: str
    paper: Paper = Paper()


@dataclass(frozen=True, slots=True)
class Data(Generic[InputOf, GoldOf]):
    """Where samples come from: `load` reads a path (folder or file) in the official form.

    A folder `hard` beside the starter set is the hard set.
    """

    load: Callable[[Path, Options], tuple[Sample[InputOf, GoldOf], ...]]
    starter: Path
    sources: tuple[Source, ...] = ()
    statistics: Callable[[Path, tuple[Sample[InputOf, GoldOf], ...]], tuple[Table, ...]] | None = None
    audit: Callable[[Path, tuple[Sample[InputOf, GoldOf], ...]], tuple[Finding, ...]] | None = None
    # writes data and predictions apart into smaller sets of the same form; a cluster stays together
    divide: Callable[[Path, Path | None, PieceWriter], None] | None = None

    @property
    def hard(self) -> Path | None:
        """The hard set, where there is one."""
        folder = self.starter.parent / "hard"
        return folder if folder.is_dir() else None

    @property
    def shipped_folders(self) -> tuple[Path, ...]:
        """The sets that come with the package."""
        return (self.starter,) if self.hard is None else (self.starter, self.hard)


WAYS = "ways/"


def way_templates(texts: Mapping[str, str]) -> dict[str, str]:
    """Texts by style under the names that `Task.templates` has for them."""
    return {f"{WAYS}{style}": text for style, text in texts.items()}


def one_shot(samples: tuple[Sample, ...], setup: RunSetup) -> Episode:
    """One prompt, one answer, for each sample by itself."""
    conversations = []
    for sample in samples:
        messages = setup.benchmark.task.prompt(sample, setup.options)
        completion: Completion = yield Generate(
            Request(messages=messages, decoding=setup.decoding, sample=sample.id)
        )
        conversations.append(Conversation((*messages, completion.message), (completion,)))
    return tuple(conversations)


@dataclass(frozen=True, slots=True)
class Task(Generic[InputOf, GoldOf]):
    """What a model is asked to do, and how.

    The first of `styles` is the default. `decoding` may differ by data set: `{"": usual, "hard": more room}`.
    `scene` is the world of an episode that calls tools; its final changes stand in Transcript.notes["world"].
    A template named `ways/STYLE` is for runs in that style alone (`way_templates`): other runs do not depend on it.
    """

    prompt: Callable[[Sample[InputOf, GoldOf], Options], tuple[Message, ...]]
    episode: Callable[[tuple[Sample[InputOf, GoldOf], ...], RunSetup], Episode] = one_shot
    decoding: Decoding | Mapping[str, Decoding] = Decoding()
    styles: tuple[str, ...] = ("default",)
    choices: tuple[Choice, ...] = ()
    templates: Mapping[str, str] = field(default_factory=dict)
    variations: Mapping[str, Variation] = field(default_factory=dict)  # conclusions should stand under them
    scene: (
        Callable[[Sample[InputOf, GoldOf], Options], Scene]
        | SeededScene[InputOf, GoldOf]
        | StyledScene[InputOf, GoldOf]
        | None
    ) = None
    preparation: Preparation[InputOf, GoldOf] = Preparation()

    def scene_in(self, style: str) -> Callable[[Sample[InputOf, GoldOf], Options], Scene] | None:
        """The scenes of a style; None where it calls no tools."""
        known = self.scene
        return None if isinstance(known, StyledScene) and style not in known.styles else known

    @property
    def usual_templates(self) -> dict[str, str]:
        """The texts that every run depends on."""
        return {name: text for name, text in self.templates.items() if not name.startswith(WAYS)}

    def way_template(self, style: str) -> dict[str, str]:
        """The text of a style that has one of its own, or one for each language (`ways/code_en`)."""
        named = {
            name.removeprefix(WAYS): text for name, text in self.templates.items() if name.startswith(WAYS)
        }
        return {name: text for name, text in named.items() if name == style or name.startswith(f"{style}_")}

    def decoding_on(self, data: str = "") -> Decoding:
        """How answers to a data set are drawn."""
        if isinstance(self.decoding, Decoding):
            return self.decoding
        return self.decoding.get(data, self.decoding[""])

    def is_joint(self, options: Options) -> bool:
        """Whether all samples of a cluster are one episode."""
        return any(options.values.get(choice.name) in choice.joint for choice in self.choices)


@dataclass(frozen=True, slots=True)
class Scoring(Generic[InputOf, GoldOf, Prediction]):
    """How an answer becomes scores, and scores become metrics.

    `errors` lists every error class with its labels, so that a label nobody earned is shown as 0. `analysis` makes tables
    that need all scores, such as consistency between levels. `executions` are the calls to be made in the world
    before an answer can be called wrong. What is special about a metric is one of its tags.
    """

    parse: Callable[[Sample[InputOf, GoldOf], Transcript, Profile], Prediction]
    score: Callable[[Sample[InputOf, GoldOf], Prediction, Mapping[str, Evidence], Profile], Score]
    metrics: tuple[Metric, ...]
    headline: str
    breakdowns: tuple[Grouping | Size[InputOf, GoldOf], ...] = ()
    errors: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    analysis: (
        Callable[[Sequence[tuple[Sample[InputOf, GoldOf], Transcript, Score]], Profile], tuple[Table, ...]]
        | None
    ) = None
    executions: Callable[[Sample[InputOf, GoldOf], Prediction], tuple[Question, ...]] | None = None
    saved: SavedResults[InputOf, GoldOf] | None = None

    def metric(self, name: str) -> Metric:
        """The metric of that name."""
        return next(metric for metric in self.metrics if metric.name == name)

    def metrics_tagged(self, tag: str) -> tuple[str, ...]:
        """The names of the metrics with a tag."""
        return tuple(metric.name for metric in self.metrics if tag in metric.tags)

    @property
    def groupings(self) -> tuple[Grouping, ...]:
        """The breakdowns by a group of samples."""
        return tuple(each for each in self.breakdowns if isinstance(each, Grouping))

    @property
    def sizes(self) -> tuple[Size[InputOf, GoldOf], ...]:
        """The breakdowns by a size."""
        return tuple(each for each in self.breakdowns if isinstance(each, Size))

    @property
    def main_group(self) -> str:
        """The grouping that stands for the variety of the samples; empty where there is none."""
        groupings = self.groupings
        return next((each.name for each in (*(g for g in groupings if g.main), *groupings)), "")

    @property
    def read_predictions(
        self,
    ) -> Callable[[Path, tuple[Sample[InputOf, GoldOf], ...]], tuple[Transcript, ...]] | None:
        """The reader of saved predictions, where there is one."""
        return self.saved.predictions if self.saved is not None else None


@dataclass(frozen=True, slots=True)
class Judging(Generic[InputOf, GoldOf, Prediction]):
    """What scoring must know and cannot compute: questions for a judge or an embedder.

    `scripted` are the judges that need no model (`--judge scripted/NAME`). Templates of the judge have names that begin
    with `judge`.
    """

    ask: Ask[InputOf, GoldOf, Prediction]
    decoding: Decoding = Decoding()
    scripted: Mapping[str, Answerer[InputOf, GoldOf]] = field(default_factory=dict)


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

    def title_with_version(self, version: str, profile: Profile) -> str:
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
    def paper_prompts(self) -> PaperPrompts:
        """Which styles ask as the paper did."""
        return self.reference.setup.prompts if self.reference is not None else PaperPrompts()

    @property
    def judge_templates(self) -> tuple[str, ...]:
        """The names of the templates that are shown to a judge."""
        return tuple(name for name in self.task.templates if self.judging and name.startswith("judge"))

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
            benchmark, options or Options(style), benchmark.task.decoding_on(), "", benchmark.judge_decoding
        )

    @property
    def headline(self) -> str:
        """The metric that stands for the run; another where the usual one needs a judge and has none, or on our own data."""
        scoring = self.benchmark.scoring
        unjudged = scoring.metrics_tagged(UNJUDGED_HEADLINE) if not self.judge else ()
        own = scoring.metrics_tagged(OWN_HEADLINE) if self.own_data else ()
        return next(iter((*unjudged, *own)), scoring.headline)

    def questions(self, sample: Sample, prediction: object, profile: Profile) -> tuple[Question, ...]:
        """What scoring wants to know about one answer, in the run's own words."""
        judging, executions = self.benchmark.judging, self.benchmark.scoring.executions
        asked = () if judging is None else judging.ask(sample, prediction, profile, self.options.templates)
        if executions is None or profile != "paper":
            return asked
        return (*asked, *executions(sample, prediction))
