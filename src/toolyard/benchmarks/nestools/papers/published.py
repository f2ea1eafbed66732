"""The 22 published rows: Tables 2 and 8 of the paper as its first version prints them."""

from pathlib import Path

from toolyard.core.reference import read_published

PUBLISHED = read_published(Path(__file__).parent / "published.json")
# The metrics of a row, in the paper's order.
COLUMNS = tuple(PUBLISHED[0].figures)
