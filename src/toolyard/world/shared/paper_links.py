"""What is on record about papers that exist: words they are looked for by, rough counts of citations, what they cite.

paper_subjects.tsv: Fast R-CNN	object detection	33000
paper_references.tsv: Fast R-CNN	Rich feature hierarchies ... | Very Deep Convolutional ...
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import NamedTuple

from toolyard.world.tables import plain, read_table


class OnRecord(NamedTuple):
    """Words beside the title, and how often it was cited by 2024, roughly."""

    words: str
    cited: int


@functools.cache
def on_record() -> Mapping[str, OnRecord]:
    """The papers of the table by their plain title."""
    return {
        plain(row["title"]): OnRecord(row["words"] or "", int(row["cited"]))
        for row in read_table("paper_subjects.tsv")
    }


@functools.cache
def cited_titles() -> Mapping[str, tuple[str, ...]]:
    """Plain title -> the plain titles of what it cites of the papers that exist."""
    return {
        plain(row["title"]): tuple(plain(title) for title in row["cites"].split(" | "))
        for row in read_table("paper_references.tsv")
    }
