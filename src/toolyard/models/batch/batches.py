"""`--batch`: requests go as the provider's batch files, round by round, and a kill at any point loses nothing.

All episodes that wait for an answer wait for the same batch. What the batch leaves open, because it failed or came
too late, is asked directly. Every step is noted in the run directory before the next one (`batch_files`).
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Coroutine, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from toolyard.core.errors import FATAL_KINDS, ProviderError, UsageError
from toolyard.core.types import Completion, Failure, JsonValue, Request, Usage
from toolyard.models.base import Around
from toolyard.models.batch import batch_wire as wire
from toolyard.models.batch.batch_files import BatchFiles, BatchProgress
from toolyard.models.cache.completion_cache import request_key
from toolyard.models.http.endpoint import Sending
from toolyard.models.http.openai import OpenAIModel
from toolyard.models.http.usage import read_usage
from toolyard.text.json_values import mapping

LOG = logging.getLogger("toolyard")
KEY_LENGTH = 40
FIRST_WAIT, LONGEST_WAIT, GROWTH = 0.5, 60.0, 1.5
# Somebody may wait for something else than an answer (money, say): the others then go without them.
SETTLING = 5.0
ATTEMPTS = 8
NEEDS = "--batch needs an endpoint with batch files: openai/NAME or responses/NAME"
# Batches that are looked through for one of ours, in pages.
PAGES, PAGE = 20, 100
REFUSED = "batch_refused"


@dataclass(frozen=True, slots=True)
class Waiting:
    """A request of this round, and who waits for its answer."""

    key: str
    request: Request
    answer: asyncio.Future[Completion]


def _fatal_error(error: ProviderError) -> ProviderError:
    """The failure of a whole batch: it ends the run rather than each sample, which the next run would ask for again."""
    if error.kind in FATAL_KINDS:
        return error
    return ProviderError(
        "unreachable",
        f"{error}; what was sent stays sent: the same command goes on from here",
        spent=error.spent,
    )


def say_nothing(line: str) -> None:
    """Reports nothing."""


class BatchModel(Around):
    """A model whose requests go in batches where `sends`; what earlier batches answered is never asked again."""

    def __init__(self, model: OpenAIModel, folder: Path, *, sends: bool) -> None:
        super().__init__(model)
        self.identity = model.identity
        self.sends = sends
        self.tell: Callable[[str], None] = say_nothing
        self._asked = model
        self._files = BatchFiles(folder)
        self._answers: dict[str, JsonValue] = {}
        self._direct: dict[str, Completion] = {}
        self._counted: Collection[tuple[str, int]] = ()
        self._earlier: frozenset[str] = frozenset()
        self._waiting: list[Waiting] = []
        self._players = self._under_way = 0
        self._is_busy = False
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def batches(self) -> "BatchModel":
        """Itself, however many models stand around it."""
        return self

    @property
    def adjustments(self) -> tuple[str, ...]:
        """What batching adds to the model's own entry in the manifest."""
        return (*super().adjustments, *(["answers by batch files"] if self._files.batches() else []))

    async def recover(self, counted: Collection[tuple[str, int]] = ()) -> None:
        """Brings batches of earlier sessions to their end; the tokens of `counted` samples are paid for already."""
        for progress in self._files.batches():
            if not progress.status:
                await self._continue(progress)
        if self._files.learned_settings is not None:
            self._asked.recall(self._files.learned_settings)
        self._answers, self._direct = self._files.answers(), self._files.direct()
        self._counted = counted
        self._earlier = frozenset(self._answers) | frozenset(self._direct)

    def join(self, players: int) -> None:
        """So many will ask; a round begins when all of them wait."""
        self._players += players

    def leave(self) -> None:
        """One of them asks no more."""
        self._players -= 1
        self._begin_when_ready()

    async def generate(self, request: Request) -> Completion:
        """The answer that is kept, or that the next batch brings."""
        key = request_key(self.identity, request)[:KEY_LENGTH]
        known = self._known_completion(key, request)
        # Of a model of which nobody knows what it charges, one answer comes before a whole file of requests.
        is_first = request.allotment is not None and request.allotment.is_first
        if known is not None or not self.sends or is_first:
            return await self._answer_request(key, request, known)
        waiting = Waiting(key, request, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        self._begin_when_ready()
        return await waiting.answer

    def _known_completion(self, key: str, request: Request) -> Completion | None:
        found = self._direct.get(key)
        if found is None and key in self._answers:
            found = self._asked.read_batched(self._answers[key], request)
        if found is None:
            return None
        # A failed episode of an earlier session has counted its tokens; this one would count them again.
        paid = key in self._earlier and (request.sample, request.trial) in self._counted
        return replace(found, kept=True) if paid else found

    async def _answer_request(self, key: str, request: Request, known: Completion | None) -> Completion:
        """What is known, unless it is nothing, or a thought that had no room; then what is answered directly."""
        if known is not None and (key in self._direct or not self._asked.wants_room(known)):
            return known
        spent = self._usage_of_result(key, request) if known is None else known.paid
        if request.allotment is not None and spent != Usage():
            request.allotment.lose(spent, is_known=True)
        self._under_way += 1
        try:
            if known is not None or spent != Usage():
                await self._make_room(request)
            answer = await self._asked.generate(request)
        except ProviderError as error:
            error.spent += spent
            raise
        finally:
            self._under_way -= 1
        completion = replace(answer, lost=answer.lost + spent)
        if self.sends:
            self._files.keep_direct(key, completion)
            self._direct[key] = completion
            # What parameters the endpoint takes is known now.
            self._files.learned_settings = self._files.learned_settings or self._asked.learned_settings
        return completion

    def _usage_of_result(self, key: str, request: Request) -> Usage:
        """What a batch counted for a request that it did not answer; a failed episode of an earlier session has it."""
        paid = key in self._earlier and (request.sample, request.trial) in self._counted
        counts = mapping(self._answers.get(key)).get("usage")
        return Usage() if paid else read_usage(counts, Usage()).as_batched

    async def _make_room(self, request: Request) -> None:
        """Sets aside what asking after a batch takes: a further request, which a limit on cost has to allow."""
        granted = request.allotment
        if granted is not None:
            granted.room = self._asked.thought_tokens
            await granted.more(request.decoding.max_tokens + granted.room)

    def _begin_when_ready(self) -> None:
        """Starts a round when every request waits, or when none has arrived for a while."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if not self._waiting or self._is_busy:
            return
        if len(self._waiting) >= self._players:
            self._begin()
        else:
            self._timer = asyncio.get_running_loop().call_later(SETTLING, self._begin_when_settled)

    def _begin_when_settled(self) -> None:
        if self._under_way or self._is_busy:
            self._consider_later()
        elif self._waiting:
            self._begin()

    def _consider_later(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(SETTLING, self._begin_when_settled)

    def _begin(self) -> None:
        self._is_busy = True
        items, self._waiting = self._waiting, []
        self._spawn(self._run_round(items))

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run_round(self, items: Sequence[Waiting]) -> None:
        """Sends what waits as batches, and gives everybody an answer."""
        try:
            rest = await self._try_first_request(items)
            lines = [
                wire.input_line(each.key, self._asked.path, self._asked.batched_body(each.request))
                for each in rest
            ]
            sent = [
                await self._submit([each.key for each in rest[part]], b"".join(lines[part]))
                for part in wire.slices_by_size(lines)
            ]
            for progress in sent:
                self._answers.update(await self._wait_for_answers(progress))
        except BaseException as error:
            failure = _fatal_error(error) if isinstance(error, ProviderError) else error
            for each in items:
                if not each.answer.done():
                    each.answer.set_exception(failure)
            if not isinstance(error, Exception):
                raise
            return
        finally:
            self._is_busy = False
        for each in rest:
            self._spawn(self._settle_waiting(each))
        self._begin_when_ready()

    async def _try_first_request(self, items: Sequence[Waiting]) -> Sequence[Waiting]:
        """The requests for the batch: of the very first round one is asked directly.

        A wrong key and parameters that the endpoint does not take are found at once and not after a day.
        """
        if self._files.learned_settings is not None or not items:
            return items
        await self._settle_waiting(items[0])
        self._files.learned_settings = self._asked.learned_settings
        error = items[0].answer.exception()
        if isinstance(error, ProviderError) and (error.retryable or error.kind in FATAL_KINDS):
            raise error
        return items[1:]

    async def _settle_waiting(self, each: Waiting) -> None:
        """The batch's answer for who waits, or one that is asked for now."""
        try:
            found = await self._answer_request(
                each.key, each.request, self._known_completion(each.key, each.request)
            )
            if not each.answer.done():
                each.answer.set_result(found)
        except Exception as error:  # whatever it is, it belongs to who waits
            if not each.answer.done():
                each.answer.set_exception(error)

    async def _submit(self, keys: Sequence[str], data: bytes) -> BatchProgress:
        """The batch under way; each step is noted before the next."""
        progress = self._files.begin(keys, self._asked.learned_settings)
        form = wire.upload_form(progress.token, data)
        payload = await self._exchange_json(Sending("files", form.data, content_type=form.content_type))
        file = payload.get("id") if isinstance(payload, dict) else None
        if not isinstance(file, str):
            raise ProviderError(REFUSED, f"the endpoint sent no name of a file: {str(payload)[:200]}")
        return await self._order_batch(self._files.record_upload(progress, file))

    async def _order_batch(self, progress: BatchProgress) -> BatchProgress:
        """The batch of an uploaded file, ordered once: after any doubt it is looked for before it is ordered again."""
        for attempt in range(ATTEMPTS):
            found = await self._find_batch(progress.token) if attempt else None
            if found is None:
                order = wire.batch_order(progress.file, self._asked.path, progress.token)
                try:
                    found = self._batch(await self._exchange_json(Sending("batches", order), retries=0))
                except ProviderError as error:
                    if not error.retryable or attempt == ATTEMPTS - 1:
                        raise
                    await asyncio.sleep(error.retry_after or min(LONGEST_WAIT, FIRST_WAIT * 2**attempt))
                    continue
            return self._files.record_submission(progress, found.id)
        raise ProviderError(REFUSED, "the batch could not be ordered; run again")

    async def _find_batch(self, token: str) -> wire.Batch | None:
        """The batch with that token, among those that the endpoint lists."""
        page = {"limit": str(PAGE)}
        for _ in range(PAGES):
            payload = await self._exchange_json(Sending("batches", method="GET", parameters=page))
            listed = payload.get("data") if isinstance(payload, dict) else None
            if not isinstance(listed, list):
                raise ProviderError(
                    REFUSED, f"the endpoint lists no batches, so one may be paid twice: {str(payload)[:120]}"
                )
            read = [found for found in map(wire.read_batch, listed) if isinstance(found, wire.Batch)]
            ours = next((found for found in read if found.token == token), None)
            if ours is not None or not read or not mapping(payload).get("has_more"):
                return ours
            page["after"] = read[-1].id
        return None

    async def _continue(self, progress: BatchProgress) -> None:
        """Finishes a batch of an earlier session; drops one that was never submitted."""
        if progress.file and not progress.id:
            found = await self._find_batch(progress.token)
            if found is not None:
                progress = self._files.record_submission(progress, found.id)
        if not progress.id:
            self._files.finish(progress, "never submitted")
            return
        if self.sends:
            await self._wait_for_answers(progress)
            return
        batch = self._batch(await self._exchange_json(Sending(f"batches/{progress.id}", method="GET")))
        if not batch.ended:
            raise UsageError(
                f"the batch {batch.id} of this run is still under way; wait for it with --batch, or cancel it there"
            )
        await self._collect_answers(progress, batch)

    async def _wait_for_answers(self, progress: BatchProgress) -> dict[str, JsonValue]:
        """The answers of a batch, when it has come to its end."""
        pause = FIRST_WAIT
        while True:
            batch = self._batch(await self._exchange_json(Sending(f"batches/{progress.id}", method="GET")))
            if batch.ended:
                return await self._collect_answers(progress, batch)
            self.tell(f"batch {batch.id}: {batch.status}, {batch.done} of {len(progress.keys)} answered")
            await asyncio.sleep(pause)
            pause = min(LONGEST_WAIT, pause * GROWTH)

    async def _collect_answers(self, progress: BatchProgress, batch: wire.Batch) -> dict[str, JsonValue]:
        endpoint, wanted = self._asked.endpoint, set(progress.keys)
        found = wire.ResultLines(wanted, endpoint.without_key)
        for name in batch.files:
            sending = Sending(f"files/{name}/content", method="GET", take_line=found.take)
            if (await endpoint.exchange(sending)).refusal is not None:
                raise ProviderError("bad_response", f"the file {name} of batch {batch.id} cannot be fetched")
        answers = found.answers
        self._files.keep(progress, answers.items())
        self._files.finish(progress, batch.status)
        if batch.status == "failed" and not answers:
            raise ProviderError(
                REFUSED, f"the endpoint refused the batch {batch.id}: {batch.why or 'without a reason'}"
            )
        left = len(wanted) - len(answers)
        if left:
            LOG.warning(
                "batch %s (%s) left %d of %d requests open", batch.id, batch.status, left, len(wanted)
            )
        return answers

    def _batch(self, payload: JsonValue) -> wire.Batch:
        batch = wire.read_batch(payload)
        if isinstance(batch, Failure):
            raise ProviderError("bad_response", f"{self.identity} sent {batch.detail}")
        return batch

    async def _exchange_json(self, sending: Sending, *, retries: int | None = None) -> JsonValue:
        try:
            answer = await self._asked.endpoint.exchange(sending, retries=retries)
        except ProviderError as error:
            if error.kind != "not_found":
                raise
            raise ProviderError(REFUSED, f"{self.identity} has no batches; run without --batch") from None
        if answer.refusal is not None:
            said = f"{answer.refusal.status}: {answer.refusal.message[:300]!r}"
            raise ProviderError(REFUSED, f"{self.identity} takes no such batch ({said}); run without --batch")
        return answer.payload

    async def close(self) -> None:
        """Leaves the batches to the endpoint; the same command finds them again."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await super().close()
