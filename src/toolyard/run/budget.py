"""Money set aside before it is spent: for one more episode, and for the judging of what was answered."""

from __future__ import annotations

from collections.abc import Callable

from toolyard.core.types import Transcript, Usage
from toolyard.models.base import Model, Price, estimated_tokens
from toolyard.run.episodes import Unit
from toolyard.run.evidence import Instruments, pending
from toolyard.run.grading import questions_of
from toolyard.run.plan import Plan
from toolyard.run.pricing import dearest_reply, known_price, price_of_judge
from toolyard.run.store import RunStore
from toolyard.run.tally import Tally


def refuse_unpriced(plan: Plan, model: Model, instruments: Instruments) -> None:
    """A limit that could not be kept is refused before anything is sent."""
    if plan.wish.max_cost is None:
        return
    known_price(model.price, "model")
    if instruments.judge is not None and plan.benchmark.judging is not None:
        price_of_judge(instruments.judge)


def reserve(plan: Plan, unit: Unit, tally: Tally) -> float | None:
    """Money set aside for one more episode: prompt, full answer, judging; None where the limit forbids it."""
    limit = plan.wish.max_cost
    if limit is None:
        return 0.0
    read = sum(
        estimated_tokens(len(message.content))
        for sample in unit.samples
        for message in plan.benchmark.task.prompt(sample, plan.options)
    )
    answer = tally.cost_of(Usage(read, plan.setup.decoding.max_tokens * len(unit.samples))) or 0.0
    # What the judge will read is not known before the answer is: the dearest so far stands for it.
    expected = answer + tally.dearest * len(unit.samples)
    if (tally.cost or 0.0) + tally.owed + tally.reserved + expected > limit:
        tally.refused = True
        return None
    tally.reserved += expected
    return expected


def owe_judging(plan: Plan, store: RunStore, instruments: Instruments, tally: Tally) -> None:
    """Makes the tally count what judging will cost: that of earlier answers now, that of each new one later."""
    judge = instruments.judge
    if plan.wish.max_cost is None or judge is None or plan.benchmark.judging is None:
        return
    price = price_of_judge(judge)
    earlier = pending(plan.setup, plan.samples, store, instruments)
    tally.owed = sum(dearest_reply(item.question, price, instruments.decoding) for item in earlier)
    tally.owes = _judging_of(plan, price, instruments)


def _judging_of(plan: Plan, price: Price, instruments: Instruments) -> Callable[[Transcript], float]:
    by_id = {sample.id: sample for sample in plan.samples}

    def owes(transcript: Transcript) -> float:
        asked = questions_of(plan.setup, by_id[transcript.sample], transcript).values()
        once = sum(dearest_reply(question, price, instruments.decoding) for question in asked)
        return once * instruments.judge_trials

    return owes
