"""Money: what requests and judging cost at most, set aside before it is spent, under a limit that is kept."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial

from toolyard.core.errors import BudgetExceeded, ProviderError
from toolyard.core.types import Allotment, Completion, Decoding, Question, Request, Transcript, Usage
from toolyard.models.base import Model, Price, estimated_tokens, estimated_usage, request_tokens
from toolyard.models.judge import AskedQuestion

# The kind of failure of an episode that the limit ended half-way.
OVER_BUDGET = "over_budget"
FREE = Price(0, 0)


def known_price(price: Price | None, whose: str) -> Price:
    """The price; without one no limit can be kept."""
    if price is None:
        raise BudgetExceeded(
            f"--max-cost needs a price; add one to the {whose}, e.g. openai/NAME?price=0.15,0.60 "
            "(per million tokens)"
        )
    return price


def with_thoughts(decoding: Decoding, room: int) -> Decoding:
    """What a reply may take, its thoughts among it."""
    return replace(decoding, max_tokens=decoding.max_tokens + room)


def room_of(model: Model) -> int:
    """Tokens of thoughts that every request may take beside its answer."""
    return int(getattr(model, "thought_tokens", 0))


def price_of_judge(judge: Model) -> Price:
    """The judge's price, which a limit needs."""
    return known_price(judge.price, "judge")


def question_tokens(question: Question) -> int:
    """Tokens that the judge reads, at four characters each."""
    return sum(estimated_tokens(len(message.content)) for message in question.messages)


def worst_case_cost(question: Question, price: Price, decoding: Decoding) -> float:
    """What one question costs at most: a reply of full length, and a repair where the question allows one."""
    if question.kind != "judge":
        return 0.0
    read = question_tokens(question)
    usage = Usage(read, decoding.max_tokens)
    if question.repair:
        again = read + decoding.max_tokens + estimated_tokens(len(question.repair))
        usage += Usage(again, decoding.max_tokens)
    return price.cost(usage)


def largest_cost(asked: Sequence[AskedQuestion], price: Price, decoding: Decoding) -> float:
    """What all questions cost at most."""
    return sum(worst_case_cost(item.question, price, decoding) for item in asked)


def longest(asked: Sequence[AskedQuestion], decoding: Decoding) -> int:
    """Tokens that one request about any of the questions reads at most: the question, a reply and a repair."""
    questions = (item.question for item in asked)
    read = (question_tokens(each) + estimated_tokens(len(each.repair or "")) for each in questions)
    return decoding.max_tokens + max(read, default=0)


def affordable(
    asked: Sequence[AskedQuestion], price: Price, decoding: Decoding, left: float
) -> Sequence[AskedQuestion]:
    """The first questions that fit what is left, each at its worst."""
    total = 0.0
    for place, item in enumerate(asked):
        total += worst_case_cost(item.question, price, decoding)
        if total > left:
            return asked[:place]
    return asked


def counted(request: Request, completion: Completion) -> Completion:
    """The completion with usage that can be paid by: counts that are not positive are estimated."""
    usage = completion.usage
    if usage.prompt_tokens > 0 and usage.completion_tokens > 0:
        return completion
    estimate = estimated_usage(request, completion.text)
    read = usage.prompt_tokens if usage.prompt_tokens > 0 else estimate.prompt_tokens
    written = usage.completion_tokens if usage.completion_tokens > 0 else estimate.completion_tokens
    known = replace(usage, prompt_tokens=read, completion_tokens=written)
    return replace(completion, usage=known)


def nothing(transcript: Transcript) -> float:  # noqa: ARG001 - the signature of Budget.judging_cost
    """No judge will be asked."""
    return 0.0


class Budget:
    """What all sessions of a run have spent and what is set aside, under its limit.

    A request is sent only where its worst case fits beside all that is spent, under way, and owed to the judge.
    """

    def __init__(self, limit: float | None, spent: float = 0.0) -> None:
        self.limit = limit
        self.spent = spent
        self.refused = False
        # what judging the answers so far will cost at most, and what it cost at most for a single answer
        self.judge_reserve = 0.0
        self.largest_judging = 0.0
        self.judging_cost: Callable[[Transcript], float] = nothing
        self._reserved = 0.0
        self._under_way = 0
        self._freed = asyncio.Condition()

    async def reserve(self, amount: float, *, waits: bool = True) -> bool:
        """Sets the amount aside; where it does not fit, waits for others to give back what they did not need."""
        if self.limit is None:
            return True
        async with self._freed:
            while not self._fits(amount):
                # What episodes hold for their judging comes back only when a request of theirs does.
                if not self._under_way or self.refused or not waits:
                    self.refused = True
                    self._freed.notify_all()
                    return False
                await self._freed.wait()
            self._reserved += amount
        return True

    async def release(self, amount: float, spent: float = 0.0) -> None:
        """Gives back what was set aside, less what was spent of it."""
        self.spent += spent
        if self.limit is None:
            return
        async with self._freed:
            self._reserved = max(0.0, self._reserved - amount)
            self._freed.notify_all()

    def _fits(self, amount: float) -> bool:
        limit = self.limit or 0.0
        return self.spent + self.judge_reserve + self._reserved + amount <= limit

    def owe_judging(self, transcript: Transcript) -> None:
        """Counts what judging one more answer will cost."""
        cost = self.judging_cost(transcript)
        self.judge_reserve += cost
        self.largest_judging = max(self.largest_judging, cost)

    async def ask(self, model: Model, request: Request) -> Completion:
        """The model's answer, paid for at its own price; ProviderError where the limit forbids to ask."""
        price, room, held, spent = model.price or FREE, room_of(model), 0.0, Usage()

        async def set_aside(written: int, *, waits: bool = True) -> None:
            nonlocal held
            amount = price.cost(Usage(request_tokens(request), written))
            if not await self.reserve(amount, waits=waits):
                raise ProviderError(OVER_BUDGET, f"one more request may pass --max-cost {self.limit:g}")
            held += amount

        await set_aside(request.decoding.max_tokens + room)
        if self.limit is not None:
            more = partial(self._further, set_aside, waits=getattr(model, "batches", None) is None)
            request = replace(request, allotment=Allotment(room, more))
        self._under_way += 1
        try:
            completion = counted(request, await model.generate(request))
            spent = completion.paid
            return completion
        except ProviderError as error:
            spent = error.spent
            raise
        finally:
            self._under_way -= 1
            await self.release(held, price.cost(spent))

    async def _further(self, set_aside: Callable[..., Awaitable[None]], written: int, *, waits: bool) -> None:
        """Sets aside what one more request within an asking takes.

        Others may give back what it waits for, so that it does not count as under way itself; but who goes with a batch
        does not wait, because the others may be waiting for the batch.
        """
        self._under_way -= 1
        try:
            await set_aside(written, waits=waits)
        finally:
            self._under_way += 1
