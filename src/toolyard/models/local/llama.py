"""GGUF weights on this machine's processors: a llama.cpp server of our own, asked like any endpoint."""

import importlib.util

from toolyard.core.errors import MissingExtra
from toolyard.models.base import Limits
from toolyard.models.http.request_settings import Asking
from toolyard.models.http.wire import PLAIN
from toolyard.models.local.llama_process import ServerProcess, Serving
from toolyard.models.local.served_model import ServedModel


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
