"""Where a MODEL is asked: an endpoint's address, or the bundled server started for it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from toolyard.core.errors import UsageError
from toolyard.models.base import Limits
from toolyard.models.gguf import load_gguf
from toolyard.models.llama_process import ServerProcess, Serving
from toolyard.models.local import bundled
from toolyard.models.openai import read_address
from toolyard.models.spec import ModelSpec

ENDPOINTS = ("openai", "responses")
FORMS = "certify asks an endpoint: openai/NAME?base_url=http://HOST/v1, local or gguf/PATH"


@dataclass(frozen=True, slots=True)
class Place:
    """Where requests go, under which name and with which key; the bundled server takes `slots` at a time."""

    model: str
    base_url: str = field(repr=False)
    key: str | None = field(repr=False)
    slots: int | None = None


def check(model: str) -> ModelSpec:
    """The MODEL's parts; one that is no endpoint is refused in one line."""
    spec = ModelSpec.parse(model)
    if spec.kind not in (*ENDPOINTS, "local", "gguf"):
        raise UsageError(f"{spec.display[:80]} has no endpoint that could be probed; {FORMS}")
    if spec.kind == "local" and (spec.rest or spec.settings):
        raise UsageError(f"local takes no name and no settings; {FORMS}")
    if spec.kind in ENDPOINTS:
        read_address(spec)
    else:
        _serving(spec)
    return spec


@asynccontextmanager
async def placed(spec: ModelSpec) -> AsyncIterator[Place]:
    """The place of a model; a server that was started for it ends with the block."""
    if spec.kind in ENDPOINTS:
        address = read_address(spec)
        yield Place(address.name, address.base_url, address.key)
        return
    serving = _serving(spec)
    child = ServerProcess(serving)
    try:
        address_text = await asyncio.to_thread(child.address)
        yield Place(serving.alias, f"{address_text}/v1", child.key, serving.slots)
    finally:
        await asyncio.to_thread(child.stop)


def _serving(spec: ModelSpec) -> Serving:
    if spec.kind == "local":
        return bundled()
    # The settings are read in one place, by the model itself; nothing is started by that.
    return load_gguf(spec, Limits())._serving
