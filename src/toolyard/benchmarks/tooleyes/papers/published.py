"""The published rows: Tables 2, 3, 4 and 9, in fractions; F and p of Table 3 as printed."""

from pathlib import Path

from toolyard.core.reference import read_published

# What Table 9 prints is the share of queries on which a model scores at least what GPT-4 does.
AT_LEAST = "_at_least_gpt_4"
PUBLISHED = read_published(Path(__file__).parent / "published.json")
TABLE_9_FIGURES = tuple(
    name.removesuffix(AT_LEAST) for name in next(row.figures for row in PUBLISHED if row.table == "Table 9")
)
