"""How likely a guess at facts of our own queries is right, by how often worlds of different seeds agree in them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TypedDict

# Made by recipes/closed_book.py.
CHANCES = Path(__file__).parent / "guess_chances.json"
MOST_CHANCE = 0.02


class GuessChances(TypedDict):
    """Of a row the share of pairs among 21 worlds that agree in each fact, and in all of them."""

    facts: list[float]
    all: float


@cache
def measured_chances() -> dict[str, GuessChances]:
    """The chances of a guess by row, as far as they were measured."""
    found: dict[str, GuessChances] = json.loads(CHANCES.read_text("utf-8")) if CHANCES.exists() else {}
    return found


def is_drawn(chance: float) -> bool:
    """Whether worlds differ."""
    return chance < 1


def is_guessable(chance: float) -> bool:
    """Whether a guess is right too often to prove a look into the world."""
    return chance >= MOST_CHANCE
