"""Weights and adapters of strangers: no pickle is opened, no code beside them is run, a broken file is one line."""

import json
import os
import struct
from pathlib import Path

import pytest

from toolyard.core.errors import DataError
from toolyard.models.hf.model_weights import Weights, load_weights, read_from, weights_place
from toolyard.models.local.bundled import bundled_serving
from toolyard_command import toolyard


def _header(value: object) -> bytes:
    text = json.dumps(value).encode()
    return struct.pack("<Q", len(text)) + text


BROKEN = {
    "empty": b"",
    "a length and no more": struct.pack("<Q", 8),
    "a header of 2^62 bytes": struct.pack("<Q", 2**62) + b"{}",
    "a header that is no JSON": struct.pack("<Q", 4) + b"nope",
    "a header that is a list": _header([1]),
    "a shape larger than the data": _header({"a": {"dtype": "F32", "shape": [2**40], "data_offsets": [0, 4]}})
    + b"\0" * 4,
    "offsets beyond the end": _header({"a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 2**40]}}),
    "a negative shape": _header({"a": {"dtype": "F32", "shape": [-1], "data_offsets": [0, 4]}}) + b"\0" * 4,
    "an unknown type of numbers": _header({"a": {"dtype": "PY", "shape": [1], "data_offsets": [0, 4]}})
    + b"\0" * 4,
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_safetensors_file_is_one_line(name: str, tmp_path: Path) -> None:
    from safetensors import safe_open

    file = tmp_path / "adapter_model.safetensors"
    file.write_bytes(BROKEN[name])
    with (
        pytest.raises(DataError, match=r"^adapter=here: "),
        read_from("adapter=here"),
        safe_open(file, "np") as found,
    ):
        found.get_tensor("a")


@pytest.mark.parametrize(
    "files", [(), ("adapter_config.json",), ("adapter_config.json", "adapter_model.bin")]
)
def test_an_adapter_without_plain_numbers_is_refused_before_anything_is_loaded(
    files: tuple[str, ...], tmp_path: Path
) -> None:
    ran = tmp_path / "ran"
    for name in files:
        (tmp_path / name).write_bytes(f"cos\nsystem\n(S'touch {ran}'\ntR.".encode())
    with pytest.raises(DataError, match=r"adapter_model\.safetensors; adapter_model\.bin is a pickle"):
        load_weights(Weights("anything", adapter=str(tmp_path)))
    assert not ran.exists()


@pytest.mark.parametrize("name", ["folder", "model.gguf", "owner/name"])
def test_code_beside_weights_is_never_run_and_no_server_asked(name: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "model.gguf").write_bytes(b"GGUF")
    place = weights_place(name if "/" in name else str(tmp_path / name))
    assert (place["trust_remote_code"], place["local_files_only"]) == (False, True)


def _text(value: bytes) -> bytes:
    return struct.pack("<Q", len(value)) + value


GGUF = {
    "magic alone": b"GGUF",
    "2^64-1 tensors": b"GGUF" + struct.pack("<IQQ", 3, 2**64 - 1, 0),
    "a text of 2^40 bytes": b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + _text(b"a") + struct.pack("<IQ", 8, 2**40),
    "version 99": b"GGUF" + struct.pack("<IQQ", 99, 0, 0),
    "an unknown architecture": b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + _text(b"general.architecture")
    + struct.pack("<I", 8) + _text(b"\x1b[31mnone"),
}  # fmt: skip


def _said(model: str, folder: Path) -> str:
    words = ["run", "nestools", "-m", model, "--limit", "1", "--runs", str(folder), "--no-report"]
    done = toolyard(*words, cwd=folder)
    assert done.returncode == 1, done.stderr
    (line,) = (line for line in done.stderr.splitlines() if line.startswith("toolyard:"))
    return line


@pytest.mark.parametrize("name", GGUF)
def test_a_broken_gguf_file_is_one_line_with_its_cause(name: str, tmp_path: Path) -> None:
    file = tmp_path / "model.gguf"
    file.write_bytes(GGUF[name])
    line = _said(f"gguf/{file}", tmp_path)
    assert "is the file whole?" in line
    assert "Python" not in line
    assert "\x1b" not in line


def test_a_pipe_in_the_place_of_weights_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "model.gguf")
    assert "a pipe or a device" in _said(f"gguf/{tmp_path}/model.gguf", tmp_path)
    assert "a pipe or a device" in _said(
        f"gguf/{bundled_serving().weights}?lora={tmp_path}/model.gguf", tmp_path
    )
