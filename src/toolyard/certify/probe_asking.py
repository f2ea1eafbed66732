"""Asks the probes that have no kept answer yet, several at a time, and keeps each answer as it comes."""

import asyncio
import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from toolyard.certify.client import Client
from toolyard.certify.conversation import (
    continue_conversation,
    needs_another_turn,
    opening_items,
    pair_of_counts,
)
from toolyard.certify.endpoint_turn import EndpointTurn
from toolyard.certify.model_endpoint import Place, open_endpoint
from toolyard.certify.probe import Probe
from toolyard.certify.probe_answers import ANSWERS, ProbeAnswer, ProbeExchange, probe_digest, read_answers
from toolyard.certify.probe_costs import Charges
from toolyard.certify.surfaces import read_turn, request_body, request_path
from toolyard.core.errors import FATAL_KINDS, OVER_BUDGET, ProviderError
from toolyard.core.processes.stopping import Work
from toolyard.lines import Appender, lock_folder
from toolyard.models.request_costs import known_price
from toolyard.models.spec import ModelSpec

CONCURRENCY = 8

Show = Callable[[int, int], None]


def answers_folder(spec: ModelSpec, out: Path) -> Path:
    """Where a model's answers and certificate are kept: by its name and all that its answers depend on."""
    name = re.sub(r"[^A-Za-z0-9.-]+", "_", spec.display).strip("._")[-60:] or "model"
    return out / f"{name}_{hashlib.sha256(spec.identity.encode()).hexdigest()[:8]}"


def kept_answers(folder: Path, probes: Sequence[Probe]) -> dict[str, ProbeAnswer]:
    """The answers in a folder that fit the probes as they are worded now."""
    kept = read_answers(folder)
    there = ((probe, kept[probe.name]) for probe in probes if probe.name in kept)
    return {probe.name: answer for probe, answer in there if probe_digest(probe) == answer.digest}


async def ask_all(
    spec: ModelSpec, probes: Sequence[Probe], folder: Path, *, concurrency: int | None = None,
    timeout: float, show: Show, max_cost: float | None = None,
) -> dict[str, ProbeAnswer]:  # fmt: skip
    """Every probe's answer; those that are kept already are not asked again, those that failed are."""
    price = spec.price if max_cost is None else known_price(spec.price, "model")
    with lock_folder(
        folder, f"{folder} is being written by another certify; wait for it, or use another --out"
    ):
        kept = {name: answer for name, answer in kept_answers(folder, probes).items() if not answer.error}
        missing = [probe for probe in probes if probe.name not in kept]
        show(len(kept), len(probes))
        charges = Charges(folder, price, max_cost)
        if missing:
            async with open_endpoint(spec) as place:
                width = min(concurrency or place.slots or CONCURRENCY, place.slots or 64)
                with _report_lost_connection(kept, len(probes)):
                    await _ask_missing(
                        place,
                        missing,
                        folder,
                        kept,
                        width,
                        timeout,
                        lambda: show(len(kept), len(probes)),
                        charges,
                    )
        charges.refuse_more(len(probes) - len(kept), len(probes))
        return kept


@contextmanager
def _report_lost_connection(kept: Mapping[str, ProbeAnswer], total: int) -> Iterator[None]:
    """Calls an endpoint that answered before and cannot be reached now a lost connection, not a wrong address."""
    before = len(kept)
    try:
        yield
    except ProviderError as error:
        if error.kind != "unreachable" or len(kept) == before:
            raise
        raise ProviderError(
            error.kind,
            f"the connection was lost after {len(kept)} of {total} probes: {str(error).removesuffix('; check base_url')}; "
            "the answers are kept: start the server again and repeat the command",
        ) from None


async def _ask_missing(
    place: Place, missing: Sequence[Probe], folder: Path, kept: dict[str, ProbeAnswer], width: int,
    timeout: float, tell: Callable[[], None], charges: Charges,
) -> None:  # fmt: skip
    import aiohttp

    turns = asyncio.Semaphore(width)
    connector = aiohttp.TCPConnector(limit=0)
    with Appender(folder / ANSWERS) as lines:
        async with aiohttp.ClientSession(
            connector=connector, cookie_jar=aiohttp.DummyCookieJar(), auto_decompress=False
        ) as session:
            client = Client(place, session, charges, timeout=timeout)

            async def ask(probe: Probe) -> None:
                async with turns:
                    answer = await ask_probe(client, probe)
                if answer is None:
                    return
                lines.append(answer)
                kept[probe.name] = answer
                tell()

            await _run_all([ask(probe) for probe in missing])


async def _run_all(work: Sequence[Work[None]]) -> None:
    """Runs all of them concurrently; the first failure cancels the rest and is raised."""
    try:
        async with asyncio.TaskGroup() as group:
            for each in work:
                group.create_task(each)
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None


async def ask_probe(client: Client, probe: Probe) -> ProbeAnswer | None:
    """The answer to one probe; a failure that the next probe may not have is kept as its error.

    None where a limit on cost ended it.
    """
    exchanges: list[ProbeExchange] = []
    error = None
    try:
        if probe.task.kind == "count":
            for task in pair_of_counts(probe.task):
                one = Probe(probe.surface, task)
                body = request_body(client.model, one, opening_items(task))
                exchanges.append(await client.post(request_path(probe), body))
        else:
            await _continue_conversation(client, probe, exchanges)
    except ProviderError as failure:
        if failure.kind == OVER_BUDGET:
            return None
        if failure.kind in FATAL_KINDS:
            raise
        error = f"no answer: {failure}"
    return ProbeAnswer(probe.name, probe_digest(probe), tuple(exchanges), error)


async def _continue_conversation(client: Client, probe: Probe, exchanges: list[ProbeExchange]) -> None:
    """Continues a conversation until the task is solved, no call comes, or the limit is reached."""
    items, turns = opening_items(probe.task), list[EndpointTurn]()
    while True:
        found = await client.post(request_path(probe), request_body(client.model, probe, items))
        exchanges.append(found)
        if found.status != 200:
            return
        turns.append(read_turn(probe, found.body))
        if not needs_another_turn(probe.task, turns):
            return
        items += continue_conversation(probe.task, turns[-1], len(turns))
