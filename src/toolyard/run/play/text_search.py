"""Texts that fit a query, by the world's one index: no embedder is needed."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from toolyard.core.types import SearchTexts

if TYPE_CHECKING:
    from toolyard.world.index import Index


def fitting_places(effect: SearchTexts) -> tuple[int, ...]:
    """The places of the texts that share words with the query, best first."""
    return tuple(int(row["place"]) for row in _index_texts(effect.texts).search(effect.query))


@lru_cache(maxsize=64)
def _index_texts(texts: tuple[str, ...]) -> Index[dict[str, int | str]]:
    from toolyard.world.index import Index

    return Index([{"place": place, "text": text} for place, text in enumerate(texts)], ["text"])
