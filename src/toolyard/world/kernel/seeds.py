"""Randomness that depends on nothing but its arguments: same parts, same stream, on any machine."""

import functools
import gc
import hashlib
import random
import threading
from collections.abc import Callable, Sequence
from typing import ParamSpec, TypeVar, cast

Value = TypeVar("Value")
Given = ParamSpec("Given")
# Worlds of so many seeds are kept in memory at once; one more takes the place of the one used longest ago.
SEEDS_KEPT = 3


def number(*parts: object) -> int:
    """A stable 64-bit number for these parts."""
    text = "\x1f".join(map(str, parts)).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest())


def unit(*parts: object) -> float:
    """A stable number in [0, 1) for these parts; cheaper than a generator when one is enough."""
    return (number(*parts) >> 11) / 2**53


def stream(*parts: object) -> random.Random:
    """A generator that starts from these parts."""
    return random.Random(number(*parts))


def pick(options: Sequence[Value], *parts: object) -> Value:
    """The option that these parts stand for."""
    return options[number(*parts) % len(options)]


def token(length: int, *parts: object) -> str:
    """A stable hexadecimal identifier of this length."""
    text = "\x1f".join(map(str, parts)).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(text, digest_size=(length + 1) // 2).hexdigest()[:length]


def table(build: Callable[[int], Value]) -> Callable[[int], Value]:
    """A table that is built once per seed, for the last seeds of a process; its rows must never be changed."""

    @functools.lru_cache(maxsize=SEEDS_KEPT)
    @functools.wraps(build)
    def build_table(seed: int) -> Value:
        return build_without_gc(build, seed)

    return build_table


_begun: dict[int, None] = {}
_beginning = threading.Lock()
_forgetting: list[Callable[[], None]] = []


def cache_by_seed(most: int) -> Callable[[Callable[Given, Value]], Callable[Given, Value]]:
    """Keeps what a function of a seed gave for so many calls, as long as no more seeds are begun than are kept."""

    def remember(function: Callable[Given, Value]) -> Callable[Given, Value]:
        kept = functools.lru_cache(maxsize=most)(function)
        _forgetting.append(kept.cache_clear)
        return cast("Callable[Given, Value]", kept)

    return remember


def begin(seed: int) -> None:
    """Notes that a world of a seed is made; one seed more than are kept, and what was remembered is forgotten."""
    if seed in _begun:
        return
    with _beginning:
        _begun[seed] = None
        if len(_begun) > SEEDS_KEPT:
            del _begun[next(iter(_begun))]
            for forget in _forgetting:
                forget()


def build_without_gc(build: Callable[..., Value], *arguments: object) -> Value:
    """What a function builds, without the search for garbage that large tables set off again and again."""
    watched = gc.isenabled()
    gc.disable()
    try:
        return build(*arguments)
    finally:
        if watched:
            gc.enable()
