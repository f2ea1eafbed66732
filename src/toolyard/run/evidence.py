"""The ANSWER step: questions that scoring has, answered once and kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from toolyard.core.benchmark import Benchmark, Embed, RunSetup
from toolyard.core.errors import BudgetExceeded, MissingAsset, MissingExtra, ProviderError, UsageError
from toolyard.core.types import Allotment, Decoding, Evidence, Sample, Transcript, Usage
from toolyard.models.base import Model, Price
from toolyard.models.judge import AskedQuestion, Record, answer_questions, similarities
from toolyard.models.loading import identity_of
from toolyard.run.grading import EvidenceBook, questions_of
from toolyard.run.money import (
    OVER_BUDGET,
    affordable,
    largest_cost,
    longest,
    price_of_judge,
    room_of,
    with_thoughts,
)
from toolyard.run.store import RunStore

NO_EMBEDDER = "none"
# embedder, judge, its temperature, which asking of it
InstrumentsKey: TypeAlias = tuple[str, str, float, int]


@dataclass(frozen=True, slots=True)
class Instruments:
    """What questions are answered with: a judge model, if any, and an embedder."""

    judge: Model | None = None
    judge_name: str = ""
    embedder: str = "minilm"
    decoding: Decoding = Decoding()
    concurrency: int = 16
    seed: int = 0
    judge_trials: int = 1
    # Whether the user named the embedder, or a run directory did, which may come from a stranger.
    named: bool = True

    def key(self, judge_trial: int = 0) -> InstrumentsKey:
        """What tells the evidence of these instruments, in that asking of the judge, from that of others."""
        return self.embedder, identity_of(self.judge_name), self.decoding.temperature, judge_trial

    def answered(self, evidence: Evidence, judge_trial: int = 0) -> bool:
        """Whether the evidence came from these instruments, in that asking of the judge."""
        if evidence.model == self.embedder:
            return True
        asked = self.key(judge_trial)[1:]
        return asked == (identity_of(evidence.model), evidence.temperature, evidence.judge_trial)

    def valid(self, evidence: Iterable[Evidence], judge_trial: int = 0) -> EvidenceBook:
        """What these instruments wrote, the last of each question."""
        return book_of(item for item in evidence if self.answered(item, judge_trial))

    def embed(self) -> Embed | None:
        """The embedder, loaded; `none` leaves similarities out."""
        if self.embedder == NO_EMBEDDER:
            return None
        from toolyard.models.embed import load_embedder

        return load_embedder(self.embedder, named=self.named)


async def collect_evidence(
    setup: RunSetup,
    samples: Sequence[Sample],
    store: RunStore,
    instruments: Instruments,
    left: float | None = None,
) -> None:
    """Answers every question that has no valid evidence yet, with what is `left` to spend where that is limited.

    Failures are asked again next time.
    """
    asked = pending(setup, samples, store, instruments) if can_answer(setup, instruments) else []
    if not asked:
        return
    with store.append_evidence() as append:
        if left is None or instruments.judge is None:
            await _answer(asked, instruments, append)
        else:
            price = price_of_judge(instruments.judge)
            await _answer_within(asked, instruments, price, append, left)


def pending(
    setup: RunSetup, samples: Sequence[Sample], store: RunStore, instruments: Instruments
) -> list[AskedQuestion]:
    """The questions about a run's answers that these instruments have not answered."""
    if setup.benchmark.judging is None:
        return []
    questions = questions_about(setup, samples, store.transcripts().values())
    evidence = store.evidence()
    return [
        replace(item, judge_trial=judge_trial)
        for judge_trial in range(instruments.judge_trials)
        for item in unanswered(questions, instruments.valid(evidence, judge_trial))
        if judge_trial == 0 or item.question.kind == "judge"
    ]


def can_answer(setup: RunSetup, instruments: Instruments) -> bool:
    """Whether anybody is there to answer: without a judge, questions that all go to one are not even posed."""
    judging = setup.benchmark.judging
    return judging is not None and (
        instruments.judge is not None or not judging.judged or bool(judging.similar)
    )


def unanswered(questions: Iterable[AskedQuestion], known: EvidenceBook) -> Iterator[AskedQuestion]:
    """The questions without an answer, or with a failure in its place."""
    for item in questions:
        found = known.get((item.sample, item.trial, item.key))
        if found is None or found.error is not None:
            yield item


async def evidence_for(
    setup: RunSetup,
    samples: Sequence[Sample],
    transcripts: Iterable[Transcript],
    instruments: Instruments,
) -> EvidenceBook:
    """The evidence about transcripts that belong to no run."""
    asked = questions_about(setup, samples, transcripts) if can_answer(setup, instruments) else []
    found: list[Evidence] = []
    if asked:
        await _answer(asked, instruments, found.append)
    return book_of(found)


def similarity_book(
    setup: RunSetup,
    samples: Sequence[Sample],
    transcripts: Iterable[Transcript],
    instruments: Instruments,
) -> EvidenceBook:
    """Similarities about offline transcripts; left out where the embedder or its weights are not there."""
    unjudged = replace(instruments, judge=None)
    posed = questions_about(setup, samples, transcripts) if can_answer(setup, unjudged) else []
    asked = [item for item in posed if item.question.kind == "similarity"]
    if not asked:
        return {}
    try:
        embed = instruments.embed()
        return {} if embed is None else book_of(similarities(asked, embed, instruments.embedder))
    except (MissingAsset, MissingExtra):
        return {}


def given_evidence(benchmark: Benchmark, path: Path, samples: tuple[Sample, ...]) -> EvidenceBook:
    """Evidence that the user brings, filed under the names of the questions."""
    if benchmark.judging is None or benchmark.judging.read is None:
        raise UsageError(f"{benchmark.name} asks no judge, so --evidence has nothing to say")
    found = benchmark.judging.read(path, samples)
    return {(item.sample, item.trial, f"id:{item.question}"): item for item in found}


def questions_about(
    setup: RunSetup, samples: Sequence[Sample], transcripts: Iterable[Transcript]
) -> list[AskedQuestion]:
    """All questions about all transcripts, each content once per (sample, trial)."""
    by_id = {sample.id: sample for sample in samples}
    return [
        AskedQuestion(transcript.sample, question, transcript.trial, key)
        for transcript in transcripts
        if transcript.sample in by_id
        for key, question in questions_of(setup, by_id[transcript.sample], transcript).items()
    ]


def book_of(evidence: Iterable[Evidence]) -> EvidenceBook:
    """Evidence by sample, trial and question."""
    return {(item.sample, item.trial, item.key): item for item in evidence}


@dataclass(slots=True)
class _Purse:
    """What is left beside the worst case of a part of the questions, for those that are asked once more."""

    price: Price
    left: float
    read_tokens: int
    is_empty: bool = False

    async def more(self, written: int) -> None:
        """Takes out what one more request costs at most; ProviderError where that is too much."""
        cost = self.price.cost(Usage(self.read_tokens, written))
        if cost > self.left:
            self.is_empty = True
            raise ProviderError(OVER_BUDGET, "the judge thinks, and asking it again may pass --max-cost")
        self.left -= cost


async def _answer_within(
    asked: Sequence[AskedQuestion], instruments: Instruments, price: Price, record: Record, limit: float
) -> None:
    """Asks as many as are sure to fit the limit, then again as many with what these left over."""
    spent, done, judge = 0.0, 0, instruments.judge

    def paid(evidence: Evidence) -> None:
        nonlocal spent, done
        spent += price.cost(evidence.usage)
        done += evidence.error is None or evidence.error.kind != OVER_BUDGET
        record(evidence)

    rest, is_empty = asked, False
    while rest:
        room = 0 if judge is None else room_of(judge)
        decoding = with_thoughts(instruments.decoding, room)
        part = affordable(rest, price, decoding, limit - spent)
        if not part or is_empty:
            raise BudgetExceeded(
                f"--max-cost: judging stopped with ${limit - spent:.4f} left, {done} of {len(asked)} questions "
                "answered; the same command with a higher limit goes on from here"
            )
        purse = _Purse(price, limit - spent - largest_cost(part, price, decoding), longest(part, decoding))
        await _answer(part, instruments, paid, Allotment(room, purse.more))
        rest, is_empty = rest[len(part) :], purse.is_empty


async def _answer(
    asked: Sequence[AskedQuestion],
    instruments: Instruments,
    record: Record,
    allotment: Allotment | None = None,
) -> None:
    similar = any(item.question.kind == "similarity" for item in asked)
    await answer_questions(
        asked,
        judge=instruments.judge,
        embedder=instruments.embed() if similar else None,
        decoding=instruments.decoding,
        seed=instruments.seed,
        judge_name=instruments.judge_name,
        embedder_name=instruments.embedder,
        record=record,
        allotment=allotment,
    )
