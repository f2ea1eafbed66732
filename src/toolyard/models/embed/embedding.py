"""Texts as unit vectors, each distinct text computed once and then kept on disk.

minilm                              all-MiniLM-L6-v2 without torch, the default, behind the extra `embed`
sentence-transformers/NAME          any model of that package, behind its own extra
openai/NAME[?base_url=...&key_env=VAR]   an embedding endpoint
hash                                token hashing: knows no meaning, needs no weights; for tests
"""

import asyncio
import hashlib
import logging
import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from toolyard.core.errors import MissingAsset, MissingExtra, ProviderError, UsageError, did_you_mean
from toolyard.core.types import JsonValue
from toolyard.models.assets import EMBEDDER, cache_folder, require_asset
from toolyard.models.base import Limits
from toolyard.models.cache.key_value_store import KeptStore
from toolyard.models.embed.minilm import refuse_missing_packages
from toolyard.models.spec import ModelSpec

if TYPE_CHECKING:
    from toolyard.models.http.endpoint import Endpoint, EndpointAnswer

LOG = logging.getLogger("toolyard")
Vectors = NDArray[np.float32]
Compute = Callable[[Sequence[str]], Vectors]

SPECS = ("minilm", "sentence-transformers/NAME", "openai/NAME[?base_url=...&key_env=VAR]", "hash")
HASH_WIDTH = 256
WORD = re.compile(r"\w+")
ENDPOINT_BATCH = 256


class Embedder:
    """Texts to unit vectors (float32, one row each); `computed` counts the texts that were new."""

    def __init__(self, name: str, identity: str, compute: Compute, store: Path | None) -> None:
        self.name = name
        self.computed = 0
        self._identity = identity
        self._compute = compute
        self._store = (
            None if store is None else KeptStore(store, advice="set TOOLYARD_CACHE to another folder")
        )
        self._memory: dict[bytes, Vectors] = {}

    def __call__(self, texts: Sequence[str]) -> Vectors:
        """One unit vector per text, in order."""
        if not texts:
            return np.zeros((0, 0), np.float32)
        keys = [self._key(text) for text in texts]
        wanted = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._memory}
        if self._store is not None and wanted:
            self._memory |= _valid_vectors(self._store.read(wanted))
        missing = {key: text for key, text in wanted.items() if key not in self._memory}
        if missing:
            self._add(missing)
        return np.stack([self._memory[key] for key in keys])

    def _key(self, text: str) -> bytes:
        content = f"{self._identity}\0{text}".encode("utf-8", "surrogatepass")
        return hashlib.blake2b(content, digest_size=20).digest()

    def _add(self, missing: dict[bytes, str]) -> None:
        vectors = _unit_vectors(self._compute(list(missing.values())))
        self.computed += len(missing)
        fresh = dict(zip(missing, vectors, strict=True))
        self._memory |= fresh
        if self._store is not None:
            self._store.write({key: vector.astype("<f4").tobytes() for key, vector in fresh.items()})


def _valid_vectors(kept: dict[bytes, bytes]) -> dict[bytes, Vectors]:
    """The kept vectors; those that are no unit vectors of one width are left out and computed again."""
    read = {key: np.frombuffer(value, "<f4") for key, value in kept.items() if _is_vector(value)}
    whole = {key: vector for key, vector in read.items() if _is_unit(vector) or not vector.any()}
    width = max((len(vector) for vector in whole.values()), default=0)
    sound = {key: vector for key, vector in whole.items() if len(vector) == width}
    if len(sound) < len(kept):
        LOG.warning("%d kept embeddings are damaged; they are computed again", len(kept) - len(sound))
    return sound


def _is_vector(value: object) -> bool:
    return isinstance(value, bytes) and len(value) > 0 and len(value) % 4 == 0


def _is_unit(vector: Vectors) -> bool:
    return abs(float(np.linalg.norm(vector)) - 1) < 1e-3


def _unit_vectors(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(lengths == 0, 1, lengths)).astype(np.float32)


def load_embedder(
    spec: str = "minilm", *, store: Path | None = None, keep: bool = True, named: bool = True
) -> Embedder:
    """The embedder with this name. It loads its weights at the first text that is not cached.

    Where not the user but a file has `named` it, a text that is not kept yet is refused by all but ours: the file may
    come from a stranger, and an endpoint would get a key.
    """
    path = (store or cache_folder() / "embeddings.sqlite") if keep else None
    parsed = embedder_spec(spec)
    if parsed.kind == "minilm":
        return Embedder(spec, f"minilm/{EMBEDDER.files[0].sha256}", _load_minilm(), path)
    if parsed.kind == "hash":
        return Embedder(spec, "hash/1", hash_vectors, None)
    if not named:
        identity = spec if parsed.kind == "sentence-transformers" else parsed.identity
        return Embedder(parsed.display, identity, _refusing_compute(parsed.printable), path)
    if parsed.kind == "sentence-transformers":
        return Embedder(spec, spec, _sentence_transformers(parsed.rest), path)
    identity, compute = _embedding_endpoint(parsed)
    return Embedder(parsed.display, identity, compute, path)


def _refusing_compute(shown: str) -> Compute:
    def compute(texts: Sequence[str]) -> Vectors:
        raise MissingAsset(
            f"{len(texts)} texts have no embedding yet, and {shown} is named by the run directory alone, which may "
            f"send nothing anywhere; name it yourself: --embedder '{shown}'"
        )

    return compute


def embedder_spec(name: str) -> ModelSpec:
    """The embedder's name taken apart; one of no known form, or with a key in its address, is refused."""
    spec = ModelSpec.parse(name)
    if name in ("minilm", "hash") or (spec.kind in ("sentence-transformers", "openai") and spec.name):
        if spec.holds_key:
            raise UsageError(
                f"{spec.printable}: a key in the path would be written down; use key_env=VAR instead"
            )
        return spec
    raise UsageError(
        f"no embedder is called {spec.printable!r}; {did_you_mean(spec.printable, SPECS)}there are {', '.join(SPECS)}"
    )


def refuse_unready(name: str) -> None:
    """Stops where the default embedder's packages or weights are not here, before anything is paid for."""
    if name != "minilm":
        return
    try:
        refuse_missing_packages()
    except MissingExtra as error:
        raise MissingExtra(f"{error} && toolyard fetch {EMBEDDER.name}") from None
    require_asset(EMBEDDER)


def _load_minilm() -> Compute:
    refuse_missing_packages()
    folder = require_asset(EMBEDDER)

    def compute(texts: Sequence[str]) -> Vectors:
        from toolyard.models.embed.minilm import load_minilm

        return load_minilm(folder).encode(texts)

    return compute


def _sentence_transformers(name: str) -> Compute:
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise MissingExtra(
            "this embedder needs its package: pip install 'toolyard[sentence-transformers]'"
        ) from error
    encoder = SentenceTransformer(name)

    def compute(texts: Sequence[str]) -> Vectors:
        return np.asarray(encoder.encode(list(texts), normalize_embeddings=True), np.float32)

    return compute


def hash_vectors(texts: Sequence[str]) -> Vectors:
    """Vectors that count hashed words with signs; equal words are all they know."""
    vectors = np.zeros((len(texts), HASH_WIDTH), np.float32)
    for row, text in enumerate(texts):
        # The constant keeps a text without words from having no direction at all.
        vectors[row, 0] = 1e-3
        for word in WORD.findall(text.lower()):
            digest = hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest()
            number = int.from_bytes(digest, "little")
            vectors[row, number % HASH_WIDTH] += 1.0 if number >> 32 & 1 else -1.0
    return vectors


def _embedding_endpoint(spec: ModelSpec) -> tuple[str, Compute]:
    """An embedding endpoint's identity, and what asks it."""
    from toolyard.models.http.endpoint import Endpoint
    from toolyard.models.http.openai import read_address

    address = read_address(spec)

    async def ask(texts: Sequence[str]) -> Vectors:
        endpoint = Endpoint(address.base_url, key=address.key, limits=Limits())
        try:
            parts = [texts[start : start + ENDPOINT_BATCH] for start in range(0, len(texts), ENDPOINT_BATCH)]
            return np.concatenate(
                await asyncio.gather(*(_post_texts(endpoint, address.name, part) for part in parts))
            )
        finally:
            await endpoint.close()

    def compute(texts: Sequence[str]) -> Vectors:
        # In a thread of its own, because the caller may be inside a running event loop.
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(asyncio.run, ask(texts)).result()

    return f"openai/{address.name}@{address.base_url}", compute


async def _post_texts(endpoint: "Endpoint", name: str, texts: Sequence[str]) -> Vectors:
    from toolyard.models.http import wire

    def read(answer: "EndpointAnswer") -> Vectors:
        vectors = None if answer.refusal else read_embeddings(answer.payload, len(texts))
        if vectors is None:
            said = answer.refusal.message[:200] if answer.refusal else "no embedding per text"
            kind = "bad_request" if answer.refusal else "bad_response"
            raise ProviderError(kind, f"{endpoint.base_url}: {said}")
        return vectors

    data = wire.encode_json({"model": name, "input": list(texts)})
    return await endpoint.post("embeddings", data, read)


def read_embeddings(payload: JsonValue, count: int) -> Vectors | None:
    """The vectors in an endpoint's response, in the order of the texts; None where they are not all there."""
    rows = payload.get("data") if isinstance(payload, dict) else None
    if not isinstance(rows, list) or len(rows) != count:
        return None
    try:
        ordered = sorted(rows, key=lambda row: row["index"])
        vectors = np.array([row["embedding"] for row in ordered], np.float32)
    except (TypeError, KeyError, ValueError):
        return None
    return vectors if vectors.ndim == 2 and bool(np.isfinite(vectors).all()) else None
