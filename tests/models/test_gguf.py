"""`gguf/PATH`: any weights on the bundled server, adapters that are not merged, and weights of strangers."""

import asyncio
import json
import os
import struct
from pathlib import Path

import pytest

from gguf_adapter import write_adapter
from toolyard.core.errors import DataError, MissingAsset, UsageError
from toolyard.core.types import Completion, Decoding, Message, Request
from toolyard.models.base import Limits
from toolyard.models.hf.model_weights import Weights, load_weights, one_line_errors, weights_place
from toolyard.models.local.bundled import TUNED_PROVIDER, TunedModel, adapter_file, bundled_serving
from toolyard.models.local.gguf import GgufModel, fingerprint_file, load_gguf
from toolyard.models.provider import LoadContext
from toolyard.models.spec import ModelSpec
from toolyard_command import toolyard

LIMITS = Limits()


def model_of(settings: str = "") -> GgufModel:
    return load_gguf(ModelSpec.parse(f"gguf/{bundled_serving().weights}?ctx=512&slots=1{settings}"), LIMITS)


def answers(model: GgufModel, *words: str) -> list[Completion]:
    async def run() -> list[Completion]:
        try:
            asked = (Request((Message("user", word),), Decoding(max_tokens=10), seed=1) for word in words)
            return [await model.generate(request) for request in asked]
        finally:
            await model.close()

    return asyncio.run(run())


def test_a_file_of_weights_answers_within_its_context() -> None:
    short, long = answers(model_of(), "Name a colour.", "word " * 600)
    assert short.text
    assert short.model == "SmolLM2-135M-Instruct.Q4_1"
    assert long.finish_reason == "context_overflow"


def test_an_adapter_changes_the_answer_and_the_identity(tmp_path: Path) -> None:
    idle = write_adapter(tmp_path / "idle.gguf", scale=0.0)
    strong = write_adapter(tmp_path / "strong.gguf", scale=1.0)
    models = [model_of(), model_of(f"&lora={idle}"), model_of(f"&lora={strong}")]
    assert len({model.identity for model in models}) == 3
    plain, with_idle, with_strong = (answers(model, "Name three birds.")[0].text for model in models)
    assert plain == with_idle
    assert plain != with_strong


def test_the_identity_is_the_content_and_not_the_place(tmp_path: Path) -> None:
    one, other, copy = tmp_path / "one.gguf", tmp_path / "other.gguf", tmp_path / "copy.gguf"
    one.write_bytes(b"GGUF" + b"\1" * 5000)
    copy.write_bytes(b"GGUF" + b"\1" * 5000)
    other.write_bytes(b"GGUF" + b"\1" * 4999 + b"\2")
    assert fingerprint_file(one) == fingerprint_file(copy)
    assert fingerprint_file(one) != fingerprint_file(other)


@pytest.mark.parametrize(
    ("settings", "said"),
    [("ctx=0", "ctx=0: wanted a number"), ("ctx=many", "wanted a number"), ("rank=3", "no such setting")],
)
def test_a_wrong_setting_is_refused(settings: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        load_gguf(ModelSpec.parse(f"gguf/{bundled_serving().weights}?{settings}"), LIMITS)


def test_a_file_that_is_none_or_no_gguf_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"\x08\0\0\0")
    with pytest.raises(DataError, match="not a GGUF file"):
        load_gguf(ModelSpec.parse(f"gguf/{tmp_path}/model.safetensors"), LIMITS)
    with pytest.raises(UsageError, match="No such file"):
        load_gguf(ModelSpec.parse(f"gguf/{tmp_path}/none.gguf"), LIMITS)


def test_the_packages_adapter_is_a_file_or_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLYARD_CACHE", str(tmp_path / "cache"))
    with pytest.raises(MissingAsset, match="this install has no adapter; make one with: toolyard train"):
        adapter_file(tmp_path)
    (tmp_path / "adapter.gguf.01").write_bytes(b"wxyz")
    (tmp_path / "adapter.gguf.00").write_bytes(b"GGUF")
    whole = adapter_file(tmp_path)
    assert whole.read_bytes() == b"GGUFwxyz"
    assert adapter_file(tmp_path) == whole
    (tmp_path / "adapter.gguf.00").unlink()
    assert adapter_file(tmp_path) == tmp_path / "adapter.gguf.01"


def test_the_tuned_model_is_ours_with_an_adapter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    strong = write_adapter(tmp_path / "adapter.gguf", scale=1.0)
    monkeypatch.setattr("toolyard.models.local.bundled.adapter_file", lambda: strong)
    model = TUNED_PROVIDER.load(ModelSpec.parse("local-tuned"), LoadContext(LIMITS))
    assert isinstance(model, TunedModel)
    assert model.name == "local-tuned"
    assert model._serving.lora == (str(strong),)
    assert model._serving.weights == bundled_serving().weights


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
        one_line_errors("adapter=here"),
        safe_open(file, "np") as found,
    ):
        found.get_tensor("a")


@pytest.mark.parametrize(
    "files", [(), ("adapter_config.json",), ("adapter_config.json", "adapter_model.bin")]
)
def test_an_adapter_without_plain_numbers_is_not_loaded(files: tuple[str, ...], tmp_path: Path) -> None:
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
