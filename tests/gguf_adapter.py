"""A LoRA adapter for the bundled model as a GGUF file, written byte by byte: no package is needed for it."""

import struct
from pathlib import Path

import numpy as np

DIMENSION, RANK, ALIGNMENT = 576, 4, 32
TEXT, FLOAT = 8, 6


def _text(value: str) -> bytes:
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def _entry(key: str, value: str | float) -> bytes:
    if isinstance(value, str):
        return _text(key) + struct.pack("<I", TEXT) + _text(value)
    return _text(key) + struct.pack("<If", FLOAT, value)


def write_adapter(path: Path, *, scale: float) -> Path:
    """Random matrices of that size on the queries of the first layer; scale 0 changes nothing."""
    rng = np.random.default_rng(7)
    tensors = {
        "blk.0.attn_q.weight.lora_a": rng.normal(size=(RANK, DIMENSION)).astype("<f4"),
        "blk.0.attn_q.weight.lora_b": (scale * rng.normal(size=(DIMENSION, RANK))).astype("<f4"),
    }
    entries = [
        _entry("general.architecture", "llama"),
        _entry("general.type", "adapter"),
        _entry("adapter.type", "lora"),
        _entry("adapter.lora.alpha", float(RANK)),
    ]
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(entries)) + b"".join(entries)
    body = b""
    for name, values in tensors.items():
        rows, columns = values.shape
        head += _text(name) + struct.pack("<IQQIQ", 2, columns, rows, 0, len(body))
        body += values.tobytes()
        body += b"\0" * (-len(body) % ALIGNMENT)
    path.write_bytes(head + b"\0" * (-len(head) % ALIGNMENT) + body)
    return path
