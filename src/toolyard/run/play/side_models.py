"""Models besides the evaluated one and the judge: who plays the user, who rewrites queries; what they cost is noted.

{"role": "user", "usage": {"prompt_tokens": 80, "completion_tokens": 12}}
"""

from collections import defaultdict
from dataclasses import asdict

from toolyard.core.errors import ProviderError
from toolyard.core.types import Completion, Request, Usage
from toolyard.lines import Appender, read_lines
from toolyard.models.base import Model
from toolyard.models.loading import model_price
from toolyard.models.request_costs import Budget, known_price
from toolyard.run.play.environment import is_model
from toolyard.run.play.episodes import Answer
from toolyard.run.run import Run

SPENDING = "spending.jsonl"
USER, REWRITER = "user", "rewriter"


def side_models(run: Run) -> dict[str, str]:
    """The names of the models that take part besides the evaluated one, by what they do."""
    user = run.options.values.get(USER, "")
    named = {USER: user if is_model(user) else "", REWRITER: run.config.rewriter}
    return {role: name for role, name in named.items() if name}


def refuse_unpriced_side_models(run: Run) -> None:
    """A limit that leaves out a model without a price could not be kept."""
    for role, name in side_models(run).items():
        known_price(model_price(name), role)


def side_cost(run: Run) -> float | None:
    """What they have cost in all sessions, from the files; None where a price is not known."""
    spent: dict[str, Usage] = defaultdict(Usage)
    for line in read_lines(run.folder / SPENDING):
        spent[line["role"]] += Usage(**line["usage"])
    names = side_models(run)
    prices = {role: model_price(names[role]) for role in spent if role in names}
    if None in prices.values():
        return None
    return sum(price.cost(spent[role]) for role, price in prices.items() if price is not None)


def paid_answers(run: Run, role: str, model: Model, budget: Budget) -> Answer:
    """The model's answers, each within the budget and noted before it is used."""

    def note(usage: Usage) -> None:
        with Appender(run.folder / SPENDING) as appender:
            appender.append({"role": role, "usage": asdict(usage)})

    async def answer(request: Request) -> Completion:
        try:
            completion = await budget.ask(model, request)
        except ProviderError as error:
            if error.spent != Usage():
                note(error.spent)
            raise
        note(completion.paid)
        return completion

    return answer
