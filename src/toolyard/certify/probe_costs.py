"""The cost of a model's probes, recorded as it is spent and kept under a limit.

{"usage": {"prompt_tokens": 210, "completion_tokens": 34}}
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict
from pathlib import Path

from toolyard.certify.probe_answers import ProbeExchange
from toolyard.core.errors import BudgetExceeded, ProviderError
from toolyard.core.types import Failure, JsonValue, Usage
from toolyard.lines import Appender, read_lines
from toolyard.models.base import Price, estimated_tokens
from toolyard.models.http.stream import EventStream
from toolyard.models.http.usage import read_usage
from toolyard.models.http.wire import decode_json, encode_json
from toolyard.models.request_costs import FREE, Budget

SPENDING = "spending.jsonl"
LIMITS = ("max_tokens", "max_completion_tokens", "max_output_tokens")
# What an answer is taken to be at most where its request says nothing.
UNLIMITED = 4096


class Charges:
    """The money of a certificate: every request is set aside before it is sent and noted when it has come back."""

    def __init__(self, folder: Path, price: Price | None = None, limit: float | None = None) -> None:
        self._path = folder / SPENDING
        usage = sum((Usage(**line["usage"]) for line in read_lines(self._path)), Usage())
        self._budget = Budget(limit, (price or FREE).cost(usage))
        self._billing = self._budget.billing("probes", price)

    async def paid(
        self, body: Mapping[str, JsonValue], send: Callable[[], Awaitable[ProbeExchange]]
    ) -> ProbeExchange:
        """What was sent and came back; ProviderError where the limit forbids it."""
        foreseen = Usage(estimated_tokens(len(encode_json(body))), _most_written_tokens(body))
        held = await self._budget.hold(self._billing, foreseen)
        # One that is broken off may be charged for.
        usage = self._billing.foresee(foreseen)
        try:
            found = await send()
            usage = answer_usage(found, foreseen.prompt_tokens)
            if found.status < 300:
                held.answer(usage)
            return found
        except ProviderError as error:
            usage = Usage() if error.kind == "unreachable" else usage
            raise
        finally:
            held.end(usage)
            if usage != Usage():
                with Appender(self._path) as lines:
                    lines.append({"usage": asdict(usage)})

    def refuse_more(self, left: int, total: int) -> None:
        """Stops where the limit kept probes from being asked."""
        if self._budget.refused:
            reached, go_on = self._budget.reached, self._budget.go_on
            raise BudgetExceeded(f"{reached}: {left} of {total} probes remain; {go_on}")


def _most_written_tokens(body: Mapping[str, JsonValue]) -> int:
    found = next((body[name] for name in LIMITS if name in body), UNLIMITED)
    return found if isinstance(found, int) else UNLIMITED


def answer_usage(found: ProbeExchange, read: int) -> Usage:
    """The endpoint's count; estimates for an answer without one, nothing for a refusal."""
    estimate = Usage(read, estimated_tokens(len(found.body))) if found.status < 300 else Usage()
    events = list(EventStream().feed(found.body.encode("utf-8", "replace") + b"\n"))
    counts: JsonValue = None
    for event in events or [decode_json(found.body.encode("utf-8", "replace"))]:
        if isinstance(event, Failure) or not isinstance(event, Mapping):
            continue
        inner = event.get("response")
        counts = event.get("usage") or (inner.get("usage") if isinstance(inner, Mapping) else None) or counts
    return read_usage(counts, estimate)
