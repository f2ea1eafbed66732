"""Every error that Toolyard raises on purpose; each message is one line that a user can act on."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from toolyard.core.types import Usage


def nearest(word: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """The known word that a misspelt one most likely stands for, in any case; empty where none is near."""
    folded = {each.casefold(): each for each in known}
    near = get_close_matches(word.casefold(), folded, n=1, cutoff=cutoff)
    return folded[near[0]] if near else ""


class ToolyardError(Exception):
    """A mistake or a limit that the user can do something about; the command line exits with 1."""

    def __init__(self, message: str) -> None:
        # What was found is quoted from files of others, which may hold line breaks.
        super().__init__(" ".join(message.splitlines()) if "\n" in message or "\r" in message else message)


class UsageError(ToolyardError):
    """A command, option or name that does not exist or does not fit."""


class DataError(ToolyardError):
    """A file that is missing or not in the wanted form; says which line and field."""


class RunMismatch(ToolyardError):
    """A run directory that was started with other settings."""


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


RETRYABLE_KINDS = frozenset({"rate_limited", "server_error", "timeout", "connection", "bad_response"})
# A wrong key or a wrong address will fail for every sample: the run stops instead of filling a file with errors.
# An endpoint that counts tokens and answers nothing, time after time.
CHARGED_FOR_NOTHING = "charged_for_nothing"
FATAL_KINDS = frozenset(
    {"bad_key", "not_found", "unreachable", "web_page", "batch_refused", CHARGED_FOR_NOTHING}
)
