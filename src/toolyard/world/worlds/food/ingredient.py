"""A simple food of the kitchen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ingredient:
    """A simple food; `flags` are the letters of INTOLERANCES, m for meat, a for honey and the like, o for alcohol."""

    id: int
    name: str
    german: str
    aliases: tuple[str, ...]
    category: str
    aisle: str
    flags: str
    per_100g: Mapping[str, float]
    grams_per_cup: float
    grams_per_piece: float
    cents_per_100g: float
    glycemic_index: int
