"""`local`: the bundled SmolLM2-135M-Instruct, served by a child process on this machine's processors.

`local-tuned` is the same model with the adapter that comes with the package.
"""

import hashlib
import tempfile
from dataclasses import replace
from pathlib import Path

from toolyard.core.errors import MissingAsset
from toolyard.models.assets import MODEL, cache_folder, require_asset
from toolyard.models.base import Limits, Model
from toolyard.models.local.llama import LlamaModel
from toolyard.models.local.llama_process import Serving, default_threads
from toolyard.models.local.served_model import FREE
from toolyard.models.provider import LoadContext, Provider
from toolyard.models.spec import ModelSpec

ALIAS = "smollm2-135m-instruct"
# The model was trained for 8192 tokens; each slot gets them all, whatever the other one reads.
CONTEXT = 8192
SLOTS = 2
# The adapter as package data: one file, or parts that are joined in the order of their names.
ADAPTER = Path(__file__).parents[1] / "adapter"
ADAPTER_PARTS = "adapter.gguf*"


class LocalModel(LlamaModel):
    """The bundled model; two requests run at a time."""

    # other weights are another model
    identity = f"local/{MODEL.files[0].sha256}"

    def __init__(self, *, limits: Limits | None = None) -> None:
        super().__init__("local", bundled_serving(), limits=limits)


class TunedModel(LlamaModel):
    """The bundled model with the package's adapter."""

    def __init__(self, *, limits: Limits | None = None) -> None:
        adapter = adapter_file()
        serving = replace(bundled_serving(), alias=f"{ALIAS}-tuned", lora=(str(adapter),))
        super().__init__("local-tuned", serving, limits=limits)
        digest = hashlib.sha256(adapter.read_bytes()).hexdigest()
        self.identity = f"local-tuned/{MODEL.files[0].sha256}+{digest}"


def adapter_file(folder: Path = ADAPTER) -> Path:
    """The package's adapter in one file, which is put together in the user's cache where it comes in parts."""
    parts = sorted(folder.glob(ADAPTER_PARTS))
    if not parts:
        raise MissingAsset(
            "local-tuned: this install has no adapter; make one with: toolyard train ROWS --base smollm2 --out DIR, "
            "and use gguf/PATH?lora=DIR/adapter.gguf"
        )
    if len(parts) == 1:
        return parts[0]
    data = b"".join(part.read_bytes() for part in parts)
    whole = cache_folder() / "adapters" / f"{hashlib.sha256(data).hexdigest()}.gguf"
    if not whole.is_file() or whole.stat().st_size != len(data):
        whole.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=whole.parent, delete=False) as file:
            file.write(data)
        Path(file.name).replace(whole)
    return whole


def bundled_serving() -> Serving:
    """How the bundled weights are served; they must have been fetched."""
    weights = require_asset(MODEL) / MODEL.files[0].name
    return Serving(str(weights), ALIAS, CONTEXT, SLOTS, default_threads())


def _load_bundled(spec: ModelSpec, context: LoadContext) -> Model:  # noqa: ARG001 - there is one bundled model
    return LocalModel(limits=context.limits)


def _is_bare_spec(spec: ModelSpec) -> bool:
    return not spec.rest and not spec.settings


PROVIDER = Provider("local", _load_bundled, lambda _: FREE, _is_bare_spec)


def _load_tuned(spec: ModelSpec, context: LoadContext) -> Model:  # noqa: ARG001 - there is one adapter
    return TunedModel(limits=context.limits)


TUNED_PROVIDER = Provider("local-tuned", _load_tuned, lambda _: FREE, _is_bare_spec)
