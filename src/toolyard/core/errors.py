"""The error model: where an error begins, how it is classified, what is retried, what is recorded.

    ToolyardError          a mistake or a limit that the user can act on; exit 1
    ├── UsageError         a command, option or name that does not exist or does not fit
    ├── DataError          a file that is missing or not in the wanted form
    ├── RunMismatch        a run directory that was started with other settings
    │   └── RunBusy        one that another process is writing
    ├── MissingExtra       a package that is not installed
    ├── MissingAsset       weights or data that were not fetched
    ├── BudgetExceeded     the cost limit was reached; exit 5
    └── ProviderError      a model that did not answer; `kind` says why

1. Three places raise. Settings, files and data are checked before the first request: the user's mistakes. A model's
   provider raises ProviderError, the only error of a single request. A cost limit ends a run. Anything else is a
   defect of ours and keeps its traceback. Model text never raises: a parser returns what it could read.
2. `kind` is a stable word, chosen once, where the provider reads the endpoint's answer. Its class follows from it:
   RETRYABLE_KINDS may succeed later, FATAL_KINDS would fail for every sample, ANSWERED_EMPTY is the model's own limit;
   all others concern one sample.
3. The provider alone retries, and only RETRYABLE_KINDS, up to `--retries` times, after `retry_after` where the endpoint
   names it. A fatal kind ends the run at once; so do ten failures from the start. The same command tries again
   whatever has no answer.
4. A request that failed for good is data, not a crash: its transcript or evidence line holds a `Failure(kind, detail)`
   and what was paid. Such a sample is unscored, never zero; ANSWERED_EMPTY scores as an empty answer. No failure is cached.

The command line prints a ToolyardError as one line, and so it does an error of the system, e.g. a full disk.
"""

from collections.abc import Collection, Iterable
from difflib import get_close_matches

from toolyard.core.types import Usage


def closest_word(word: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """The known word that a misspelt one most likely stands for, in any case; empty where none is near."""
    folded = {each.casefold(): each for each in known}
    near = get_close_matches(word.casefold(), folded, n=1, cutoff=cutoff)
    return folded[near[0]] if near else ""


def did_you_mean(word: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """The question after the known word that a misspelt one is near to, and a space; empty where none is."""
    near = closest_word(word, known, cutoff)
    return f"did you mean {near}? " if near not in ("", word) else ""


class ToolyardError(Exception):
    """What a caller catches to catch them all."""

    def __init__(self, message: str) -> None:
        # What was found is quoted from files of others, which may hold line breaks.
        super().__init__(" ".join(message.splitlines()) if "\n" in message or "\r" in message else message)


class UsageError(ToolyardError):
    """A command, option or name that does not exist or does not fit."""


def refuse_unknown(what: str, word: str, known: Collection[str]) -> None:
    """Stops at a word that is none of those wanted."""
    if word not in known:
        found = f"{what} {word!r} is not one of {', '.join(known)}; {did_you_mean(word, known)}"
        raise UsageError(found.rstrip("; "))


class DataError(ToolyardError):
    """A file that is missing or not in the wanted form; says which line and field."""


class RunMismatch(ToolyardError):
    """A run directory that was started with other settings."""


class RunBusy(RunMismatch):
    """A folder that another process is writing."""


class MissingExtra(ToolyardError):
    """A feature whose packages are not installed; the message holds the install line."""


class MissingAsset(ToolyardError):
    """Weights or data that have not been fetched yet; the message holds the fetch command."""


class BudgetExceeded(ToolyardError):
    """The cost limit was reached; the command line exits with 5."""


class ProviderError(ToolyardError):
    """A request that a model endpoint did not answer; `kind` is a stable label.

    `spent` is what was paid for all the same: attempts that brought no answer. `billed`: it was sent and may be charged
    for, but nobody has said how much.
    """

    def __init__(
        self,
        kind: str,
        message: str,
        *,
        retry_after: float | None = None,
        spent: Usage = Usage(),
        billed: bool = False,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.retry_after = retry_after
        self.spent = spent
        self.billed = billed

    @property
    def retryable(self) -> bool:
        """Whether the same request may succeed later."""
        return self.kind in RETRYABLE_KINDS


# An endpoint that counts tokens and answers nothing, time after time.
CHARGED_FOR_NOTHING = "charged_for_nothing"
# A Python function of the user's that raised.
CALLABLE_FAILED = "callable_failed"
# A request that may pass the cost limit, and was not sent.
OVER_BUDGET = "over_budget"
# A prompt that does not fit the model's context.
CONTEXT_OVERFLOW = "context_overflow"
RETRYABLE_KINDS = frozenset({"rate_limited", "server_error", "timeout", "connection", "bad_response"})
FATAL_KINDS = frozenset(
    {"bad_key", "not_found", "unreachable", "web_page", "batch_refused", CHARGED_FOR_NOTHING}
)
ANSWERED_EMPTY = frozenset({CONTEXT_OVERFLOW})
