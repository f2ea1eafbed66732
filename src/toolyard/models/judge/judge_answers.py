"""Answers to the questions that scoring asks: a judge's reply, or how near texts are."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from toolyard.core.benchmark import Embed
from toolyard.core.errors import CHARGED_FOR_NOTHING, CONTEXT_OVERFLOW, FATAL_KINDS, ProviderError
from toolyard.core.types import Decoding, Evidence, Failure, Message, Question, Request, Usage, derived_seed
from toolyard.models.base import Model
from toolyard.text.parsing import strip_thinking

if TYPE_CHECKING:
    from toolyard.models.batch.batches import BatchModel


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question, whose it is and which asking of it; `key` is copied into its evidence."""

    sample: str
    question: Question
    trial: int = 0
    key: str = ""
    judge_trial: int = 0

    def evidence(self, model: str) -> Evidence:
        """The evidence that is still to be filled in."""
        return Evidence(
            self.sample, self.question.id, self.trial, model=model, key=self.key, judge_trial=self.judge_trial
        )

    def seed(self, seed: int) -> int:
        """A seed of its own for every sample, trial and repeated asking."""
        repeated = f"{self.sample}/judge trial {self.judge_trial}" if self.judge_trial else self.sample
        return derived_seed(seed, repeated, self.trial)


Record = Callable[[Evidence], object]


def _ignore_record(evidence: Evidence) -> None:
    """Keeps nothing."""


async def answer_questions(
    questions: Sequence[AskedQuestion],
    *,
    judge: Model | None,
    embedder: Embed | None,
    decoding: Decoding,
    seed: int = 0,
    judge_name: str = "",
    embedder_name: str = "",
    record: Record = _ignore_record,
) -> tuple[Evidence, ...]:
    """The evidence for each question that could be asked, in order; `record` sees each as it arrives.

    Without a judge its questions are not asked, and the same holds for similarities without an
    embedder. A judge that fails gives evidence with an error; one that fails for everybody (wrong
    key, wrong address) raises.
    """
    answers: dict[int, Evidence] = {}
    similar = [index for index, asked in enumerate(questions) if asked.question.kind == "similarity"]
    if embedder is not None and similar:
        found = await _find_similarities([questions[index] for index in similar], embedder, embedder_name)
        answers |= dict(zip(similar, found, strict=True))
        for evidence in found:
            record(evidence)
    judged = [index for index, asked in enumerate(questions) if asked.question.kind == "judge"]
    if judge is not None and judged:
        bench = _Bench(judge, judge_name or judge.name, decoding, seed)
        replies = await _judge_replies([questions[index] for index in judged], bench, record)
        answers |= dict(zip(judged, replies, strict=True))
    return tuple(answers[index] for index in sorted(answers))


@dataclass(frozen=True, slots=True)
class _Bench:
    """The judge, what its evidence is filed under, and how it is asked."""

    judge: Model
    name: str
    decoding: Decoding
    seed: int


async def _judge_replies(judged: Sequence[AskedQuestion], bench: _Bench, record: Record) -> list[Evidence]:
    batches = await _recover_batches(bench.judge)

    async def one(asked: AskedQuestion) -> Evidence:
        try:
            evidence = await _judge_reply(asked, bench)
        finally:
            if batches is not None:
                batches.leave()
        fatal = evidence.error if evidence.error is not None and evidence.error.kind in FATAL_KINDS else None
        if fatal is None or evidence.usage != Usage():
            record(evidence)
        # Those in flight are waited for where they cost money.
        if fatal is not None and fatal.kind != CHARGED_FOR_NOTHING:
            raise ProviderError(fatal.kind, fatal.detail)
        return evidence

    if batches is not None:
        batches.join(len(judged))
    tasks = [asyncio.ensure_future(one(asked)) for asked in judged]
    try:
        found = list(await asyncio.gather(*tasks))
    finally:
        # One fatal failure ends them all; nothing may go on in the background.
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for evidence in found:
        if evidence.error is not None and evidence.error.kind == CHARGED_FOR_NOTHING:
            raise ProviderError(CHARGED_FOR_NOTHING, evidence.error.detail)
    return found


async def _recover_batches(judge: Model) -> BatchModel | None:
    """The batches that all questions go with, repairs in a round of their own; None where they are asked one by one."""
    batches: BatchModel | None = getattr(judge, "batches", None)
    if batches is None:
        return None
    await batches.recover()
    return batches if batches.sends else None


async def _judge_reply(asked: AskedQuestion, bench: _Bench) -> Evidence:
    """The judge's reply; one that breaks the question's grammar is followed by one repair, which stands."""
    question = asked.question
    request = Request(
        messages=question.messages,
        decoding=bench.decoding,
        sample=asked.sample,
        trial=asked.trial,
        seed=asked.seed(bench.seed),
    )
    blank = replace(asked.evidence(bench.name), temperature=bench.decoding.temperature)
    found = await _ask_judge(blank, bench.judge, request)
    if found.error is not None or not question.repair or matches_grammar(question.grammar, found.reply):
        return found
    again = (*question.messages, Message("assistant", found.reply), Message("user", question.repair))
    return await _ask_judge(replace(found, reply=""), bench.judge, replace(request, messages=again, turn=1))


async def _ask_judge(evidence: Evidence, judge: Model, request: Request) -> Evidence:
    try:
        completion = await judge.generate(request)
    except ProviderError as error:
        paid = replace(evidence, usage=evidence.usage + error.spent)
        return _failed_evidence(paid, error.kind, str(error))
    if completion.finish_reason == CONTEXT_OVERFLOW:
        paid = replace(evidence, usage=evidence.usage + completion.paid)
        return _failed_evidence(paid, CONTEXT_OVERFLOW, "the question does not fit the judge's context")
    return replace(evidence, reply=completion.text, usage=evidence.usage + completion.paid)


def matches_grammar(grammar: str, reply: str) -> bool:
    """Whether what the reply says, thinking apart, matches the grammar exactly once; any does where there is none."""
    return not grammar or len(re.findall(grammar, strip_thinking(reply) or "")) == 1


def _failed_evidence(evidence: Evidence, kind: str, detail: str) -> Evidence:
    return replace(evidence, error=Failure(kind, detail))


async def _find_similarities(similar: Sequence[AskedQuestion], embedder: Embed, name: str) -> list[Evidence]:
    try:
        # In a thread, so that requests under way are not held up by arithmetic.
        return await asyncio.to_thread(find_nearest_candidates, similar, embedder, name)
    except ProviderError as error:
        if error.kind in FATAL_KINDS:
            raise
        return [_failed_evidence(asked.evidence(name), error.kind, str(error)) for asked in similar]


def find_nearest_candidates(
    similar: Sequence[AskedQuestion], embedder: Embed, name: str = ""
) -> list[Evidence]:
    """The nearest candidate of each question, its cosine, and the target's; all texts embedded at once."""
    texts = list(
        dict.fromkeys(
            text for asked in similar for text in ((asked.question.text, *asked.question.candidates))
        )
    )
    if not texts:
        return []
    vectors = embedder(texts)
    row_of = {text: row for row, text in enumerate(texts)}
    groups: dict[tuple[str, ...], list[int]] = {}
    for index, asked in enumerate(similar):
        groups.setdefault(asked.question.candidates, []).append(index)
    found: dict[int, Evidence] = {}
    for candidates, members in groups.items():
        # Each candidate once: equal texts then have equal cosines to the last bit, and the first wins.
        distinct = list(dict.fromkeys(candidates))
        asking = vectors[[row_of[similar[index].question.text] for index in members]]
        cosines = asking @ vectors[[row_of[text] for text in distinct]].T if distinct else None
        for row, index in enumerate(members):
            found[index] = _nearest_candidate(
                similar[index], distinct, None if cosines is None else cosines[row], name
            )
    return [found[index] for index in range(len(similar))]


def _nearest_candidate(
    asked: AskedQuestion,
    distinct: list[str],
    cosines: np.ndarray[tuple[int], np.dtype[np.float32]] | None,
    name: str,
) -> Evidence:
    question = asked.question
    blank = asked.evidence(name)
    if cosines is None:
        return _failed_evidence(blank, "no_candidates", "nothing to compare the text with")
    if not 0 <= question.target < len(question.candidates):
        return _failed_evidence(
            blank, "no_target", f"candidate {question.target} of {len(question.candidates)}"
        )
    best = int(np.argmax(cosines))
    return replace(
        blank,
        nearest=question.candidates.index(distinct[best]),
        nearest_similarity=float(cosines[best]),
        target_similarity=float(cosines[distinct.index(question.candidates[question.target])]),
    )
