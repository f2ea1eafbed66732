"""What a run would send and cost, counted by playing the plan with gold answers instead of a model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace

from toolyard.benchmarks import benchmark_names
from toolyard.core.types import Json, Sample, Transcript, Usage
from toolyard.models.base import Model, Price, Respond, estimated_tokens
from toolyard.models.loading import load_model, price_of
from toolyard.run.grading import questions_of
from toolyard.run.offline import play_offline
from toolyard.run.plan import Plan, Wish, plan_run
from toolyard.run.pricing import question_tokens
from toolyard.run.store import RunStore

# Beyond this many clusters a plan is sampled and scaled; the table says so.
COUNTED_SAMPLES = 400
# A judge gives a reason of two or three sentences and a score; how long its reply will be nobody can count.
JUDGE_REPLY_TOKENS = 128


@dataclass(frozen=True, slots=True)
class Estimate:
    """Requests, tokens and money of one benchmark's run."""

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
    exact: bool

    def to_json(self) -> dict[str, Json]:
        """Plain JSON."""
        return asdict(self)


def wishes_of(wish: Wish) -> Iterator[Wish]:
    """One wish per benchmark: `all` means every one that is installed."""
    names = benchmark_names() if wish.benchmark == "all" else (wish.benchmark,)
    return (replace(wish, benchmark=name) for name in names)


def estimate_wishes(wish: Wish) -> list[Estimate]:
    """The estimate of each benchmark that the wish names."""
    price = price_of(wish.model)
    return [estimate_plan(plan, price) for plan in map(plan_run, wishes_of(wish))]


def load_for(plan: Plan, model: str | Respond = "") -> Model:
    """The plan's model, with the plan's limits; a Python callable may take its place."""
    wish = plan.wish
    return load_model(
        model or wish.model,
        benchmark=plan.benchmark,
        samples=plan.samples,
        seed=wish.seed,
        timeout=wish.timeout,
        concurrency=wish.concurrency,
        cache=wish.cache,
    )


def estimate_plan(plan: Plan, price: Price | None) -> Estimate:
    """Counts the requests of (a part of) the plan; tokens at four characters each."""
    done = {key for key, item in RunStore(plan.folder).transcripts().items() if item.error is None}
    counted = _part(plan.samples)
    transcripts = play_offline(plan.setup, counted, plan.benchmark.checks.oracle)
    trials = plan.config.trials
    scale = trials * len(plan.samples) / max(1, len(counted))
    usage = usage_of(transcripts, plan.setup.decoding.max_tokens)
    usage = Usage(round(usage.prompt_tokens * scale), round(usage.completion_tokens * scale))
    judging = _judging(plan, counted, transcripts, scale)
    cost = None if price is None else price.cost(usage)
    return Estimate(
        benchmark=plan.benchmark.name,
        samples=len(plan.samples) * trials,
        requests=round(sum(len(item.completions) for item in transcripts) * scale),
        kept=sum((sample.id, unit.trial) in done for unit in plan.units for sample in unit.samples),
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        judge_requests=judging.requests,
        judge_prompt_tokens=judging.usage.prompt_tokens,
        judge_completion_tokens=judging.usage.completion_tokens,
        judge_cost=judging.cost,
        cost=None if cost is None or judging.cost is None else cost + judging.cost,
        exact=len(counted) == len(plan.samples),
    )


def _part(samples: tuple[Sample, ...]) -> tuple[Sample, ...]:
    clusters = list(dict.fromkeys(sample.cluster for sample in samples))
    if len(samples) <= COUNTED_SAMPLES:
        return samples
    step = -(-len(samples) // COUNTED_SAMPLES)
    taken = set(clusters[::step])
    return tuple(sample for sample in samples if sample.cluster in taken)


def usage_of(transcripts: Sequence[Transcript], max_tokens: int) -> Usage:
    """Tokens read over all turns, and written by answers as long as the gold ones."""
    total = Usage()
    for transcript in transcripts:
        written = [estimated_tokens(len(completion.text)) for completion in transcript.completions]
        read, sent = 0, 0
        for message in transcript.messages:
            if message.role == "assistant" and sent < len(written):
                total += Usage(read, min(written[sent], max_tokens))
                sent += 1
            read += estimated_tokens(len(message.content))
    return total


@dataclass(frozen=True, slots=True)
class _Judging:
    """What the judge would be asked, and its part of the price."""

    requests: int = 0
    usage: Usage = Usage()
    cost: float | None = 0.0


def _judging(
    plan: Plan, samples: tuple[Sample, ...], transcripts: Sequence[Transcript], scale: float
) -> _Judging:
    """The questions about gold answers; repairs, which only some replies need, are not among them."""
    if not plan.wish.judge:
        return _Judging()
    by_id = {sample.id: sample for sample in samples}
    read = [
        question_tokens(question)
        for transcript in transcripts
        for question in questions_of(plan.setup, by_id[transcript.sample], transcript).values()
        if question.kind == "judge"
    ]
    scale *= plan.config.judge_trials
    requests = round(len(read) * scale)
    reply = min(JUDGE_REPLY_TOKENS, plan.setup.judge_decoding.max_tokens)
    usage = Usage(round(sum(read) * scale), requests * reply)
    price = price_of(plan.wish.judge)
    if not requests:
        return _Judging()
    return _Judging(requests, usage, None if price is None else price.cost(usage))
