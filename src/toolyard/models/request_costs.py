"""What requests cost: set aside before they are sent, learned from what comes back, under one limit for all sessions.

A session may exceed the limit by at most the requests in flight when the truth became known.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil

from toolyard.core.errors import OVER_BUDGET, ProviderError, UsageError
from toolyard.core.types import Completion, Request, Transcript, Usage
from toolyard.models.base import Around, Model, Price, estimated_usage, request_tokens

FREE = Price(0, 0)
# Requests in flight at most to a model that has answered none yet: nobody knows what it will charge.
UNTRIED_AT_ONCE = 2


def known_price(price: Price | None, whose: str) -> Price:
    """The price; without one no limit can be kept."""
    if price is None:
        raise UsageError(
            f"--max-cost needs a price; add one to the {whose}, e.g. openai/NAME?price=0.15,0.60 "
            "(per million tokens), or give a list with --prices FILE"
        )
    return price


def thought_tokens(model: Model) -> int:
    """Reasoning tokens that a request may use in addition to its answer."""
    return int(getattr(model, "thought_tokens", 0))


def complete_usage(request: Request, completion: Completion) -> Completion:
    """The completion with usage that can be paid by: counts that are not positive are estimated."""
    usage = completion.usage
    if usage.prompt_tokens > 0 and usage.completion_tokens > 0:
        return completion
    estimate = estimated_usage(request, completion.text)
    read = usage.prompt_tokens if usage.prompt_tokens > 0 else estimate.prompt_tokens
    written = usage.completion_tokens if usage.completion_tokens > 0 else estimate.completion_tokens
    known = replace(usage, prompt_tokens=read, completion_tokens=written)
    return replace(completion, usage=known)


def no_judge_cost(transcript: Transcript) -> float:  # noqa: ARG001 - the signature of Budget.judging_cost
    """No judge will be asked."""
    return 0.0


@dataclass(slots=True)
class Billing:
    """What one model charges: its price, and by how much its token counts exceeded what was foreseen, at the worst."""

    price: Price
    read: float = 1.0
    written: float = 1.0
    # whether it has answered
    is_known: bool = False
    in_flight: int = 0

    def foresee(self, foreseen: Usage) -> Usage:
        """What a request takes at most, by what the model has charged so far."""
        return Usage(
            ceil(foreseen.prompt_tokens * self.read), ceil(foreseen.completion_tokens * self.written)
        )

    def learn(self, foreseen: Usage, found: Usage) -> None:
        """Takes note of what an answer took; counts below the estimate change nothing."""
        self.read = max(self.read, found.prompt_tokens / max(1, foreseen.prompt_tokens))
        self.written = max(self.written, found.completion_tokens / max(1, foreseen.completion_tokens))


class Budget:
    """What all sessions have spent and reserved, under a limit.

    A request is sent only where the most that it may take, by what its model has charged so far, fits beside all that is
    spent, in flight, and owed to the judge.
    """

    def __init__(self, limit: float | None, spent: float = 0.0) -> None:
        self.limit = limit
        self.spent = spent
        self.refused = False
        # what judging the answers so far will cost at most, and what it cost at most for a single answer
        self.judge_reserve = 0.0
        self.largest_judging = 0.0
        self.judging_cost: Callable[[Transcript], float] = no_judge_cost
        self._reserved = 0.0
        # The most that a request needed which did not fit.
        self._unmet = 0.0
        self._in_flight = 0
        self._billing: dict[str, Billing] = {}
        self._waiting: list[asyncio.Future[None]] = []

    async def reserve(
        self, needed: Callable[[], float], billing: Billing | None = None, *, waits: bool = True
    ) -> float | None:
        """The amount that was set aside; None where it does not fit.

        While it does not, others are waited for: they give back what they did not need, and show what is needed.
        """
        if self.limit is None:
            return 0.0
        while not self._fits(amount := needed()) or _is_untried(billing):
            # What episodes hold for their judging comes back only when a request of theirs does.
            if not self._in_flight or self.refused or not waits:
                self.refused = True
                self._unmet = max(self._unmet, amount)
                self._wake()
                return None
            freed = asyncio.get_running_loop().create_future()
            self._waiting.append(freed)
            await freed
        self._reserved += amount
        return amount

    def release(self, amount: float, spent: float = 0.0) -> None:
        """Gives back what was set aside, less what was spent of it."""
        self.spent += spent
        self._reserved = max(0.0, self._reserved - amount) if self.limit is not None else 0.0
        self._wake()

    def _wake(self) -> None:
        waiting, self._waiting = self._waiting, []
        for freed in waiting:
            if not freed.done():
                freed.set_result(None)

    def _fits(self, amount: float) -> bool:
        limit = self.limit or 0.0
        return self.spent + self.judge_reserve + self._reserved + amount <= limit

    @property
    def reached(self) -> str:
        """The message when the limit stops the run: spent, reserved, limit."""
        judging = f" and ${self.judge_reserve:.4f} set aside for the judge" if self.judge_reserve else ""
        return f"stopped at --max-cost {self.limit:g} with ${self.spent:.4f} spent{judging}"

    @property
    def go_on(self) -> str:
        """How to go on."""
        wanted = max(2 * (self.limit or 0.0), 1.5 * (self.spent + self.judge_reserve + self._unmet))
        return f"to go on, give the same command with a higher limit, e.g. --max-cost {wanted:.3g}"

    def owe_judging(self, transcript: Transcript) -> None:
        """Counts what judging one more answer will cost."""
        cost = self.judging_cost(transcript)
        self.judge_reserve += cost
        self.largest_judging = max(self.largest_judging, cost)

    def billing(self, name: str, price: Price | None) -> Billing:
        """What is known of how a model charges."""
        return self._billing.setdefault(name, Billing(price or FREE))

    async def hold(self, billing: Billing, foreseen: Usage, *, room: int = 0, waits: bool = True) -> "Hold":
        """The money of one asking; ProviderError where the limit forbids it."""
        held = Hold(self, billing, foreseen, room, waits=waits)
        await held.take(waits=True)
        self.move(billing, 1)
        return held

    def move(self, billing: Billing, by: int) -> None:
        """Counts requests in flight."""
        self._in_flight += by
        billing.in_flight += by

    async def ask(self, model: Model, request: Request) -> Completion:
        """The model's answer, paid for at its own price; ProviderError where the limit forbids to ask."""
        room, batches = thought_tokens(model), getattr(model, "batches", None)
        foreseen = Usage(request_tokens(request), request.decoding.max_tokens + room)
        billing = self.billing(getattr(model, "identity", model.name), model.price)
        # Who goes with a batch does not wait for money: the others may be waiting for the batch.
        held = await self.hold(billing, foreseen, room=room, waits=batches is None)
        spent = Usage()
        try:
            limited = request if self.limit is None else replace(request, allotment=held)
            completion = complete_usage(request, await model.generate(limited))
            spent = completion.paid
            if not completion.kept:
                held.answer(completion.usage)
            return completion
        except ProviderError as error:
            spent = error.spent
            raise
        finally:
            held.end(spent)


def _is_untried(billing: Billing | None) -> bool:
    """Whether a model has enough to do for one that has not shown yet what it charges."""
    return billing is not None and not billing.is_known and billing.in_flight >= UNTRIED_AT_ONCE


class Hold:
    """The money of one asking, which may take several attempts: an allotment that a model can draw on."""

    def __init__(
        self, budget: Budget, billing: Billing, foreseen: Usage, room: int = 0, *, waits: bool = True
    ) -> None:
        self.room = room
        self._budget, self._billing, self._foreseen, self._waits = budget, billing, foreseen, waits
        self._amount = 0.0
        self._lost = Usage()

    @property
    def is_first(self) -> bool:
        """Whether the model's price is still unknown."""
        return not self._billing.is_known

    def estimate(self, written: int) -> Usage:
        """What an attempt takes at most that may write so many tokens."""
        return self._billing.foresee(replace(self._foreseen, completion_tokens=written))

    async def take(self, written: int | None = None, *, waits: bool) -> None:
        """Sets aside what one attempt takes at most; ProviderError where that does not fit."""
        if written is not None:
            self._foreseen = replace(self._foreseen, completion_tokens=written)

        def needed_cost() -> float:
            return self._billing.price.cost(self._billing.foresee(self._foreseen))

        amount = await self._budget.reserve(needed_cost, self._billing, waits=waits)
        if amount is None:
            raise ProviderError(OVER_BUDGET, f"one more request may pass --max-cost {self._budget.limit:g}")
        self._amount += amount

    async def more(self, written: int) -> None:
        """Sets aside what one more attempt takes; while it waits for others it is not in flight itself."""
        self._budget.move(self._billing, -1)
        try:
            await self.take(written, waits=self._waits)
        finally:
            self._budget.move(self._billing, 1)

    def answer(self, usage: Usage) -> None:
        """Takes note of what the model charged for an answer."""
        self._billing.learn(self._foreseen, usage)
        self._billing.is_known = True

    def lose(self, usage: Usage, *, is_known: bool) -> None:
        """Counts an attempt that brought no answer, at once: others must know before they ask."""
        self._lost += usage
        if is_known:
            self._billing.learn(self._foreseen, usage)
        self._budget.release(self._amount, self._billing.price.cost(usage))
        self._amount = 0.0

    def end(self, paid: Usage) -> None:
        """Counts what the asking took in all, and gives back the rest."""
        price = self._billing.price
        self._budget.move(self._billing, -1)
        self._budget.release(self._amount, max(0.0, price.cost(paid) - price.cost(self._lost)))
        self._amount = 0.0


class PaidModel(Around):
    """A model each of whose answers is asked for within a budget."""

    def __init__(self, model: Model, budget: Budget) -> None:
        super().__init__(model)
        self._budget = budget

    async def generate(self, request: Request) -> Completion:
        """The model's answer, paid for."""
        return await self._budget.ask(self._model, request)
