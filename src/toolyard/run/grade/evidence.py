"""The ANSWER step: questions that scoring has, answered once and kept."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from toolyard.core.benchmark import Benchmark, Embed, RunSetup
from toolyard.core.errors import OVER_BUDGET, BudgetExceeded, MissingAsset, MissingExtra, UsageError
from toolyard.core.metrics import JUDGED, SIMILAR
from toolyard.core.types import Decoding, Evidence, Sample, Transcript, Usage
from toolyard.models.base import Model
from toolyard.models.judge.judge_answers import (
    AskedQuestion,
    Record,
    answer_questions,
    find_nearest_candidates,
    matches_grammar,
)
from toolyard.models.loading import model_identity
from toolyard.models.request_costs import Budget, PaidModel
from toolyard.run.grade.executed_calls import EXECUTOR, execute_questions
from toolyard.run.grade.grading import EvidenceBook, questions_by_key
from toolyard.run.store.run_directory import RunStore

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
        return self.embedder, model_identity(self.judge_name), self.decoding.temperature, judge_trial

    def answered(self, evidence: Evidence, judge_trial: int = 0) -> bool:
        """Whether the evidence came from these instruments, in that asking of the judge."""
        if evidence.model in (self.embedder, EXECUTOR):
            return True
        asked = self.key(judge_trial)[1:]
        return asked == (model_identity(evidence.model), evidence.temperature, evidence.judge_trial)

    def valid(self, evidence: Iterable[Evidence], judge_trial: int = 0) -> EvidenceBook:
        """What these instruments wrote, the last of each question."""
        return evidence_book(item for item in evidence if self.answered(item, judge_trial))

    def embed(self) -> Embed | None:
        """The embedder, loaded; `none` leaves similarities out."""
        if self.embedder == NO_EMBEDDER:
            return None
        from toolyard.models.embed.embedding import load_embedder

        return load_embedder(self.embedder, named=self.named)


async def collect_evidence(
    setup: RunSetup,
    samples: Sequence[Sample],
    store: RunStore,
    instruments: Instruments,
    budget: Budget | None = None,
) -> None:
    """Answers every question that has no valid evidence yet, within the budget where there is one.

    Failures are asked again next time.
    """
    asked = pending_questions(setup, samples, store, instruments) if can_answer(setup, instruments) else []
    if not asked:
        return
    with store.append_evidence() as append:
        if budget is None or budget.limit is None or instruments.judge is None:
            await _answer_asked(asked, instruments, append)
        else:
            await _answer_within(asked, instruments, instruments.judge, append, budget)


def pending_questions(
    setup: RunSetup, samples: Sequence[Sample], store: RunStore, instruments: Instruments
) -> list[AskedQuestion]:
    """The questions about a run's answers that these instruments have not answered."""
    if not setup.benchmark.asks:
        return []
    questions = collect_questions(setup, samples, store.transcripts().values())
    evidence = store.evidence()
    return [
        replace(item, judge_trial=judge_trial)
        for judge_trial in range(instruments.judge_trials)
        for item in unanswered_questions(questions, instruments.valid(evidence, judge_trial))
        if judge_trial == 0 or item.question.kind == "judge"
    ]


def can_answer(setup: RunSetup, instruments: Instruments) -> bool:
    """Whether anybody is there to answer: without a judge, questions that all go to one are not even posed."""
    if setup.benchmark.judging is None:
        return setup.benchmark.asks
    scoring = setup.benchmark.scoring
    return (
        instruments.judge is not None
        or not scoring.metrics_tagged(JUDGED)
        or bool(scoring.metrics_tagged(SIMILAR))
    )


def unanswered_questions(questions: Iterable[AskedQuestion], known: EvidenceBook) -> Iterator[AskedQuestion]:
    """The questions without an answer, or with a failure in its place."""
    for item in questions:
        found = known.get((item.sample, item.trial, item.key))
        if found is None or found.error is not None:
            yield item


async def evidence_without_run(
    setup: RunSetup, samples: Sequence[Sample], transcripts: Iterable[Transcript], instruments: Instruments
) -> EvidenceBook:
    """The evidence about transcripts that belong to no run."""
    asked = collect_questions(setup, samples, transcripts) if can_answer(setup, instruments) else []
    found: list[Evidence] = []
    if asked:
        await _answer_asked(asked, instruments, found.append)
    return evidence_book(found)


def offline_book(
    setup: RunSetup, samples: Sequence[Sample], transcripts: Iterable[Transcript], instruments: Instruments
) -> EvidenceBook:
    """What needs no judge about offline transcripts: executions, and similarities where the embedder is at hand."""
    unjudged = replace(instruments, judge=None)
    posed = collect_questions(setup, samples, transcripts) if can_answer(setup, unjudged) else []
    return {**evidence_book(execute_questions(posed)), **_similarity_evidence(posed, instruments)}


def executed_book(
    setup: RunSetup, samples: Sequence[Sample], transcripts: Iterable[Transcript]
) -> EvidenceBook:
    """What the calls of offline transcripts return, where that is asked."""
    if setup.benchmark.scoring.executions is None:
        return {}
    return evidence_book(execute_questions(collect_questions(setup, samples, transcripts)))


def _similarity_evidence(posed: Sequence[AskedQuestion], instruments: Instruments) -> EvidenceBook:
    """Similarities; none where the embedder or its weights are not there."""
    asked = [item for item in posed if item.question.kind == "similarity"]
    if not asked:
        return {}
    try:
        embed = instruments.embed()
        return (
            {}
            if embed is None
            else evidence_book(find_nearest_candidates(asked, embed, instruments.embedder))
        )
    except (MissingAsset, MissingExtra):
        return {}


def given_evidence(benchmark: Benchmark, path: Path, samples: tuple[Sample, ...]) -> EvidenceBook:
    """Evidence that the user brings, filed under the names of the questions."""
    saved = benchmark.scoring.saved
    if benchmark.judging is None or saved is None or saved.evidence is None:
        raise UsageError(f"{benchmark.name} asks no judge, so --evidence has nothing to say")
    found = saved.evidence(path, samples)
    return {(item.sample, item.trial, f"id:{item.question}"): item for item in found}


def collect_questions(
    setup: RunSetup, samples: Sequence[Sample], transcripts: Iterable[Transcript]
) -> list[AskedQuestion]:
    """All questions about all transcripts, each content once per (sample, trial)."""
    by_id = {sample.id: sample for sample in samples}
    return [
        AskedQuestion(transcript.sample, question, transcript.trial, key)
        for transcript in transcripts
        if transcript.sample in by_id
        for key, question in questions_by_key(setup, by_id[transcript.sample], transcript).items()
    ]


def unreadable_reply(
    run_setup: RunSetup, samples: Sequence[Sample], store: RunStore, instruments: Instruments
) -> str:
    """One reply of the judge that has no readable verdict, and the form that was wanted; empty where all have one."""
    book = instruments.valid(store.evidence())
    for item in collect_questions(run_setup, samples, store.transcripts().values()):
        found, question = book.get((item.sample, item.trial, item.key)), item.question
        if question.kind != "judge" or found is None or found.error is not None:
            continue
        if not matches_grammar(question.grammar, found.reply):
            said, wanted = " ".join(found.reply.split())[:160], question.repair.splitlines()
            return (
                f"a reply of the judge cannot be read, so the judged metrics lack it: found {said!r}, "
                f"wanted {' / '.join(wanted[1:] or wanted) or question.grammar}"
            )
    return ""


def evidence_book(evidence: Iterable[Evidence]) -> EvidenceBook:
    """Evidence by sample, trial and question."""
    return {(item.sample, item.trial, item.key): item for item in evidence}


async def _answer_within(
    asked: Sequence[AskedQuestion], instruments: Instruments, judge: Model, record: Record, budget: Budget
) -> None:
    """Asks for as long as one more question is sure to fit the limit."""
    done = 0

    def keep(evidence: Evidence) -> None:
        nonlocal done
        stopped = evidence.error is not None and evidence.error.kind == OVER_BUDGET
        done += not stopped
        if not stopped or evidence.usage != Usage():
            record(evidence)

    # What was set aside for the judge is now spent by it.
    budget.judge_reserve = 0.0
    await _answer_asked(asked, replace(instruments, judge=PaidModel(judge, budget)), keep)
    if budget.refused:
        raise BudgetExceeded(
            f"{budget.reached} while judging: {len(asked) - done} of {len(asked)} questions remain; {budget.go_on}"
        )


async def _answer_asked(asked: Sequence[AskedQuestion], instruments: Instruments, record: Record) -> None:
    for evidence in execute_questions(asked):
        record(evidence)
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
    )
