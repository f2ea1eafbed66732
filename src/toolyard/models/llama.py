"""GGUF weights on this machine's processors: a llama.cpp server of our own, asked like any endpoint."""

from __future__ import annotations

import importlib.util

from toolyard.core.errors import MissingExtra
from toolyard.models.asking import Asking
from toolyard.models.base import Limits
from toolyard.models.llama_process import ServerProcess, Serving
from toolyard.models.served import ServedModel
from toolyard.models.wire import PLAIN


class LlamaModel(ServedModel):
    """GGUF weights behind the bundled server."""

    def __init__(
        self, name: str, serving: Serving, *, limits: Limits | None = None, asking: Asking = PLAIN
    ) -> None:
        if importlib.util.find_spec("xllamacpp") is None:
            raise MissingExtra(f"{name} needs xllamacpp: pip install 'toolyard[local]'")
        super().__init__(
            name,
            serving.alias,
            lambda: ServerProcess(serving),
            slots=serving.slots,
            limits=limits,
            asking=asking,
        )
        self._serving = serving
