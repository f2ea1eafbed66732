"""What judging costs at most, which a limit sets aside before the answers are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from toolyard.core.types import Decoding, Question, Usage
from toolyard.models.base import Model, Price, estimated_tokens
from toolyard.models.judge import AskedQuestion
from toolyard.models.spending import known_price


def with_thoughts(decoding: Decoding, room: int) -> Decoding:
    """What a reply may take, its thoughts among it."""
    return replace(decoding, max_tokens=decoding.max_tokens + room)


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
