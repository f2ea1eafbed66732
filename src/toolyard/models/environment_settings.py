"""What surrounds a MODEL argument: variables of a file, the address in OPENAI_BASE_URL, a list of prices.

OPENAI_BASE_URL=https://llm.example.com/v1      openai/m  ->  openai/m?base_url=https://llm.example.com/v1
{"m": {"input_cost_per_token": 1.5e-07, "output_cost_per_token": 6e-07}}  ->  openai/m?price=0.15,0.6
"""

import json
import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from toolyard.core.errors import UsageError, did_you_mean
from toolyard.core.types import JsonValue
from toolyard.models.http.address import refuse_keys, shown_url
from toolyard.models.spec import ModelSpec

BASE_URL = "OPENAI_BASE_URL"
# Kinds of models that are asked at an address.
ADDRESSED = ("openai", "responses")
COSTS = ("input_cost_per_token", "output_cost_per_token", "cache_read_input_token_cost")
LARGEST_FILE = 64 * 2**20
DATE_FIELDS = ("date", "updated", "updated_at")
DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
VARIABLE = re.compile(r"(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*)")


@dataclass(frozen=True, slots=True)
class PriceList:
    """Prices by the name of a model, and the date that they are of."""

    path: Path
    date: str
    entries: Mapping[str, JsonValue]

    def price_of(self, name: str) -> str:
        """A model's price as a MODEL argument names it, per million tokens; one that is not listed is refused."""
        entry = self.entries.get(name) or self.entries.get(f"openai/{name}")
        costs = [entry.get(key) for key in COSTS] if isinstance(entry, Mapping) else []
        if not costs:
            raise UsageError(
                f"{self.path} has no price of {name!r}; {did_you_mean(name, self.entries)}"
                "add it there, or give ?price=IN,OUT"
            )
        given = [cost for cost in costs if cost is not None]
        numbers = [cost for cost in given if isinstance(cost, int | float) and not isinstance(cost, bool)]
        if None in costs[:2] or len(numbers) != len(given) or not all(map(_is_price, numbers)):
            raise UsageError(f"{self.path}: {name!r} wants {COSTS[0]} and {COSTS[1]}, numbers from 0 up")
        return ",".join(f"{cost * 1e6:.10g}" for cost in numbers)


def _is_price(cost: float) -> bool:
    return math.isfinite(cost) and cost >= 0


def read_prices(path: Path) -> PriceList:
    """A list of prices in litellm's form: objects by model name, with costs per token.

    Its date is a field of its own, else the one in its name, else the day on which the file was last written.
    """
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise UsageError(f"--prices {path} is larger than any list of prices; give a part of it")
        found = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(
            f"--prices {path} cannot be read ({str(error)[:120]}); wanted JSON as litellm has it"
        ) from None
    if not isinstance(found, dict):
        raise UsageError(
            f"--prices {path} holds no object; wanted models by name with {COSTS[0]} and {COSTS[1]}"
        )
    said = (DATE.search(str(found.get(name) or "")) for name in DATE_FIELDS)
    named = next((match for match in said if match), None) or DATE.search(path.name)
    written = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    return PriceList(path, named.group() if named else f"{written:%Y-%m-%d} (of the file)", found)


def load_variables(path: Path) -> None:
    """Sets the variables of a file (`NAME=value` lines); those that are set already stay."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeError) as error:
        raise UsageError(
            f"--env-file {path} cannot be read ({type(error).__name__}); wanted NAME=value lines"
        ) from None
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        found = VARIABLE.fullmatch(text)
        value = found.group(2).strip() if found else "\0"
        if found is None or "\0" in value:
            # The line may be a key: it is not repeated.
            raise UsageError(f"--env-file {path}, line {number}: wanted NAME=value")
        if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
            value = value[1:-1]
        os.environ.setdefault(found.group(1), value)


def default_address(environment: Mapping[str, str] | None = None) -> str:
    """The address in OPENAI_BASE_URL; empty where it is not set."""
    return (os.environ if environment is None else environment).get(BASE_URL, "").strip()


def fill_in_price(text: str, prices: PriceList | None = None) -> str:
    """The MODEL argument with the address and the price that its surroundings give it, where it names none."""
    spec = ModelSpec.parse(text)
    if spec.kind not in ADDRESSED or not spec.name:
        return text
    address, more = default_address(), []
    if address and "base_url" not in spec.settings:
        refuse_keys(address)
        more.append(f"base_url={quote(address, safe=':/')}")
    if prices is not None and "price" not in spec.settings:
        more.append(f"price={prices.price_of(spec.name)}")
    return text + ("&" if "?" in text else "?") + "&".join(more) if more else text


def address_line(text: str) -> str:
    """A note for a model that is reached at OPENAI_BASE_URL; empty for any other."""
    spec, address = ModelSpec.parse(text), default_address()
    given = spec.settings.get("base_url", address)
    is_used = spec.kind in ADDRESSED and bool(address) and given == address
    return f"{spec.display} is asked at {shown_url(address)} ({BASE_URL})" if is_used else ""
