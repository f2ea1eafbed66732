"""The 14 published models: Table 2, the solvable side of Table 3, and the two embedders of Table 4."""

from pathlib import Path

from toolyard.core.reference import read_published

PROPRIETARY, OPEN = "proprietary", "open-weight"
PUBLISHED = read_published(Path(__file__).parent / "published.json")
TABLE_3_FIGURES = tuple(next(row.figures for row in PUBLISHED if row.table == "Table 3"))
