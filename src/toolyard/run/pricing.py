"""What questions to a judge cost at most, reckoned before they are asked."""

from __future__ import annotations

from collections.abc import Sequence

from toolyard.core.errors import BudgetExceeded
from toolyard.core.types import Decoding, Question, Usage
from toolyard.models.base import Model, Price, estimated_tokens
from toolyard.models.judge import Asked


def known_price(price: Price | None, whose: str) -> Price:
    """The price; without one no limit can be kept."""
    if price is None:
        raise BudgetExceeded(
            f"--max-cost needs a price; add one to the {whose}, e.g. openai/NAME?price=0.15,0.60 "
            "(per million tokens)"
        )
    return price


def price_of_judge(judge: Model) -> Price:
    """The judge's price, which a limit needs."""
    return known_price(judge.price, "judge")


def question_tokens(question: Question) -> int:
    """Tokens that the judge reads, at four characters each."""
    return sum(estimated_tokens(len(message.content)) for message in question.messages)


def dearest_reply(question: Question, price: Price, decoding: Decoding) -> float:
    """What one question costs at most: a reply of full length, and a repair where the question allows one."""
    if question.kind != "judge":
        return 0.0
    read = question_tokens(question)
    usage = Usage(read, decoding.max_tokens)
    if question.repair:
        again = read + decoding.max_tokens + estimated_tokens(len(question.repair))
        usage += Usage(again, decoding.max_tokens)
    return price.cost(usage)


def affordable(asked: Sequence[Asked], price: Price, decoding: Decoding, left: float) -> Sequence[Asked]:
    """The first questions that fit what is left, each at its dearest."""
    total = 0.0
    for place, item in enumerate(asked):
        total += dearest_reply(item.question, price, decoding)
        if total > left:
            return asked[:place]
    return asked
