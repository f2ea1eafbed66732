"""What people can work as: a table of well-known occupations."""

from __future__ import annotations

import functools
from typing import TypedDict

from toolyard.world.shared.geography import read_table


class Occupation(TypedDict):
    """What people can work as; `pay` is the usual yearly one in the United States, in dollars."""

    title: str
    category: str
    pay: float
    remote: float
    hires: list[str]
    skills: list[str]
    duties: str


@functools.cache
def occupations() -> tuple[Occupation, ...]:
    """All occupations."""
    return tuple(
        Occupation(
            title=row["title"],
            category=row["category"],
            pay=float(row["pay"]),
            remote=float(row["remote"]),
            hires=row["hires"].split(","),
            skills=row["skills"].split(", "),
            duties=row["duties"],
        )
        for row in read_table("occupations.tsv")
    )
