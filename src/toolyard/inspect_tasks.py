"""Every benchmark as a task of inspect-ai: `inspect eval toolyard/nestools --model PROVIDER/NAME`.

Settings are those of `toolyard run`, given with -T: `-T data=official -T limit=20 -T profile=official`; a
benchmark's own options too (`-T variant=no-conjunction`). Trials are inspect's epochs, the judge is its model
role `grader`. Episodes, parsing, scoring and figures are the very functions of Toolyard's own runner, so that
the same completions give the same figures.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.dataset import Sample as InspectSample
from inspect_ai.model import Model as InspectAiModel
from inspect_ai.model import ModelOutput, get_model, model_roles
from inspect_ai.scorer import Metric, SampleScore, Scorer, Target, metric, scorer
from inspect_ai.scorer import Score as InspectScore
from inspect_ai.solver import Generate, Solver, TaskState, solver

from toolyard.benchmarks import benchmark_names, load_benchmark
from toolyard.core.benchmark import Embed
from toolyard.core.metrics import Row
from toolyard.core.types import Completion, JsonValue, Profile, Record, Request, Transcript
from toolyard.lines import to_plain_json
from toolyard.models.base import Price
from toolyard.models.inspect import answer, chat_message, generate_config
from toolyard.models.judge.judge_answers import answer_questions
from toolyard.report.tables.statistics_tables import sample_scores
from toolyard.run.grade.evidence import collect_questions, evidence_book
from toolyard.run.grade.executed_calls import execute_questions
from toolyard.run.grade.grading import EvidenceBook, grade_all, score_lines
from toolyard.run.grade.scoring import require_profile
from toolyard.run.play.environment import make_environment
from toolyard.run.play.episodes import Unit, play_unit
from toolyard.run.run import Run
from toolyard.run.settings import Settings
from toolyard.run.store.records import read_score, read_transcript, transcript_line
from toolyard.stats.bootstrap import estimate
from toolyard.stats.summary import Graded

TRANSCRIPTS = "toolyard_transcripts"
SCORES = "toolyard_scores"
GRADER = "grader"
# A sample that was scored, but on which the headline is not defined by itself.
NO_NUMBER = "scored"


@cache
def plan_task_run(settings: str) -> Run:
    """The run that a task's settings (JSON) lead to; solver and scorer share it."""
    return Run.plan(Settings(model="inspect", **json.loads(settings)))


def unit_id(unit: Unit) -> str:
    """What inspect calls an episode: its sample, or its dialogue."""
    return unit.samples[0].id if len(unit.samples) == 1 else unit.samples[0].cluster


@cache
def units_by_id(settings: str) -> dict[str, Unit]:
    """The episodes of a plan by their ids."""
    return {unit_id(unit): unit for unit in plan_task_run(settings).units}


class AskedModel:
    """A model of a running inspect evaluation, as Toolyard asks it."""

    price: Price | None = None

    def __init__(self, model: InspectAiModel, plan: Run, *, is_judge: bool = False) -> None:
        self.name = str(model)
        self._model = model
        self._own = None if is_judge else plan.setup.decoding

    async def generate(self, request: Request) -> Completion:
        """The answer; the benchmark's decoding stands in the task, where the user can override it."""
        config = generate_config(request.decoding)
        if self._own is not None:
            usual = generate_config(self._own).model_dump()
            changed = {name: value for name, value in config.model_dump().items() if value != usual[name]}
            config = type(config)(**changed)
        return await answer(self._model, request, config, self.name)

    async def close(self) -> None:
        """Inspect ends its own models."""


def _play_episode(settings: str) -> Solver:
    """Plays the sample's episode with the evaluated model."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001  episodes ask the model themselves
        plan, unit = plan_task_run(settings), units_by_id(settings)[str(state.sample_id)]
        model = AskedModel(get_model(), plan)
        trial = replace(unit, trial=state.epoch - 1)
        around = make_environment(plan.setup, trial)
        transcripts = await play_unit(trial, plan.setup, model.generate, around)
        state.store.set(TRANSCRIPTS, [to_plain_json(transcript_line(item)) for item in transcripts])
        state.messages = [chat_message(message) for item in transcripts for message in item.messages]
        state.output = ModelOutput.from_content(model=model.name, content=transcripts[-1].text)
        state.completed = True
        return state

    return solve


def _make_score(settings: str, profile: str) -> Scorer:
    """Grades what the episode left, under both profiles."""

    async def score(state: TaskState, target: Target) -> InspectScore:  # noqa: ARG001  gold stays with the sample
        plan, unit = plan_task_run(settings), units_by_id(settings)[str(state.sample_id)]
        transcripts = [read_transcript(line) for line in state.store.get(TRANSCRIPTS)]
        book = await _gather_evidence(plan, unit, transcripts)
        graded = {
            each: grade_all(plan.setup, unit.samples, transcripts, book, each)
            for each in plan.benchmark.profiles
        }
        lines = [to_plain_json(line) for line in score_lines(graded)]
        return _inspect_score(plan, graded[require_profile(profile)], {SCORES: lines})

    return score


async def _gather_evidence(plan: Run, unit: Unit, transcripts: Sequence[Transcript]) -> EvidenceBook:
    asked = collect_questions(plan.setup, unit.samples, transcripts)
    if not asked:
        return {}
    # Without the role, get_model would hand out the evaluated model, and it would judge itself.
    judge = AskedModel(get_model(role=GRADER), plan, is_judge=True) if GRADER in model_roles() else None
    similar = any(item.question.kind == "similarity" for item in asked)
    found = await answer_questions(
        asked,
        judge=judge,
        embedder=_load_embedder(plan.config.embedder) if similar else None,
        decoding=plan.setup.judge_decoding,
        seed=plan.config.seed,
        embedder_name=plan.config.embedder,
    )
    return evidence_book((*execute_questions(asked), *found))


def _inspect_score(plan: Run, graded: Sequence[Graded], metadata: dict[str, JsonValue]) -> InspectScore:
    """The episode's own headline, its answer and the reasons for lost points."""
    answered = graded[-1].transcript.text
    unscored = [item.score.unscored for item in graded if item.score.unscored is not None]
    if len(unscored) == len(graded):
        return InspectScore.unscored(reason=unscored[0], answer=answered, metadata=metadata)
    known = [value for value in sample_scores(plan.setup, graded) if value is not None]
    reasons = [reason for item in graded for reason in item.score.reasons]
    return InspectScore(
        value=sum(known) / len(known) if known else NO_NUMBER,
        answer=answered,
        explanation="\n".join(reasons) or None,
        metadata=metadata,
    )


def _all_figures(benchmark: str, profile: str) -> Metric:
    """All figures of the benchmark over all samples and epochs; undefined ones are NaN."""

    def compute(scores: list[SampleScore]) -> dict[str, float]:
        chosen = require_profile(profile)
        rows = [
            row
            for item in scores
            for line in (item.score.metadata or {})[SCORES]
            for row in _scored_rows(line, chosen)
        ]
        found = estimate(load_benchmark(benchmark).scoring.metrics, rows, resamples=0)
        return {
            name: float("nan") if figure.value is None else figure.value for name, figure in found.items()
        }

    return compute


def _scored_rows(line: Record, profile: Profile) -> list[Row]:
    score = read_score(line["sample"], line["trial"], line["profiles"][profile])
    return [] if score.unscored is not None else [Row(score, line["cluster"], line["groups"])]


@cache
def _load_embedder(name: str) -> Embed:
    from toolyard.models.embed.embedding import load_embedder

    return load_embedder(name)


episode = solver(name="episode")(_play_episode)
figures = metric(name="figures", scores="unreduced")(_all_figures)


def graded_scorer(settings: str, benchmark: str, profile: str) -> Scorer:
    """The scorer of one benchmark with its figures as the metric."""
    make = scorer(name="graded", metrics=[figures(benchmark, profile)])(_make_score)
    return make(settings, profile)


def build_task(
    benchmark: str,
    data: str,
    style: str,
    limit: int | None,
    seed: int,
    profile: str,
    options: dict[str, JsonValue],
) -> Task:
    """The task: one inspect sample per episode."""
    given = {
        "benchmark": benchmark,
        "data": data,
        "style": style or None,
        "limit": limit,
        "seed": seed,
        "options": {name: str(value) for name, value in options.items()},
    }
    settings = json.dumps(given, sort_keys=True)
    plan = plan_task_run(settings)
    samples = [inspect_sample(plan, name, unit) for name, unit in units_by_id(settings).items()]
    return Task(
        dataset=MemoryDataset(samples, name=f"{benchmark}/{data}"),
        solver=episode(settings),
        scorer=graded_scorer(settings, benchmark, profile),
        config=generate_config(plan.setup.decoding),
        version=plan.benchmark.version,
        metadata={"data_sha256": plan.config.data_sha256, "templates_sha256": plan.config.templates_sha256},
    )


def inspect_sample(plan: Run, name: str, unit: Unit) -> InspectSample:
    """One episode for inspect: its first prompt to look at; gold and groups stay out of the prompt."""
    first = unit.samples[0]
    messages = [chat_message(message) for message in plan.benchmark.task.prompt(first, plan.options)]
    return InspectSample(id=name, input=messages, target="", metadata={"groups": dict(first.groups)})


def register(name: str) -> Callable[..., Task]:
    """The benchmark's task under its own name."""

    def make(
        data: str = "starter",
        style: str = "",
        limit: int | None = None,
        seed: int = 0,
        profile: str = "paper",
        **options: JsonValue,
    ) -> Task:
        return build_task(name, data, style, limit, seed, profile, options)

    return task(name=name)(make)


TASKS = {name: register(name) for name in benchmark_names()}
