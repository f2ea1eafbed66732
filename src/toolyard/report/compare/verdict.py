"""Whether a run compares with the published rows, and every reason why not."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from toolyard.benchmarks import load_benchmark
from toolyard.core import metrics
from toolyard.core.benchmark import Benchmark, PaperSetup
from toolyard.core.errors import ToolyardError, UsageError
from toolyard.core.types import Decoding
from toolyard.models.spec import ModelSpec
from toolyard.report.content import Report
from toolyard.run.grade.evidence import NO_EMBEDDER
from toolyard.run.plan.data_sources import data_path
from toolyard.run.plan.run_config import RunConfig, path_sha256
from toolyard.run.store.prediction_runs import PREDICTIONS

JUDGED, SIMILAR = "judged metrics", "metrics by similarity"


@dataclass(frozen=True, slots=True)
class Difference:
    """One way in which a run was made unlike the paper's; `figures` are those it touches, empty for all."""

    what: str
    how: str
    figures: tuple[str, ...] = ()
    whose: str = ""

    def touches(self, figure: str) -> bool:
        """Whether the figure would have come out otherwise."""
        return not self.figures or figure in self.figures


@dataclass(frozen=True, slots=True)
class FigureVerdict:
    """Figures that differ from the paper's for the same reasons, or for none."""

    figures: tuple[str, ...]
    reasons: tuple[Difference, ...]

    def own_reasons(self, common: Sequence[Difference]) -> str:
        """The verdict on these figures in a few words, where the reasons that all figures share stand already."""
        own = ", ".join(reason.what for reason in self.reasons if reason not in common)
        if common:
            return f"also: {own}" if own else "nothing else"
        return f"not comparable: {own}" if own else "comparable"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What differs from the paper, and for which of the published figures."""

    found: tuple[Difference, ...]
    figures: tuple[str, ...] = ()

    @property
    def differences(self) -> tuple[tuple[str, str], ...]:
        """Each difference as `(what, how)`."""
        return tuple((item.what, item.how) for item in self.found)

    @property
    def comparable(self) -> bool:
        """Whether the run was made the way the paper's was, for all its figures."""
        return not self.found

    @property
    def common(self) -> tuple[Difference, ...]:
        """The differences that touch every figure."""
        return tuple(item for item in self.found if all(map(item.touches, self.figures)))

    @property
    def groups(self) -> tuple[FigureVerdict, ...]:
        """The figures by their reasons, in the paper's order; one group where all share theirs."""
        members: dict[tuple[Difference, ...], list[str]] = {}
        for figure in self.figures:
            reasons = tuple(item for item in self.found if item.touches(figure))
            members.setdefault(reasons, []).append(figure)
        return tuple(FigureVerdict(tuple(names), reasons) for reasons, names in members.items())

    @property
    def line(self) -> str:
        """The verdict in one line."""
        if self.comparable:
            return "comparable: the official data, the paper's prompts and settings"
        common = ", ".join(item.what for item in self.common)
        own: dict[str, list[str]] = {}
        for item in self.found:
            if item not in self.common:
                own.setdefault(item.whose, []).append(item.what)
        apart = [f"{whose}{' also' if common else ''}: {', '.join(names)}" for whose, names in own.items()]
        first = [f"not comparable: {common}"] if common else []
        return "; ".join([*first, *apart]) if common else "comparable except " + "; ".join(apart)

    def among(self, figures: Iterable[str]) -> "Verdict":
        """The verdict on these figures alone, e.g. those of one published table; on all where it has none of them."""
        chosen = tuple(name for name in figures if name in self.figures)
        if not chosen:
            return self
        return Verdict(tuple(item for item in self.found if any(map(item.touches, chosen))), chosen)

    def to_json(self) -> dict[str, object]:
        """The line, and the reasons of each figure; no reason where it compares."""
        reasons = {
            figure: [item.what for item in group.reasons] for group in self.groups for figure in group.figures
        }
        return {"line": self.line, "figures": {figure: reasons[figure] for figure in self.figures}}


def paper_verdict(report: Report) -> Verdict:
    """Data, part, prompts, settings, judge, embedder and tools of the run against those of the paper.

    The paper's own judge, embedder and tools stand in the benchmark's `reference.setup`, the figures that rest on
    them in its `judging`.
    """
    config, benchmark = report.run.config, report.benchmark
    found = (
        *data_differences(benchmark, config),
        *made_differences(benchmark, config),
        *reasoning_differences(report),
        *differences_of_judge(report),
        *embedder_differences(report),
        *tool_differences(benchmark),
        *distractor_differences(report),
        *missing_differences(report),
    )
    return Verdict(found, published_figures(benchmark))


def published_figures(benchmark: Benchmark) -> tuple[str, ...]:
    """The benchmark's figures that the paper prints, in its order."""
    known = {metric.name for metric in benchmark.scoring.metrics}
    printed = dict.fromkeys(name for row in benchmark.published for name in row.figures)
    return tuple(name for name in printed if name in known)


def data_differences(benchmark: Benchmark, config: RunConfig) -> tuple[Difference, ...]:
    """Other data than the official files, or a part of them."""
    found = []
    if not is_official_data(benchmark, config):
        how = f"{config.data} (sha256 {config.data_sha256[:12]}…) is not the official release"
        found.append(Difference("other data", how))
    if config.minutes is not None:
        found.append(Difference("a part of the data", "--minutes: the published rows stand on all of it"))
    if config.limit is not None or config.budget is not None or config.ids:
        limit = f"--limit {config.limit}{' --shortest' if config.shortest else ''}"
        part = limit if config.limit is not None else f"{len(config.ids)} chosen ids"
        part = part if config.budget is None else f"--budget {config.budget}"
        found.append(Difference("a part of the data", f"{part}: the published rows use all of it"))
    return tuple(found)


def is_official_data(benchmark: Benchmark, config: RunConfig) -> bool:
    """Whether the data that the run read hold the benchmark's pinned files, hash for hash."""
    if not benchmark.data.sources:
        return config.data == "official"
    try:
        root = data_path(benchmark, config.data)
    except ToolyardError:
        return False
    if path_sha256(root) != config.data_sha256:
        return False
    if root.is_file():
        return config.data_sha256 in {source.sha256 for source in benchmark.data.sources}
    return all(_holds_file(root, source.path, source.sha256) for source in benchmark.data.sources)


def _holds_file(root: Path, path: str, sha256: str) -> bool:
    candidates = (root / path, root / Path(path).name)
    return any(file.is_file() and path_sha256(file) == sha256 for file in candidates)


def made_differences(benchmark: Benchmark, config: RunConfig) -> tuple[Difference, ...]:
    """How the answers were requested; unknown for saved answers."""
    if ModelSpec.parse(config.model).kind == PREDICTIONS:
        how = "saved predictions: the prompts, settings and decoding behind them are not known here"
        return (Difference("answers from elsewhere", how),)
    return (*prompt_differences(benchmark, config), *setting_differences(benchmark, config))


def prompt_differences(benchmark: Benchmark, config: RunConfig) -> tuple[Difference, ...]:
    """The shipped templates are our own wording; a user's may be the paper's, which cannot be checked here."""
    if config.style in benchmark.paper_prompts.verbatim and is_official_data(benchmark, config):
        return ()
    asked = benchmark.judge_templates
    return _changed_templates(
        "prompts", [name for name in benchmark.task.usual_templates if name not in asked], config
    )


def _changed_templates(
    what: str, templates: Sequence[str], config: RunConfig, figures: tuple[str, ...] = ()
) -> tuple[Difference, ...]:
    if not templates:
        return ()
    whose = JUDGED if figures else ""
    kept = sum(name not in config.texts for name in templates)
    if not kept:
        how = "every template was replaced with --templates; comparable if they are the paper's"
        return (Difference(f"your {what}", how, figures, whose),)
    how = (
        f"{kept} of {len(templates)} templates are worded by Toolyard under the paper's contract, "
        "not the paper's text; --templates DIR replaces them"
    )
    return (Difference(f"our {what}", how, figures, whose),)


def setting_differences(benchmark: Benchmark, config: RunConfig) -> tuple[Difference, ...]:
    """Style, the benchmark's own options and decoding that are not the paper's."""
    found = []
    papers = benchmark.paper_prompts.style or benchmark.task.styles[0]
    if config.style not in (papers, *benchmark.paper_prompts.verbatim):
        found.append(Difference("other style", f"style {config.style}; the paper's is {papers}"))
    paper = {choice.name: choice.paper or choice.default for choice in benchmark.task.choices}
    changed = {name: value for name, value in config.options.items() if value != paper.get(name)}
    if changed:
        listed = ", ".join(
            f"--{name} {value} instead of {paper.get(name, 'none')}" for name, value in changed.items()
        )
        found.append(Difference("other options", listed))
    decoding = paper_decoding(benchmark)
    if config.decoding != decoding:
        found.append(
            Difference(
                "other decoding",
                f"temperature {config.decoding.temperature:g}, {config.decoding.max_tokens} tokens; the paper's: "
                f"temperature {decoding.temperature:g}, {decoding.max_tokens} tokens",
            )
        )
    return tuple(found)


def reasoning_differences(report: Report) -> tuple[Difference, ...]:
    """Reasoning with a token limit of its own, which no model of these papers had."""
    serving, usage = report.manifest.get("serving") or {}, report.manifest.get("usage") or {}
    room, thought = serving.get("reasoning_tokens") or 0, usage.get("reasoning_tokens") or 0
    if not room and not thought:
        return ()
    effort = f", effort {serving['reasoning']}" if serving.get("reasoning") else ""
    how = f"{thought} tokens of thoughts, {room} allowed beside each answer{effort}; the paper's models had none"
    return (Difference("reasoning budget", how),)


def paper_decoding(benchmark: Benchmark) -> Decoding:
    """The decoding that the benchmark declares; the record of a run may carry the user's instead."""
    try:
        return load_benchmark(benchmark.name).task.decoding_on()
    except UsageError:
        return benchmark.task.decoding_on()


def paper_setup(benchmark: Benchmark) -> PaperSetup:
    """What the published figures were made with."""
    return benchmark.reference.setup if benchmark.reference is not None else PaperSetup()


def differences_of_judge(report: Report) -> tuple[Difference, ...]:
    """Another judge than the paper's, asked in other words or at another temperature; or none."""
    benchmark, config = report.benchmark, report.run.config
    wanted = paper_setup(benchmark).judge
    if not wanted or benchmark.judging is None:
        return ()
    figures = benchmark.scoring.metrics_tagged(metrics.JUDGED)
    whose, used = (JUDGED if figures else ""), report.manifest.get("judge") or ""
    if not used:
        how = f"judged metrics are left out; the paper's judge is {wanted}"
        return (Difference("no judge", how, figures, whose),)
    found = list(_changed_templates("judge prompts", benchmark.judge_templates, config, figures))
    if str(wanted) not in used:
        found.append(Difference("other judge", f"{used} instead of {wanted}", figures, whose))
    given, declared = config.judge_decoding.temperature, benchmark.judge_decoding.temperature
    if given != declared:
        how = f"the judge answered at temperature {given:g}; the paper's: {declared:g}"
        found.append(Difference("other judge temperature", how, figures, whose))
    return tuple(found)


def embedder_differences(report: Report) -> tuple[Difference, ...]:
    """Another embedder than the paper's, or none, where figures rest on similarities."""
    wanted = paper_setup(report.benchmark).embedder
    figures = report.benchmark.scoring.metrics_tagged(metrics.SIMILAR)
    used = str(report.manifest.get("similarity") or NO_EMBEDDER)
    if not wanted or str(wanted).lower() in used.lower():
        return ()
    if used == NO_EMBEDDER:
        return (Difference("no embedder", f"the paper's embedder is {wanted}", figures, SIMILAR),)
    return (Difference("other embedder", f"{used} instead of {wanted}", figures, SIMILAR),)


def tool_differences(benchmark: Benchmark) -> tuple[Difference, ...]:
    """Tools that are simulated where the paper's were live."""
    if not paper_setup(benchmark).simulated_tools:
        return ()
    return (
        Difference(
            "simulated tools", "calls are answered by executable worlds, not by the paper's live services"
        ),
    )


def distractor_differences(report: Report) -> tuple[Difference, ...]:
    """Distractor tools that differ from the paper's because another embedder chose them."""
    setup = paper_setup(report.benchmark)
    if not setup.distractor_pool:
        return ()
    found = [Difference("other distractor pool", setup.distractor_pool)]
    wanted, used = setup.distractor_embedder, report.run.config.embedder
    if wanted and wanted.lower() not in used.lower():
        how = f"distractors found by {used} instead of {wanted}, unless the data name them"
        found.append(Difference("other distractor embedder", how))
    return tuple(found)


def missing_differences(report: Report) -> tuple[Difference, ...]:
    """Too many samples without a score."""
    summary = report.summaries.get("official", report.summaries["paper"])
    if not summary.withheld:
        return ()
    total = summary.samples + summary.unscored
    return (Difference("unscored samples", f"{summary.unscored} of {total} samples have no score"),)
