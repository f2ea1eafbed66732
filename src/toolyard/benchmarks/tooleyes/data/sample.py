"""The form of a ToolEyes sample: official rows bring documents and prompts, our own slots and a change of mind."""

from __future__ import annotations

from typing import TYPE_CHECKING, NotRequired, TypeAlias, TypedDict

from toolyard.core.types import Record, Sample

if TYPE_CHECKING:
    from toolyard.benchmarks.tooleyes.data.queries import QueryGold


class ChangeOfMind(TypedDict):
    """What the user wants from a given round on."""

    after_round: int
    text: str


class ToolEyesInput(TypedDict):
    """What a prompt may show, and what the user of the episode knows."""

    query: str
    path: str
    documents: NotRequired[list[Record]]
    offers: NotRequired[list[str]]
    slots: NotRequired[dict[str, str]]
    change: NotRequired[ChangeOfMind]
    system: NotRequired[dict[str, str]]
    official_id: NotRequired[str]
    perturb: NotRequired[Record]


# Official queries whose answer our world does not determine have no gold.
ToolEyesSample: TypeAlias = "Sample[ToolEyesInput, QueryGold | None]"
