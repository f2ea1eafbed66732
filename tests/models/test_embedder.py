"""Embeddings: the graph against a plain forward pass, and each distinct text computed once."""

import asyncio
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest
from aiohttp import web
from numpy.typing import NDArray
from scipy.special import erf

from cases import each_case
from chat_endpoint import Body, ChatEndpoint, serve
from toolyard.core.errors import DataError, MissingExtra, ProviderError, UsageError
from toolyard.models.assets import EMBEDDER, require_asset
from toolyard.models.cache import key_value_store as store_module
from toolyard.models.embed.embedding import Embedder, hash_vectors, load_embedder, read_embeddings
from toolyard.models.embed.minilm import GRAPH, MiniLM, batches_of_like_length, load_minilm
from toolyard.run.plan.data_sources import lazy_embed

Array: TypeAlias = NDArray[Any]

TEXTS = [
    "How do I weigh flour without a scale?",
    "A kitchen scale that measures flour in grams",
    "Book a double room in a hotel near the station",
    "find_flights",
    "",
    "naïve café — 北京 🙂",
    "word " * 400,
    "a\ud800b",
]


def normalised(value: Array, scale: Array, shift: Array) -> Array:
    centred: Array = value - value.mean(-1, keepdims=True)
    result: Array = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-12) * scale + shift
    return result


def forward(ids: list[int], weights: dict[str, Array]) -> Array:
    """MiniLM written down plainly in float64: one text, no padding, no batching."""

    def linear(value: Array, name: str) -> Array:
        product: Array = value @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]
        return product

    def norm(value: Array, name: str) -> Array:
        return normalised(value, weights[f"{name}.weight"], weights[f"{name}.bias"])

    value = weights["embeddings.word_embeddings.weight"][ids]
    value = value + weights["embeddings.position_embeddings.weight"][: len(ids)]
    value = norm(value + weights["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    for number in range(6):
        layer = f"encoder.layer.{number}"
        parts = [linear(value, f"{layer}.attention.self.{part}") for part in ("query", "key", "value")]
        query, key, content = (part.reshape(len(ids), 12, 32).swapaxes(0, 1) for part in parts)
        shares = np.exp(query @ key.swapaxes(1, 2) / np.sqrt(32))
        shares /= shares.sum(-1, keepdims=True)
        mixed = (shares @ content).swapaxes(0, 1).reshape(len(ids), 384)
        value = norm(
            linear(mixed, f"{layer}.attention.output.dense") + value, f"{layer}.attention.output.LayerNorm"
        )
        inner = linear(value, f"{layer}.intermediate.dense")
        inner = inner * (1 + erf(inner / np.sqrt(2))) / 2
        value = norm(linear(inner, f"{layer}.output.dense") + value, f"{layer}.output.LayerNorm")
    mean: Array = value.mean(0)
    unit: Array = mean / np.linalg.norm(mean)
    return unit


@pytest.fixture(scope="module")
def minilm() -> MiniLM:
    return load_minilm(require_asset(EMBEDDER))


def test_the_graph_equals_a_plain_forward_pass(minilm: MiniLM) -> None:
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    folder = require_asset(EMBEDDER)
    weights = {key: each.astype(np.float64) for key, each in load_file(folder / "model.safetensors").items()}
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(256)
    texts = TEXTS[:-1]
    expected = np.stack([forward(tokenizer.encode(text).ids, weights) for text in texts])
    assert np.abs(minilm.encode(texts) - expected).max() < 1e-5


def test_the_shipped_graph_is_what_the_recipe_makes() -> None:
    from minilm_graph import build_graph, read_places

    places = read_places(require_asset(EMBEDDER) / "model.safetensors")
    assert build_graph(places) == GRAPH.read_bytes()


WITHOUT = """
import sys
for name in ("onnxruntime", "tokenizers", "safetensors", "onnx"):
    sys.modules[name] = None
from toolyard.cli import main
main()
"""


def test_without_its_packages_what_embeds_names_the_install_line(tmp_path: Path) -> None:
    words = ["run", "toolbehonest", "-m", "scripted/oracle", "--limit", "1"]
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, *words], capture_output=True, text=True, cwd=tmp_path, timeout=300
    )
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    needs = "the embedder needs onnxruntime and tokenizers"
    assert last == f"toolyard: {needs}: pip install 'toolyard[embed]' && toolyard fetch embedder"
    assert list(tmp_path.rglob("transcripts.jsonl")) == []


@pytest.mark.parametrize("name", ["onnxruntime", "tokenizers"])
def test_what_nestools_prepares_names_the_install_line(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingExtra, match=rf"needs {name}: pip install 'toolyard\[embed\]'"):
        lazy_embed("minilm")(["a tool"])


def test_without_its_packages_the_rest_works(tmp_path: Path) -> None:
    words = ["run", "mtu", "-m", "scripted/oracle", "--limit", "1"]
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, *words], capture_output=True, text=True, cwd=tmp_path, timeout=300
    )
    assert done.returncode == 0, done.stderr


def test_vectors_have_length_one_and_company_in_a_batch_changes_nothing(minilm: MiniLM) -> None:
    vectors = minilm.encode(TEXTS)
    assert vectors.dtype == np.float32
    assert vectors.shape == (len(TEXTS), 384)
    assert np.abs(np.linalg.norm(vectors, axis=1) - 1).max() < 1e-5
    together = minilm.encode(TEXTS)
    alone = np.concatenate([minilm.encode([text]) for text in TEXTS])
    backwards = minilm.encode(TEXTS[::-1])[::-1]
    assert np.abs(together - alone).max() < 1e-5
    assert np.abs(together - backwards).max() < 1e-5
    flour, scale, hotel, *_ = minilm.encode(TEXTS)
    assert flour @ scale > 0.5
    assert abs(flour @ hotel) < 0.15
    assert abs(scale @ hotel) < 0.15


def test_batches_hold_texts_of_like_length_and_about_as_many_tokens_as_asked() -> None:
    lengths = [3, 250, 4, 100, 3, 600, 100, 5]
    found = list(batches_of_like_length(lengths, most=256))
    assert sorted(index for batch in found for index in batch) == list(range(8))
    assert found == [[0, 4, 2, 7], [3, 6], [1], [5]]
    assert list(batches_of_like_length([], most=256)) == []


def counted(store: Path | None) -> Embedder:
    return Embedder("hash", "hash", hash_vectors, store)


def test_each_distinct_text_is_computed_once(tmp_path: Path) -> None:
    store = tmp_path / "kept" / "vectors.sqlite"
    first = counted(store)
    vectors = first(["a b", "c", "a b", "c", "d\ud800"])
    assert first.computed == 3
    assert (vectors[0] == vectors[2]).all()
    first(["c", "e"])
    assert first.computed == 4
    second = counted(store)
    assert (second(["a b", "c", "a b", "c", "d\ud800"]) == vectors).all()
    assert second.computed == 0


def test_vectors_of_another_embedder_are_not_taken(tmp_path: Path) -> None:
    store = tmp_path / "vectors.sqlite"
    counted(store)(["a"])
    other = Embedder("hash", "another", hash_vectors, store)
    other(["a"])
    assert other.computed == 1


@pytest.mark.parametrize(
    "damage", [b"", b"abc", bytes(8) + b"\x00\x00\xc0\x7f" * 254, b"\x01" * 1024, b"\x00\x00\x80?", 5]
)
def test_damaged_vectors_are_redone(tmp_path: Path, damage: object, caplog: pytest.LogCaptureFixture) -> None:
    store = tmp_path / "vectors.sqlite"
    vectors = counted(store)(["a", "b", "c"])
    with sqlite3.connect(store) as database:
        database.execute("UPDATE kept SET value = ? WHERE key = (SELECT min(key) FROM kept)", (damage,))
    database.close()
    again = counted(store)
    assert (again(["a", "b", "c"]) == vectors).all()
    assert again.computed == 1
    assert "1 kept embeddings are damaged" in caplog.text
    third = counted(store)
    third(["a", "b", "c"])
    assert third.computed == 0


def test_a_store_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="TOOLYARD_CACHE"):
        counted(tmp_path / "file" / "vectors.sqlite")(["a"])


def test_many_texts_are_looked_up_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "LOOKUP_SIZE", 10)
    texts = [f"word{number}" for number in range(25)]
    counted(tmp_path / "vectors.sqlite")(texts)
    again = counted(tmp_path / "vectors.sqlite")
    again(texts)
    assert again.computed == 0


def test_the_hash_embedder_knows_equal_words_only() -> None:
    one, two, three, nothing = load_embedder("hash")(
        ["Book a flight", "book a FLIGHT!", "reserve planes", ""]
    )
    assert one @ two == pytest.approx(1)
    assert abs(one @ three) < 0.5
    assert np.linalg.norm(nothing) == pytest.approx(1)


@pytest.mark.parametrize("spec", ["", "bert", "openai/", "sentence-transformers/"])
def test_an_unknown_embedder_lists_those_there_are(spec: str) -> None:
    with pytest.raises(UsageError, match=r"minilm, sentence-transformers/NAME"):
        load_embedder(spec)


def test_an_endpoint_embeds(tmp_path: Path) -> None:
    def embed(body: Body) -> web.Response:
        rows = [{"index": n, "embedding": [float(len(text)), 1.0]} for n, text in enumerate(body["input"])]
        return web.json_response({"data": rows[::-1]})

    endpoint = ChatEndpoint(embed)

    async def run() -> Array:
        async with serve(endpoint.handle) as url:
            # called inside a running loop on purpose
            embedder = load_embedder(f"openai/e?base_url={url}", store=tmp_path / "v.sqlite")
            return await asyncio.to_thread(embedder, ["a", "bbb", "a"])

    vectors = asyncio.run(run())
    assert endpoint.bodies == [{"model": "e", "input": ["a", "bbb"]}]
    expected = np.array([[1, 1], [3, 1], [1, 1]]) / np.sqrt([[2], [10], [2]])
    assert np.allclose(vectors, expected, atol=1e-6)


def test_an_endpoint_that_refuses_is_a_provider_error() -> None:
    refusal = {"error": {"message": "no such model"}}

    async def run() -> None:
        async with serve(ChatEndpoint(lambda body: web.json_response(refusal, status=400)).handle) as url:
            await asyncio.to_thread(load_embedder(f"openai/e?base_url={url}", keep=False), ["a"])

    with pytest.raises(ProviderError, match="no such model"):
        asyncio.run(run())


@each_case("payload")
def test_a_response_without_all_vectors_is_none(payload: object) -> None:
    assert read_embeddings(payload, 1) is None
