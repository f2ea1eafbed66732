"""How models and embedders are asked for: the options that every command with requests shares."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from toolyard.core.errors import UsageError
from toolyard.core.options import option
from toolyard.models.base import CONCURRENCY, RETRIES, TIMEOUT, RequestLimits
from toolyard.models.spec import ModelSpec

EMBEDDERS = "minilm | sentence-transformers/NAME | openai/NAME?base_url=URL"


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """Where keys, addresses and prices come from that the MODEL argument does not name."""

    env_file: Path | None = option(
        None, "--env-file", help="File with NAME=value lines, e.g. keys; never read unless named."
    )
    prices: Path | None = option(
        None, "--prices", help="List of prices by model name, JSON as litellm has it."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Requests(Surroundings):
    """How a model is asked; nothing that a result depends on."""

    concurrency: int = option(
        CONCURRENCY,
        "--concurrency",
        help="Requests in flight at most; fewer while the endpoint cannot keep up.",
        minimum=1,
    )
    rpm: float | None = option(
        None, "--rpm", help="Requests per minute at most, to each endpoint.", minimum=0.1
    )
    tpm: float | None = option(None, "--tpm", help="Tokens per minute at most, to each endpoint.", minimum=1)
    max_cost: float | None = option(
        None,
        "--max-cost",
        help="Dollars that each run may cost (ways, curve: all runs together), over all sessions; needs a price; then exit "
        "code 5.",
        minimum=0,
    )
    timeout: float = option(TIMEOUT, "--timeout", help="Seconds for one request.", minimum=0.001)
    retries: int = option(
        RETRIES,
        "--retries",
        help="Further attempts at most for a request that fails.",
        minimum=0,
        maximum=1000,
    )
    cache: Path | None = option(None, "--cache", help="Folder that keeps completions across runs.")

    @property
    def limits(self) -> RequestLimits:
        """What holds for every model that is asked, the judge too."""
        return {"timeout": self.timeout, "retries": self.retries, "rpm": self.rpm, "tpm": self.tpm}


def refuse_unknown_embedder(name: str) -> None:
    """An embedder of no known form would only be noticed when it is first needed."""
    from toolyard.models.embed.embedding import embedder_spec

    if name != "none":
        embedder_spec(name)


def refuse_keys_in_options(options: Mapping[str, str]) -> None:
    """An option that names a model (`--user`) is stored unchanged, so its address must not hold a key."""
    for name, value in options.items():
        if ModelSpec.parse(value).holds_key:
            raise UsageError(
                f"--{name}: a key in the path of base_url would be written down; use key_env=VAR instead"
            )
