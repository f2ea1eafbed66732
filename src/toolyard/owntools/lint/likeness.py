"""How alike the documents of tools are to a reader: by embedding where there is one, else by shared words."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toolyard.core.errors import ToolyardError
from toolyard.core.types import JsonValue
from toolyard.owntools.sources.tool_source import SourceTool
from toolyard.text.word_overlap import telling_stems

BY_WORDS = "shared words (no embedder is installed: pip install 'toolyard[embed]'; toolyard fetch embedder)"
# From here on two documents count as alike: chosen on damaged and sound sets of the tests, not measured on models.
ALIKE_BY_MEANING = 0.86
ALIKE_BY_WORDS = 0.7


@dataclass(frozen=True, slots=True)
class Likeness:
    """Every pair's likeness from 0 to 1, and how it was found."""

    names: tuple[str, ...]
    values: NDArray[np.float64]
    method: str
    threshold: float

    def pairs(self, least: float) -> list[tuple[float, str, str]]:
        """The pairs that are at least so alike, the most alike first."""
        found = [
            (float(self.values[row, column]), self.names[row], self.names[column])
            for row in range(len(self.names))
            for column in range(row + 1, len(self.names))
            if self.values[row, column] >= least
        ]
        return sorted(found, key=lambda pair: (-pair[0], pair[1:]))

    def to_json(self) -> dict[str, JsonValue]:
        """The matrix, and the method."""
        return {
            "method": self.method,
            "threshold": self.threshold,
            "names": list(self.names),
            "values": [[round(float(value), 4) for value in row] for row in self.values],
        }


def tool_likeness(tools: Sequence[SourceTool], embedder: str = "minilm") -> Likeness:
    """The likeness of the tools' texts; `words` asks for no embedder."""
    names = tuple(tool.name for tool in tools)
    texts = [identifying_text(tool) for tool in tools]
    if embedder != "words":
        vectors = _unit_vectors(texts, embedder)
        if vectors is not None:
            values = np.clip(np.asarray(vectors @ vectors.T, dtype=np.float64), 0, 1)
            blank = np.array([not tool.description for tool in tools])
            values[blank, :] *= 0.9  # a bare name is alike to little, whatever its words
            values[:, blank] *= 0.9
            np.fill_diagonal(values, 1.0)
            return Likeness(names, values, f"embedding ({embedder})", ALIKE_BY_MEANING)
    return Likeness(names, _word_overlaps(texts), BY_WORDS, ALIKE_BY_WORDS)


def identifying_text(tool: SourceTool) -> str:
    """The text that identifies a tool: its description, or its name where it has none."""
    return tool.description[:1000] or tool.name.replace("_", " ")


def _unit_vectors(texts: Sequence[str], embedder: str) -> NDArray[np.float32] | None:
    """The unit vectors; None where the embedder or its weights are not installed."""
    from toolyard.models.embed.embedding import load_embedder

    try:
        return load_embedder(embedder)(texts)
    except (ToolyardError, ImportError):
        return None


def _word_overlaps(texts: Sequence[str]) -> NDArray[np.float64]:
    """The share of telling words that two texts have in common."""
    stems = [telling_stems(text) for text in texts]
    values = np.eye(len(stems))
    for row, first in enumerate(stems):
        for column, second in enumerate(stems):
            both = len(first | second)
            if row != column:
                values[row, column] = len(first & second) / both if both else 0.0
    return values
