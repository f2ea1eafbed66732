"""What surrounds a model in an episode that calls tools: a world with some of its tools, and a user."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Scene:
    """Which tools exist in which world, and what the user knows.

    `part` names the tools (a Category/Subcategory of the library, or ids); in `compatibility` mode calls may
    follow the official documents, which type everything as text and ask for credentials. `slots` are the
    user's answers by key words; a question that no slot fits is declined politely.
    """

    part: tuple[str, ...]
    seed: int = 0
    compatibility: bool = False
    slots: Mapping[str, str] = field(default_factory=dict)
    goal: str = ""
    budget_tokens: int = 1024
    fault_rate: float = 0.0
