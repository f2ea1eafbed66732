"""What a MODEL argument says, taken apart once.

KIND[/NAME][?SETTING=VALUE&...]    openai/org/m:1?base_url=http://localhost:8000/v1&price=0.15,0.60
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from urllib.parse import unquote

from toolyard.core.errors import UsageError
from toolyard.models.base import Price
from toolyard.models.http.address import hidden_parts, looks_like_key, refuse_keys, shown_url

# What does not change a model's answers.
NOT_IDENTITY = ("price", "key_env")


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A MODEL argument: which provider, which of its models, and with which settings.

    `rest` is all that follows the first slash, for providers that read it their own way.
    """

    kind: str
    name: str
    rest: str = field(repr=False)
    settings: Mapping[str, str] = field(repr=False)
    # kept as they were typed: runs are filed under them
    _pairs: tuple[str, ...] = field(repr=False)

    @classmethod
    def parse(cls, text: str) -> "ModelSpec":
        """The argument's parts; an address with a key in it is refused, an unknown kind is not."""
        return _parse_spec(text)

    @property
    def display(self) -> str:
        """What people call the model: the argument without its settings."""
        return f"{self.kind}/{self.name}" if self.name else self.kind

    @property
    def identity(self) -> str:
        """What the answers depend on: the argument without price and name of the key."""
        return self._with([pair for pair in self._pairs if pair.split("=")[0] not in NOT_IDENTITY])

    @property
    def printable(self) -> str:
        """The whole argument as it may be written down; keys in a path are replaced by a digest."""
        return self._with(self._pairs)

    @property
    def holds_key(self) -> bool:
        """Whether the address has a part that is not shown."""
        return bool(hidden_parts(self.settings.get("base_url", "")))

    def _with(self, pairs: Sequence[str]) -> str:
        query = "&".join(_shown_pair(pair) for pair in pairs)
        return f"{self.display}?{query}" if query else self.display

    @property
    def price(self) -> Price | None:
        """The price that `?price=IN,OUT[,CACHED]` names, per million tokens."""
        text = self.settings.get("price")
        if text is None:
            return None
        try:
            read, written, *cached = (float(part) for part in text.split(","))
        except ValueError:
            read, written, cached = 0.0, 0.0, [0.0, 0.0]
        if len(cached) > 1:
            raise UsageError(
                f"price={text[:40]}: wanted IN,OUT per million tokens, e.g. price=0.15,0.60 "
                "(a third number prices cached tokens)"
            )
        if not all(math.isfinite(value) and value >= 0 for value in (read, written, *cached)):
            raise UsageError(f"price={text[:40]}: a price is a number from 0 up, per million tokens")
        return Price(read, written, *cached)

    def refuse_other_settings(self, *known: str) -> None:
        """Stops at a setting that this kind of model does not have."""
        unknown = [key for key in self.settings if key not in known]
        if unknown:
            there = f"there are {', '.join(known)}" if known else "it takes none"
            raise UsageError(f"{self.kind}/NAME?{unknown[0][:40]}=: no such setting; {there}")


def _shown_pair(pair: str) -> str:
    key, _, value = pair.partition("=")
    url = unquote(value)
    return pair if key != "base_url" or shown_url(url) == url else f"base_url={shown_url(url)}"


@lru_cache(maxsize=256)
def _parse_spec(text: str) -> ModelSpec:
    head, _, query = text.partition("?")
    kind, _, name = head.partition("/")
    pairs = tuple(pair for pair in query.split("&") if pair)
    split = (pair.partition("=") for pair in pairs)
    settings = {key: unquote(value) for key, _, value in split}
    if "base_url" in settings:
        refuse_keys(settings["base_url"])
    if not settings.get("key_env", "VAR").isidentifier():
        raise UsageError("key_env is not the name of an environment variable; wanted e.g. key_env=MY_API_KEY")
    if kind == "openai" and "/" not in name and name.startswith("sk-") and looks_like_key(name):
        raise UsageError("openai/sk-...: that is a key, not a model's name; export it as OPENAI_API_KEY")
    return ModelSpec(kind, name, text.partition("/")[2], settings, pairs)
