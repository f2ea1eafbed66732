"""Questions to a model, row by row: asked again while the text is not accepted, counted in tokens."""

from dataclasses import dataclass, replace
from pathlib import Path

from toolyard.core.errors import FATAL_KINDS, OVER_BUDGET, ProviderError, UsageError
from toolyard.core.types import Failure, Request, Usage, derived_seed
from toolyard.models.base import CONCURRENCY, RETRIES, TIMEOUT, Model, Respond
from toolyard.models.loading import load_model, model_identity
from toolyard.models.request_costs import Budget, PaidModel
from toolyard.synth.stages import Ask, Context, Outcome, Rejected, Row, Stage, visible_row


@dataclass(frozen=True, slots=True)
class StageResult:
    """What a stage made of one row; a failure is a request that no model answered, to be tried again later."""

    outcome: Outcome | Failure
    usage: Usage = Usage()


@dataclass(frozen=True, slots=True)
class Answering:
    """Who answers, how many at once, and where answers are kept. Without a model nothing can be asked."""

    model: str | Respond | Model | None = None
    cache: Path | None = None
    concurrency: int = CONCURRENCY
    timeout: float = TIMEOUT
    rpm: float | None = None
    tpm: float | None = None
    retries: int = RETRIES
    # what all questions together may cost
    budget: Budget | None = None
    # answers the questions of checking stages, where it is another than the writer
    checker: str | Respond | Model | None = None

    def of(self, stage: Stage) -> "Answering":
        """Who answers the questions of a stage."""
        checks = isinstance(stage, Ask) and stage.role == "checker" and self.checker is not None
        return replace(self, model=self.checker, checker=None) if checks else self

    @property
    def identity(self) -> str:
        """What outcomes depend on: the model, without its price and the name of its key."""
        if isinstance(self.model, str):
            return model_identity(self.model)
        return "" if self.model is None else getattr(self.model, "name", type(self.model).__name__)

    @property
    def identities(self) -> str:
        """Writer and checker, as the card names them."""
        if self.checker is None:
            return self.identity
        return f"{self.identity}, checked by {replace(self, model=self.checker, checker=None).identity}"

    def load(self) -> Model:
        """The model, ready to be asked."""
        if self.model is None:
            raise UsageError("this pipeline asks a model; name one with -m MODEL")
        model = load_model(
            self.model,
            cache=self.cache,
            concurrency=self.concurrency,
            timeout=self.timeout,
            retries=self.retries,
            rpm=self.rpm,
            tpm=self.tpm,
        )
        return model if self.budget is None else PaidModel(model, self.budget)


async def ask_model_about_row(stage: Ask, row: Row, context: Context, model: Model) -> StageResult:
    """What the model makes of one row.

    A request that fails for good (a prompt too long, a refusal) ends the row; one that may succeed later is a
    failure, which is tried again by the next run, as is one that a limit or a wrong key stops.
    """
    seen = visible_row(stage, row)
    usage = Usage()
    outcome = None
    for attempt in range(stage.attempts):
        request = Request(
            stage.prompt(seen, context),
            stage.decoding,
            sample=f"{stage.name}/{row['id']}",
            trial=attempt,
            seed=derived_seed(context.seed, f"{stage.name}/{row['id']}", attempt),
        )
        try:
            completion = await model.generate(request)
        except ProviderError as error:
            usage += error.spent
            if error.retryable or error.kind in FATAL_KINDS or error.kind == OVER_BUDGET:
                return StageResult(Failure(error.kind, str(error)), usage)
            return StageResult(Rejected(f"provider_{error.kind}", str(error)), usage)
        usage += completion.usage + completion.lost
        outcome = stage.accept(seen, completion.text, context)
        if not isinstance(outcome, Rejected):
            break
    assert outcome is not None, "attempts are at least 1"
    return StageResult(outcome, usage)
