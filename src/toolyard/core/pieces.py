"""How a benchmark takes a very large data set apart."""

from pathlib import Path
from typing import Protocol


class PieceWriter(Protocol):
    """Takes the lines of a large data set apart; a piece is a small data set with files of the same names."""

    def piece_of(self, key: str) -> int:
        """The piece that everything about the key belongs to."""
        ...

    def add(self, piece: int, file: str, line: bytes) -> None:
        """One more line of a file of the piece's data."""
        ...

    def predict(self, piece: int, file: str, line: bytes) -> None:
        """One more line of a file of the piece's predictions."""
        ...

    def in_all(self, file: str, source: Path | None = None) -> None:
        """The file of data in every piece; without a source an empty file of predictions."""
        ...
