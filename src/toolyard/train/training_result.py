"""What a training gives back."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from toolyard.core.table import Table
from toolyard.core.types import Record


@dataclass(frozen=True, slots=True)
class Trained:
    """What came of it: facts for programs, tables for people, and whether this process is the one that tells."""

    facts: Record
    tables: tuple[Table, ...]
    folder: Path
    tells: bool = True
    written: tuple[str, ...] = ()
