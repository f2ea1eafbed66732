"""What samples took: tokens, seconds and money, by percentiles; answers that were kept cost nothing again."""

import pytest

from toolyard.core.types import Completion, Failure, Transcript, Usage
from toolyard.models.base import Price
from toolyard.report.resources import Resource, price_in, resource_of, resources_of


def answered(number: int, **more: object) -> Transcript:
    completion = Completion("x", usage=Usage(100 * number, 10), latency=float(number), **more)  # type: ignore[arg-type]
    return Transcript(str(number), completions=(completion,))


def test_percentiles_are_those_of_the_nearest_rank() -> None:
    assert resource_of([float(number) for number in range(1, 101)]) == Resource(50.5, 50, 90, 99, 100, 5050)
    assert resource_of([7.0]) == Resource(7, 7, 7, 7, 7, 7)


def test_samples_that_failed_are_not_among_them_and_what_nobody_measured_is_left_out() -> None:
    failed = Transcript("f", error=Failure("timeout", "late"))
    found = resources_of([answered(1), answered(3), failed], Price(1.0, 10.0))
    assert set(found) == {"requests", "tokens_read", "tokens_written", "seconds", "cost"}
    assert found["tokens_read"] == Resource(200, 100, 300, 300, 300, 400)
    assert found["cost"].total == pytest.approx((400 * 1 + 20 * 10) / 1e6)
    assert "cost" not in resources_of([answered(1)], None)
    assert resources_of([failed], None) == {}


def test_a_batch_costs_half_and_a_kept_answer_nothing() -> None:
    price = Price(1.0, 10.0)
    batched = Transcript("b", completions=(Completion("x", usage=Usage(100, 10).as_batched),))
    assert price.cost(batched.usage) == pytest.approx(100 / 1e6)
    assert price.cost(answered(1).usage) == pytest.approx(200 / 1e6)
    assert price.cost(answered(1, kept=True).usage) == 0.0
    # What was read from the endpoint's own cache has its price only where it was no batch.
    cached = Price(1.0, 10.0, 0.1)
    assert cached.cost(Usage(100, 10, 0, 50)) == pytest.approx((50 * 1 + 50 * 0.1 + 100) / 1e6)
    assert cached.cost(Usage(100, 10, 0, 50).as_batched) == pytest.approx(100 / 1e6)


def test_a_manifest_keeps_the_price() -> None:
    assert price_in(
        {"price": {"input_per_million": 1, "output_per_million": 2, "cached_per_million": None}}
    ) == Price(1, 2)
    assert price_in({}) is None
