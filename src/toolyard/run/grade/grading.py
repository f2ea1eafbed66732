"""From transcripts and evidence to scores, under any profile; never talks to a model."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import orjson

from toolyard.core.benchmark import Benchmark, RunSetup
from toolyard.core.errors import ANSWERED_EMPTY, UsageError
from toolyard.core.ordered_sums import group_items
from toolyard.core.types import Evidence, Profile, Question, Record, Sample, Score, Transcript
from toolyard.run.store import records
from toolyard.stats.summary import Graded

EvidenceBook = Mapping[tuple[str, int, str], Evidence]


def question_key(question: Question) -> str:
    """The digest of what is asked, apart from its name."""
    digest = hashlib.blake2b(digest_size=12)
    digest.update(question.kind.encode())
    for message in question.messages:
        digest.update(orjson.dumps([message.role, *_encodable_lines(message.content)]))
    digest.update(orjson.dumps([*_encodable_lines(question.text), question.target, len(question.candidates)]))
    return digest.hexdigest()


def answer_key(transcript: Transcript) -> str:
    """The digest of what was answered: what is executed depends on nothing else about a sample."""
    digest = hashlib.blake2b(digest_size=12)
    for completion in transcript.completions:
        digest.update(repr((completion.text, completion.tool_calls)).encode("utf-8", "backslashreplace"))
    return digest.hexdigest()


def _encodable_lines(text: str) -> list[str]:
    return [text.encode("utf-8", "backslashreplace").decode()]


def has_answer(transcript: Transcript) -> bool:
    """Whether there is an answer to grade."""
    return transcript.error is None or transcript.error.kind in ANSWERED_EMPTY


def questions_by_key(setup: RunSetup, sample: Sample, transcript: Transcript) -> dict[str, Question]:
    """All that any profile wants to know about one answer, by key."""
    if not setup.benchmark.asks or not has_answer(transcript):
        return {}
    found: dict[str, Question] = {}
    # What is executed is the same under any profile.
    profiles = setup.benchmark.profiles if setup.benchmark.judging is not None else ("paper",)
    for profile in profiles:
        prediction = setup.benchmark.scoring.parse(sample, transcript, profile)
        for question in setup.questions(sample, prediction, profile):
            key = answer_key(transcript) if question.kind == "execution" else question_key(question)
            found.setdefault(key, question)
    return found


def keep_printed_metrics(benchmark: Benchmark) -> Benchmark:
    """The benchmark with the paper's own figures alone; the others are undefined, and nobody counts errors."""
    scoring = benchmark.scoring
    printed = benchmark.reference.printed.score if benchmark.reference is not None else None
    if printed is None:
        raise UsageError(
            f"{benchmark.name} has no metrics besides those that explain others; leave out --printed-only"
        )

    def score(
        sample: Sample,
        prediction: object,
        evidence: Mapping[str, Evidence],  # noqa: ARG001 - the signature of Scoring.score
        profile: Profile,
    ) -> Score:
        return printed(sample, prediction, profile)

    return replace(benchmark, scoring=replace(scoring, score=score, errors={}, executions=None))


def grade(
    setup: RunSetup, sample: Sample, transcript: Transcript, book: EvidenceBook, profile: Profile
) -> Graded:
    """What one transcript earned; a transcript without an answer is unscored, not zero."""
    if transcript.error is not None and not has_answer(transcript):
        missing = Score(sample.id, transcript.trial, unscored=transcript.error.kind)
        return Graded(sample, transcript, missing)
    scoring = setup.benchmark.scoring
    prediction = scoring.parse(sample, transcript, profile)
    # Where nothing was asked, no question needs to be posed.
    evidence = _evidence_for(setup, sample, transcript, prediction, book, profile) if book else {}
    score = scoring.score(sample, prediction, evidence, profile)
    if score.sample != sample.id or score.trial != transcript.trial:
        score = replace(score, sample=sample.id, trial=transcript.trial)
    if score.reasons and transcript.is_cut:
        cut = f"an answer was cut at the limit of {setup.decoding.max_tokens} tokens"
        score = replace(score, reasons=(cut, *score.reasons))
    if transcript.dropped:
        score = replace(score, reasons=(transcript.dropped, *score.reasons))
    return Graded(sample, transcript, score)


def _evidence_for(
    setup: RunSetup,
    sample: Sample,
    transcript: Transcript,
    prediction: object,
    book: EvidenceBook,
    profile: Profile,
) -> dict[str, Evidence]:
    if setup.benchmark.judging is None:
        # The only question is what the answer's calls return: there is no need to ask it again.
        executed = book.get((sample.id, transcript.trial, answer_key(transcript)))
        return {} if executed is None else {executed.question: executed}
    found: dict[str, Evidence] = {}
    for question in setup.questions(sample, prediction, profile):
        # Evidence that the user brings is filed under the question's name, ours under its content.
        for key in (question_key(question), f"id:{question.id}"):
            if (sample.id, transcript.trial, key) in book:
                found[question.id] = book[sample.id, transcript.trial, key]
                break
    return found


def grade_all(
    setup: RunSetup,
    samples: Sequence[Sample],
    transcripts: Iterable[Transcript],
    book: EvidenceBook,
    profile: Profile,
) -> list[Graded]:
    """Every transcript graded, in the order of the samples, then of the trials."""
    by_sample = group_items(transcripts, lambda transcript: transcript.sample)
    graded = [
        grade(setup, sample, transcript, book, profile)
        for sample in samples
        for transcript in sorted(by_sample.get(sample.id, []), key=lambda item: item.trial)
    ]
    replaced = {
        sample: counted
        for deviation in setup.benchmark.deviations
        if deviation.substitutes is not None
        for sample, counted in deviation.substitutes(samples, profile).items()
    }
    if not replaced:
        return graded
    by_name = {(item.sample.id, item.transcript.trial): item for item in reversed(graded)}
    return [_with_counted_score(item, replaced, by_name) for item in graded]


def _with_counted_score(
    item: Graded, replaced: Mapping[str, str], by_name: Mapping[tuple[str, int], Graded]
) -> Graded:
    """The item with the score that is counted for it; its own where the other was not evaluated."""
    other = by_name.get((replaced.get(item.sample.id, ""), item.transcript.trial))
    if other is None:
        return item
    reasons = (f"the released scorer counts {other.sample.id} here", *other.score.reasons)
    return replace(item, score=replace(other.score, sample=item.sample.id, reasons=reasons))


def score_lines(graded: Mapping[Profile, Sequence[Graded]]) -> Iterator[Record]:
    """The lines of scores.jsonl: one per (sample, trial) with all profiles."""
    first, *_ = graded.values()
    for index, item in enumerate(first):
        yield {
            "sample": item.sample.id,
            "trial": item.transcript.trial,
            "cluster": item.sample.cluster,
            "groups": item.sample.groups,
            **({"stratum": item.sample.stratum, "weight": item.sample.weight} if item.sample.stratum else {}),
            "profiles": {
                profile: records.score_line(items[index].score) for profile, items in graded.items()
            },
        }
