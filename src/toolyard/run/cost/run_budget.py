"""What a run has cost and may cost: its budget, with what judging takes at most set aside beforehand."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from toolyard.core.types import Decoding, Question, Transcript, Usage
from toolyard.models.base import Model, Price, estimated_tokens
from toolyard.models.judge.judge_answers import AskedQuestion
from toolyard.models.loading import model_identity, model_price
from toolyard.models.request_costs import Budget, known_price, thought_tokens
from toolyard.run.grade.evidence import Instruments, pending_questions
from toolyard.run.grade.grading import questions_by_key
from toolyard.run.play.side_models import refuse_unpriced_side_models, side_cost
from toolyard.run.run import Run


def add_thought_room(decoding: Decoding, room: int) -> Decoding:
    """What a reply may take, its thoughts among it."""
    return replace(decoding, max_tokens=decoding.max_tokens + room)


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


def usage_pricing(model: Model) -> Callable[[Usage], float | None]:
    """What tokens of the model cost; None where its price is not known."""
    return lambda usage: None if model.price is None else model.price.cost(usage)


def refuse_unpriced(run: Run, model: Model, judge: Model | None) -> None:
    """A limit that could not be kept is refused before anything is sent."""
    if run.settings.max_cost is None:
        return
    known_price(model.price, "model")
    refuse_unpriced_side_models(run)
    if judge is not None and run.benchmark.judging is not None:
        known_price(judge.price, "judge")


def sessions_cost(run: Run, price: Price | None, judge: str = "", judge_price: Price | None = None) -> float:
    """What all sessions of a run have cost, from its files; a model without a price is left out."""
    cost = side_cost(run) or 0.0
    if price is not None:
        cost += price.cost(run.store.usage())
    if judge_price is not None:
        name = model_identity(judge)
        asked = (item.usage for item in run.store.evidence() if model_identity(item.model) == name)
        cost += judge_price.cost(sum(asked, Usage()))
    return cost


def planned_cost(run: Run) -> float:
    """The same by the prices of the models that its settings name."""
    model, judge = run.settings.model, run.settings.judge
    return sessions_cost(run, model_price(model, run.benchmark), judge, model_price(judge) if judge else None)


def run_budget(run: Run, model: Model, instruments: Instruments) -> Budget:
    """What the run has cost so far and what judging its answers will, from the files of all sessions."""
    limit, judge = run.settings.max_cost, instruments.judge
    if limit is None or judge is None or run.benchmark.judging is None:
        return Budget(limit, run.spent_beside + sessions_cost(run, model.price))
    price = known_price(judge.price, "judge")
    decoding = add_thought_room(instruments.decoding, thought_tokens(judge))
    budget = Budget(limit, run.spent_beside + sessions_cost(run, model.price, instruments.judge_name, price))
    earlier = pending_questions(run.setup, run.samples, run.store, instruments)
    budget.judge_reserve = largest_cost(earlier, price, decoding)
    by_id = {sample.id: sample for sample in run.samples}

    def judging_cost(transcript: Transcript) -> float:
        questions = questions_by_key(run.setup, by_id[transcript.sample], transcript).values()
        once = sum(worst_case_cost(question, price, decoding) for question in questions)
        return once * instruments.judge_trials

    budget.judging_cost = judging_cost
    return budget
