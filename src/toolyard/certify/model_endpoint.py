"""Where a MODEL is asked: an endpoint's address, a server started for it, or a front of our own before it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from toolyard.core.errors import UsageError
from toolyard.models.http.chat_server import serve_model
from toolyard.models.http.openai import read_address
from toolyard.models.loading import load_model
from toolyard.models.local.served_model import ServedModel
from toolyard.models.spec import ModelSpec

ENDPOINTS = ("openai", "responses")


@dataclass(frozen=True, slots=True)
class Place:
    """Where requests go, under which name and with which key; a server of our own takes `slots` at a time."""

    model: str
    base_url: str = field(repr=False)
    key: str | None = field(repr=False)
    slots: int | None = None


def check_model_spec(model: str) -> ModelSpec:
    """The MODEL's parts; one that cannot be probed is refused in one line."""
    spec = ModelSpec.parse(model)
    if spec.kind == "scripted":
        raise UsageError(
            f"{spec.display[:80]} answers for the samples of a benchmark alone; certify asks models, e.g. local"
        )
    if spec.kind in ENDPOINTS:
        read_address(spec)
    else:
        # Settings are read by the model itself; nothing is started by that.
        load_model(model)
    return spec


@asynccontextmanager
async def open_endpoint(spec: ModelSpec) -> AsyncIterator[Place]:
    """The place of a model; a server that was started for it ends with the block."""
    if spec.kind in ENDPOINTS:
        address = read_address(spec)
        yield Place(address.name, address.base_url, address.key)
        return
    model = load_model(spec.identity)
    if isinstance(model, ServedModel):
        async with model.server() as server:
            yield Place(server.model, server.base_url, server.key, server.slots)
        return
    async with serve_model(model) as front:
        yield Place(model.name, front.base_url, front.key)
