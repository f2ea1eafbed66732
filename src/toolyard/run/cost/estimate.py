"""What a run would send and cost, counted by playing the run with gold answers instead of a model."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace

from toolyard.benchmarks import benchmark_names
from toolyard.core.types import Completion, JsonValue, Request, Sample, Usage
from toolyard.lines import encode
from toolyard.models.base import BATCH_DISCOUNT, Model, Price, Respond, estimated_tokens, request_tokens
from toolyard.models.batch.batch_files import FOLDER as BATCHES
from toolyard.models.http.request_settings import read_asking
from toolyard.models.loading import load_model, model_price, takes_batches
from toolyard.models.shown_tools import unseen_tools_note
from toolyard.models.spec import ModelSpec
from toolyard.run.cost.run_budget import question_tokens
from toolyard.run.grade.grading import questions_by_key
from toolyard.run.play.offline import gold_answers, play_with
from toolyard.run.run import Run
from toolyard.run.settings import Settings

# Beyond this many clusters a plan is sampled and scaled; the table says so.
COUNTED_SAMPLES = 400
# A judge gives a reason of two or three sentences and a score; how long its reply will be nobody can count.
JUDGE_REPLY_TOKENS = 128


@dataclass(frozen=True, slots=True)
class RunEstimate:
    """Samples of one benchmark's run, and the requests, tokens and money of those that are not answered yet."""

    benchmark: str
    samples: int
    requests: int
    kept: int
    prompt_tokens: int
    completion_tokens: int
    judge_requests: int
    judge_prompt_tokens: int
    judge_completion_tokens: int
    judge_cost: float | None
    # the model's and the judge's together; None where either is unknown
    cost: float | None
    # the same where the model's requests go as batch files; None where there are none for it
    batch_cost: float | None
    exact: bool
    # that the model of a run which has begun sees no tools; nobody knows before
    unseen_tools: str = ""

    def to_json(self) -> dict[str, JsonValue]:
        """Plain JSON."""
        return asdict(self)


def per_benchmark(settings: Settings) -> Iterator[Settings]:
    """The settings of each run: `all` means every benchmark that is installed, commas stand between several."""
    given = [name.strip() for name in settings.benchmark.split(",") if name.strip()]
    names = benchmark_names() if settings.benchmark == "all" else given
    return (replace(settings, benchmark=name) for name in names)


def estimate_runs(settings: Settings) -> list[RunEstimate]:
    """The estimate of each benchmark that the settings name."""
    runs = (Run.plan(each) for each in per_benchmark(settings))
    return [estimate_run(run, model_price(settings.model, run.benchmark)) for run in runs]


def load_model_of_run(run: Run, model: str | Respond = "") -> Model:
    """The run's model, with the run's limits; a Python callable may take its place."""
    settings = run.settings
    return load_model(
        model or settings.model,
        benchmark=run.benchmark,
        samples=run.samples,
        seed=settings.seed,
        style=run.options.style,
        concurrency=settings.concurrency,
        cache=settings.cache,
        batches=run.folder / BATCHES,
        batch=settings.batch,
        **settings.limits,
    )


def estimate_run(run: Run, price: Price | None) -> RunEstimate:
    """Counts the requests of (a part of) what is still to be asked; tokens at four characters each."""
    done = {key for key, item in run.store.transcripts().items() if item.error is None}
    open_keys = [key for key in run.wanted if key not in done]
    open_ids = {name for name, _ in open_keys}
    left = tuple(sample for sample in run.samples if sample.id in open_ids)
    counted = _part_of_samples(left)
    used = UsedTokens(run, counted)
    play_with(run.setup, counted, used.answer)
    scale = len(open_keys) / max(1, len(counted))
    usage = used.usage
    requests = round(used.requests * scale)
    # Nobody can count thoughts beforehand: all the room that they have is set down.
    thought = requests * thought_room(run.settings.model)
    usage = Usage(round(usage.prompt_tokens * scale), round(usage.completion_tokens * scale) + thought)
    judging = _estimate_judging(run)
    cost = None if price is None else price.cost(usage)
    total = None if cost is None or judging.cost is None else cost + judging.cost
    halved = [
        each
        for each, spec in ((cost, run.settings.model), (judging.cost, run.settings.judge))
        if each is not None and spec and takes_batches(spec)
    ]
    return RunEstimate(
        benchmark=run.benchmark.name,
        samples=len(run.wanted),
        requests=requests,
        kept=len(run.wanted) - len(open_keys),
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        judge_requests=judging.requests,
        judge_prompt_tokens=judging.usage.prompt_tokens,
        judge_completion_tokens=judging.usage.completion_tokens,
        judge_cost=judging.cost,
        cost=total,
        batch_cost=None if total is None or not halved else total - sum(halved) * BATCH_DISCOUNT,
        exact=len(open_keys) in (len(counted), run.config.trials * len(counted)),
        unseen_tools=unseen_tools_note(run.store.manifest() or {}),
    )


def thought_room(model: str) -> int:
    """Tokens of thoughts that every request may take beside its answer."""
    return read_asking(ModelSpec.parse(model)).thought_tokens or 0


def _part_of_samples(samples: tuple[Sample, ...]) -> tuple[Sample, ...]:
    clusters = list(dict.fromkeys(sample.cluster for sample in samples))
    if len(samples) <= COUNTED_SAMPLES:
        return samples
    step = -(-len(samples) // COUNTED_SAMPLES)
    taken = set(clusters[::step])
    return tuple(sample for sample in samples if sample.cluster in taken)


class UsedTokens:
    """Requests and tokens of a run whose model answers with gold: what is read each time, and answers as long as gold."""

    def __init__(self, run: Run, samples: tuple[Sample, ...]) -> None:
        self._gold = gold_answers(run.setup, samples)
        self._most = run.setup.decoding.max_tokens
        self.requests, self.usage = 0, Usage()

    def answer(self, request: Request) -> Completion:
        """The gold answer; what it takes is added."""
        completion = self._gold(request)
        written = len(completion.text) + sum(len(encode(call)) for call in completion.tool_calls)
        self.requests += 1
        self.usage += Usage(request_tokens(request), min(estimated_tokens(written), self._most))
        return completion


@dataclass(frozen=True, slots=True)
class _Judging:
    """What the judge would be asked, and its part of the price."""

    requests: int = 0
    usage: Usage = Usage()
    cost: float | None = 0.0


def _estimate_judging(run: Run) -> _Judging:
    """The questions about gold answers to all samples; repairs, which only some replies need, are not among them."""
    if not run.settings.judge:
        return _Judging()
    samples = _part_of_samples(run.samples)
    transcripts = play_with(run.setup, samples, gold_answers(run.setup, samples))
    by_id = {sample.id: sample for sample in samples}
    read = [
        question_tokens(question)
        for transcript in transcripts
        for question in questions_by_key(run.setup, by_id[transcript.sample], transcript).values()
        if question.kind == "judge"
    ]
    scale = len(run.wanted) / max(1, len(samples)) * run.config.judge_trials
    requests = round(len(read) * scale)
    reply = min(JUDGE_REPLY_TOKENS, run.setup.judge_decoding.max_tokens)
    usage = Usage(round(sum(read) * scale), requests * reply)
    price = model_price(run.settings.judge)
    if not requests:
        return _Judging()
    return _Judging(requests, usage, None if price is None else price.cost(usage))
