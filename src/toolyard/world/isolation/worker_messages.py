"""Messages between this process and its workers: plain data behind a length, never code."""

import importlib
import io
import operator
import os
import pickle
import struct
from typing import Any

from toolyard.world.kernel.state import DELETED, Store

MAX_MESSAGE = 64 * 2**20
HEADER = struct.Struct(">Q")
_DELETED = "deleted"


class _Writer(pickle.Pickler):
    def persistent_id(self, value: object) -> object:
        if value is DELETED:
            return _DELETED
        if isinstance(value, Store):
            limits = value.most_entries, value.most_characters
            return value.name, value.initial.__module__, value.initial.__qualname__, *limits
        return None


class _Reader(pickle.Unpickler):
    """Reads lists, dictionaries, text, bytes and numbers; whatever else a message names is refused."""

    def find_class(self, module: str, name: str) -> object:
        raise pickle.UnpicklingError(f"a message holds plain data, not {module}.{name}")

    def persistent_load(self, identity: Any) -> object:
        if identity == _DELETED:
            return DELETED
        name, module, function, *limits = identity
        return Store(name, operator.attrgetter(function)(importlib.import_module(module)), *limits)


def pack_message(message: object) -> bytes:
    """The message with its length in front."""
    buffer = io.BytesIO()
    buffer.write(HEADER.pack(0))
    _Writer(buffer, protocol=5).dump(message)
    size = buffer.tell() - HEADER.size
    if size > MAX_MESSAGE:
        raise ValueError(f"a message holds {MAX_MESSAGE} bytes at most, this one {size}")
    buffer.seek(0)
    buffer.write(HEADER.pack(size))
    return buffer.getvalue()


def unpack_message(content: bytes) -> Any:
    """The message out of its bytes, without the length."""
    return _Reader(io.BytesIO(content)).load()


def own_pipes() -> tuple[int, int]:
    """A worker's two pipes under other numbers; what its libraries print or read goes nowhere."""
    requests, replies = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    return requests, replies
