"""`gguf/PATH`: any GGUF file, with LoRA adapters unmerged, on the bundled llama.cpp server.

gguf/models/qwen.gguf?lora=adapter.gguf&ctx=8192
"""

import hashlib
from functools import cached_property
from pathlib import Path

from toolyard.core.errors import DataError, UsageError
from toolyard.models.base import Limits, Model
from toolyard.models.http.request_settings import SETTINGS as ASKING_SETTINGS
from toolyard.models.http.request_settings import read_asking
from toolyard.models.local.llama import LlamaModel
from toolyard.models.local.llama_process import Serving, default_threads
from toolyard.models.local.served_model import price_at_home
from toolyard.models.provider import LoadContext, Provider
from toolyard.models.spec import ModelSpec

SETTINGS = ("lora", "ctx", "slots", "threads", *ASKING_SETTINGS)
MAGIC = b"GGUF"
CONTEXT = 8192
SLOTS = 2
# A fingerprint reads the head, which holds template and vocabulary, and pieces of the weights.
HEAD = 32 * 2**20
PIECES, PIECE = 64, 2**16


class GgufModel(LlamaModel):
    """The model in a GGUF file, named by the file."""

    @cached_property
    def identity(self) -> str:
        """What the answers depend on: the content of the weights and adapters and the length of the context."""
        files = (self._serving.weights, *self._serving.lora)
        content = "+".join(map(fingerprint_file, map(Path, files)))
        return f"gguf/{content}?ctx={self._serving.context}{self._asking.identity}"


def fingerprint_file(path: Path) -> str:
    """A digest of a large file: its length, its head and pieces spread over it, not all of it."""
    size = path.stat().st_size
    digest = hashlib.sha256(str(size).encode())
    with path.open("rb") as file:
        digest.update(file.read(HEAD))
        for number in range(PIECES):
            file.seek(size * number // PIECES)
            digest.update(file.read(PIECE))
    return digest.hexdigest()


def load_gguf(spec: ModelSpec, limits: Limits) -> GgufModel:
    """The model behind `gguf/PATH`."""
    spec.refuse_other_settings(*SETTINGS)
    weights = _existing_weights(spec.name)
    lora = tuple(str(_existing_weights(name)) for name in spec.settings.get("lora", "").split(",") if name)
    serving = Serving(
        str(weights),
        # Without an alias the server would name the model by its path on this machine.
        weights.stem,
        _number_setting(spec, "ctx", CONTEXT),
        _number_setting(spec, "slots", SLOTS),
        _number_setting(spec, "threads", default_threads()),
        lora,
    )
    return GgufModel(spec.display, serving, limits=limits, asking=read_asking(spec))


def _existing_weights(name: str) -> Path:
    path = Path(name).expanduser()
    if path.exists() and not path.is_file():
        raise UsageError(f"gguf/{name}: is a folder, a pipe or a device; wanted gguf/PATH of a .gguf file")
    try:
        with path.open("rb") as file:
            found = file.read(len(MAGIC))
    except OSError as error:
        why = error.strerror or str(error)
        raise UsageError(f"gguf/{name}: {why}; wanted gguf/PATH of a .gguf file") from error
    if found != MAGIC:
        raise DataError(f"{path} is not a GGUF file (it begins with {found!r}); convert it, or try hf/FOLDER")
    return path.absolute()


def _number_setting(spec: ModelSpec, name: str, default: int) -> int:
    text = spec.settings.get(name, str(default))
    if not text.isdecimal() or not 0 < int(text) < 10**7:
        raise UsageError(f"{name}={text[:40]}: wanted a number from 1 up, e.g. {name}={default}")
    return int(text)


def _load_gguf_model(spec: ModelSpec, context: LoadContext) -> Model:
    return load_gguf(spec, context.limits)


PROVIDER = Provider(
    "gguf/PATH[?lora=FILE&ctx=N]", _load_gguf_model, lambda spec: price_at_home(spec, *SETTINGS)
)
