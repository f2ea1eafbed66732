"""An adapter of the bundled model means the same in process and on the bundled server."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("peft")
pytest.importorskip("gguf")
pytest.importorskip("xllamacpp")

from toolyard.models.local.llama_process import ServerProcess, Serving  # noqa: E402
from toolyard.train.lora_gguf import interleave_halves, write_adapter_gguf  # noqa: E402
from toolyard.train.model_gguf import read_back, write_model_gguf  # noqa: E402
from toolyard.train.saved_models import adapter_arrays, write_result  # noqa: E402
from toolyard.train.settings import TrainSettings  # noqa: E402
from toolyard.train.tuned_model import Base, add_adapter, find_base, load_base, load_tokenizer  # noqa: E402

CPU = torch.device("cpu")
WORDS = "The three birds of the harbour are the heron, the"


@pytest.fixture(scope="module")
def base() -> Base:
    return find_base("smollm2")


@pytest.fixture(scope="module")
def adapted(base: Base) -> Any:
    """The bundled model with an adapter that was drawn, so large that it changes every prediction."""
    settings = TrainSettings(data=Path("rows"), rank=4)
    model = add_adapter(load_base(base, torch.float32, CPU), settings)
    draw = torch.Generator().manual_seed(5)
    with torch.no_grad():
        for name, value in model.named_parameters():
            if ".lora_B" in name:
                strength = 1.0 if "q_proj" in name or "k_proj" in name else 0.03
                value.copy_(torch.randn(value.shape, generator=draw) * strength)
    return model.eval()


@contextmanager
def served(weights: Path, *lora: Path) -> Iterator[Any]:
    process = ServerProcess(Serving(str(weights), "m", 512, 1, 1, tuple(map(str, lora))))
    try:
        address = process.address()

        def predicted(tokens: list[int]) -> dict[int, float]:
            """The most likely next tokens with their log probabilities."""
            body = {
                "prompt": tokens,
                "n_predict": 1,
                "temperature": 0.0,
                "n_probs": 40,
                "cache_prompt": False,
            }
            headers = {"Authorization": f"Bearer {process.key}", "Content-Type": "application/json"}
            request = urllib.request.Request(f"{address}/completion", json.dumps(body).encode(), headers)
            with urllib.request.urlopen(request, timeout=120) as answer:
                found = json.loads(answer.read())["completion_probabilities"][0]
            return {part["id"]: part["logprob"] for part in found["top_logprobs"]}

        yield predicted
    finally:
        process.stop()


def gap(predicted: dict[int, float], expected: Any) -> float:
    """The mean difference over the most likely tokens; the server computes with rounded numbers."""
    return float(np.mean([abs(value - float(expected[token])) for token, value in predicted.items()]))


def test_the_server_predicts_what_the_model_predicts(base: Base, adapted: Any, tmp_path: Path) -> None:
    tokens = load_tokenizer(base)(WORDS)["input_ids"]
    with torch.no_grad():
        tuned = torch.log_softmax(adapted(torch.tensor([tokens])).logits[0, -1], -1)
        with adapted.disable_adapter():
            plain = torch.log_softmax(adapted(torch.tensor([tokens])).logits[0, -1], -1)
    settings = TrainSettings(data=Path("rows"), rank=4, out=tmp_path)
    assert write_result(settings, adapted, None, base) == ["adapter/", "adapter.gguf"]
    arrays = adapter_arrays(adapted)
    unordered = {name: np.asarray(value) for name, value in arrays.items()}
    for name, value in unordered.items():
        if ".lora_B" in name and ("q_proj" in name or "k_proj" in name):
            heads = 9 if "q_proj" in name else 3
            unordered[name] = inverse_order(value, heads)
    write_adapter_gguf(tmp_path / "wrong.gguf", unordered, adapted.config, settings.scale, "wrong")
    with served(base.where) as predicted:
        assert gap(predicted(tokens), plain) < 0.2
    with served(base.where, tmp_path / "adapter.gguf") as predicted:
        found = predicted(tokens)
    with served(base.where, tmp_path / "wrong.gguf") as predicted:
        wrong = predicted(tokens)
    near, far, astray = gap(found, tuned), gap(found, plain), gap(wrong, tuned)
    assert near < 0.25
    assert far > 3 * near
    assert astray > 3 * near


def inverse_order(rows: Any, heads: int) -> Any:
    """Rows that come out of `reordered` as they went in."""
    places = interleave_halves(np.arange(len(rows), dtype=np.float32)[:, None], heads)[:, 0].astype(int)
    return rows[np.argsort(places)]


def test_halves_of_a_head_are_interleaved() -> None:
    rows = np.arange(8, dtype=np.float32)[:, None]
    assert interleave_halves(rows, 2)[:, 0].tolist() == [0, 2, 1, 3, 4, 6, 5, 7]
    assert interleave_halves(inverse_order(rows, 2), 2).tolist() == rows.tolist()


def test_a_whole_model_is_read_back_as_it_was_written(base: Base, tmp_path: Path) -> None:
    model = load_base(base, torch.float32, CPU)
    exact = {name: value.detach().numpy().copy() for name, value in model.named_parameters()}
    exact["model.layers.3.self_attn.k_proj.weight"] *= -1
    path = tmp_path / "model.gguf"
    assert base.gguf is not None
    # Weights that lie on the base file's grid are kept as they are, but for the rounding of a block's scale.
    write_model_gguf(path, base.gguf, exact, model.config, "base")
    read_back(model, path)
    for name, value in model.named_parameters():
        gap = np.abs(value.detach().numpy() - exact[name]).max() / np.abs(exact[name]).max()
        assert gap < 0.05, name
    assert abs(path.stat().st_size / base.gguf.stat().st_size - 1) < 0.01
