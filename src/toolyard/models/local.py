"""`local`: the bundled SmolLM2-135M-Instruct, served by a child process on this machine's processors."""

from __future__ import annotations

from toolyard.models.assets import MODEL, require_asset
from toolyard.models.base import Limits, Model, Price
from toolyard.models.llama import LlamaModel
from toolyard.models.llama_process import Serving, default_threads
from toolyard.models.provider import LoadContext, Provider
from toolyard.models.served import FREE
from toolyard.models.spec import ModelSpec

ALIAS = "smollm2-135m-instruct"
# The model was trained for 8192 tokens; each slot gets them all, whatever the other one reads.
CONTEXT = 8192
SLOTS = 2


class LocalModel(LlamaModel):
    """The bundled model; two requests run at a time."""

    # other weights are another model
    identity = f"local/{MODEL.files[0].sha256}"

    def __init__(self, *, limits: Limits | None = None) -> None:
        super().__init__("local", bundled(), limits=limits)


def bundled() -> Serving:
    """How the bundled weights are served; they must have been fetched."""
    weights = require_asset(MODEL) / MODEL.files[0].name
    return Serving(str(weights), ALIAS, CONTEXT, SLOTS, default_threads())


def _load(spec: ModelSpec, context: LoadContext) -> Model:  # noqa: ARG001 - there is one bundled model
    return LocalModel(limits=context.limits)


def _price(spec: ModelSpec) -> Price | None:  # noqa: ARG001 - there is one bundled model
    return FREE


def _is_bare(spec: ModelSpec) -> bool:
    return not spec.rest and not spec.settings


PROVIDER = Provider("local", _load, _price, _is_bare)
