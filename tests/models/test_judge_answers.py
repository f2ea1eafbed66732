"""Questions answered into evidence."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from answering_model import AnsweringModel
from toolyard.core.errors import ProviderError
from toolyard.core.types import Completion, Decoding, Evidence, Message, Question, Request, Usage
from toolyard.models.judge.judge_answers import AskedQuestion, Record, answer_questions

DIRECTIONS = {"north": (1, 0), "east": (0, 1), "north-east": (0.6, 0.8), "up": (1, 0)}


class Directions:
    """An embedder of four words that counts how often it is called."""

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        self.calls.append(list(texts))
        return np.array([DIRECTIONS[text] for text in texts], np.float32)


def said(request: Request) -> Completion:
    """What the last message says; some words make it fail."""
    text = request.messages[-1].content
    if text.startswith("fail "):
        raise ProviderError(text[5:], "as asked")
    return Completion("", "context_overflow") if text == "overflow" else Completion(text, usage=Usage(3, 4))


def lenient_judge() -> AnsweringModel:
    return AnsweringModel(said, name="judge")


def near(sample: str, text: str, *candidates: str, target: int = 0) -> AskedQuestion:
    question = Question("near", "similarity", text=text, candidates=candidates, target=target)
    return AskedQuestion(sample, question, key=f"k{sample}")


def judged(sample: str, text: str, trial: int = 0) -> AskedQuestion:
    question = Question("verdict", "judge", messages=(Message("user", text),))
    return AskedQuestion(sample, question, trial=trial, key=f"k{sample}")


def answers(
    questions: list[AskedQuestion],
    judge: AnsweringModel | None = None,
    embedder: Directions | None = None,
    record: Record = lambda evidence: None,
) -> tuple[Evidence, ...]:
    return asyncio.run(
        answer_questions(
            questions, judge=judge, embedder=embedder, decoding=Decoding(max_tokens=7), record=record
        )
    )


def test_the_nearest_candidate_and_the_target_are_measured_and_the_first_of_equals_is_nearest() -> None:
    embedder = Directions()
    one, two = answers(
        [near("a", "north-east", "north", "east", target=0), near("b", "north", "north", "east", target=1)],
        embedder=embedder,
    )
    assert one.nearest == 1
    assert one.target_similarity == pytest.approx(0.6)
    assert one.nearest_similarity == pytest.approx(0.8)
    assert (two.nearest, two.nearest_similarity, two.target_similarity) == (0, 1.0, 0.0)
    assert (one.sample, one.question, one.key) == ("a", "near", "ka")
    assert embedder.calls == [["north-east", "north", "east"]]
    (repeated,) = answers([near("a", "up", "east", "north", "north", "up")], embedder=Directions())
    assert repeated.nearest == 1


def test_questions_without_candidates_fail_and_those_that_nobody_can_answer_are_not_asked() -> None:
    empty, beyond = answers([near("a", "up"), near("b", "up", "north", target=3)], embedder=Directions())
    assert empty.error is not None and empty.error.kind == "no_candidates"
    assert beyond.error is not None and beyond.error.kind == "no_target"
    questions = [judged("a", "yes"), near("b", "up", "north")]
    assert answers(questions) == ()
    assert [evidence.sample for evidence in answers(questions, judge=lenient_judge())] == ["a"]
    assert [evidence.sample for evidence in answers(questions, embedder=Directions())] == ["b"]


def test_the_judge_is_asked_with_its_own_decoding_and_a_seed_of_the_sample() -> None:
    judge = lenient_judge()
    first, second = answers([judged("a", "yes"), judged("a", "no", trial=1)], judge=judge)
    assert (first.reply, first.usage, first.model, first.trial) == ("yes", Usage(3, 4), "judge", 0)
    assert (second.reply, second.trial) == ("no", 1)
    assert [request.decoding.max_tokens for request in judge.requests] == [7, 7]
    assert judge.requests[0].seed != judge.requests[1].seed


def test_evidence_comes_in_the_order_of_questions_and_is_recorded_as_it_arrives() -> None:
    recorded: list[Evidence] = []
    questions = [judged("a", "1"), near("b", "up", "north"), judged("c", "3")]
    found = answers(questions, judge=lenient_judge(), embedder=Directions(), record=recorded.append)
    assert [evidence.sample for evidence in found] == ["a", "b", "c"]
    assert sorted(recorded, key=lambda evidence: evidence.sample) == list(found)


@pytest.mark.parametrize(("text", "kind"), [("fail timeout", "timeout"), ("overflow", "context_overflow")])
def test_a_judge_that_fails_is_a_failure_and_not_a_verdict(text: str, kind: str) -> None:
    good, bad = answers([judged("a", "yes"), judged("b", text)], judge=lenient_judge())
    assert good.error is None
    assert bad.error is not None and bad.error.kind == kind
    assert bad.reply == ""


def test_a_judge_that_fails_for_everybody_stops_the_asking() -> None:
    with pytest.raises(ProviderError) as caught:
        answers([judged("a", "yes"), judged("b", "fail bad_key"), judged("c", "yes")], judge=lenient_judge())
    assert caught.value.kind == "bad_key"


def halting_judge(*replies: str) -> AnsweringModel:
    """Gives its replies one after the other, whatever it is asked."""
    left = [Request((Message("assistant", text),), Decoding()) for text in replies]
    return AnsweringModel(lambda request: said(left.pop(0)))


def strictly(text: str = "grade this") -> AskedQuestion:
    question = Question(
        "verdict", "judge", (Message("user", text),), grammar=r"(?m)^Score: [1-5]$", repair="Again, please."
    )
    return AskedQuestion("a", question, key="k")


def test_a_reply_in_the_grammar_is_not_asked_for_again() -> None:
    judge = halting_judge("<think>\nScore: 1\n</think>\nScore: 4")
    (found,) = answers([strictly()], judge=judge)
    assert found.reply.endswith("Score: 4")
    assert len(judge.requests) == 1


@pytest.mark.parametrize("bad", ["four", "Score: 4 or 5", "Score: 1\nScore: 4", "", "<think>\nScore: 4"])
def test_a_reply_outside_the_grammar_gets_one_repair_and_both_are_paid_for(bad: str) -> None:
    judge = halting_judge(bad, "Score: 4")
    (found,) = answers([strictly()], judge=judge)
    assert (found.reply, found.usage, found.error) == ("Score: 4", Usage(6, 8), None)
    again = judge.requests[1]
    assert [(message.role, message.content) for message in again.messages] == [
        ("user", "grade this"), ("assistant", bad), ("user", "Again, please."),
    ]  # fmt: skip
    assert (again.turn, again.seed) == (1, judge.requests[0].seed)


def test_a_second_reply_stands_or_fails() -> None:
    judge = halting_judge("four", "still four", "Score: 4")
    (found,) = answers([strictly()], judge=judge)
    assert found.reply == "still four"
    assert len(judge.requests) == 2
    (found,) = answers([strictly()], judge=halting_judge("four", "fail timeout"))
    assert found.error is not None and found.error.kind == "timeout"
    assert (found.reply, found.usage) == ("", Usage(3, 4))


def test_repeated_askings_have_their_own_seeds_and_say_which_they_are() -> None:
    judge = lenient_judge()
    questions = [replace(judged("a", "yes"), judge_trial=number) for number in range(3)]
    assert [evidence.judge_trial for evidence in answers(questions, judge=judge)] == [0, 1, 2]
    assert len({request.seed for request in judge.requests}) == 3
