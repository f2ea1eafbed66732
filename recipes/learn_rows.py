"""The rows that `learn.sh` tunes on: so many of each group of two mixtures, none of them long.

    python recipes/learn_rows.py FIRST SECOND OUT       # the mixtures from corpora and from the world; see learn.sh

Training reads prompts and learns answers, so short prompts teach more in the same time. Turns that need no call are as
frequent as among the official turns. Writes `rows.jsonl.xz` and `dev.jsonl.xz`.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from adapter_rows import Row, read, tokens, write

SEED = 41
# Group -> rows and the longest of them, in tokens.
GROUPS = {
    "S-S 0 calls": (500, 1800), "S-S 1 call": (900, 1800),
    "M-S 0 calls": (1800, 2000), "M-S 1 call": (1700, 2000),
    "S-M 2 calls": (200, 2200), "S-M 3 calls": (130, 2200), "S-M 4 calls": (80, 2300), "S-M 5 calls": (90, 2300),
    "M-M 0 calls": (600, 2400), "M-M 1 call": (300, 2400), "M-M 2 calls": (400, 2400), "M-M 3 calls": (150, 2400),
    "nestools 2 calls": (330, 2200), "nestools 3 calls": (330, 2200), "nestools 4 calls": (80, 2400),
    "nestools 5 calls": (10, 2600), "chat": (500, 200),
    "toolbehonest": (500, 2600), "tooleyes": (300, 2600),
}  # fmt: skip
DEV = (150, 30)


def group_of(row: Row) -> str:
    """The group of a row of a corpus, the part of any other."""
    return str(row["group"] if row["part"] in ("mtu", "nestools") else row["part"])


def chosen(rows: list[Row], chance: random.Random) -> list[Row]:
    """Some rows of each group, in an order of their own."""
    found: list[Row] = []
    for name, (count, longest) in GROUPS.items():
        fitting = [row for row in rows if group_of(row) == name and tokens(row) <= longest]
        found += chance.sample(fitting, min(count, len(fitting)))
    chance.shuffle(found)
    return found


def main() -> None:
    """Reads both mixtures and writes the two files."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in ("first", "second", "out"):
        parser.add_argument(name, type=Path)
    given = parser.parse_args()
    folders, chance = (given.first, given.second), random.Random(SEED)
    given.out.mkdir(parents=True, exist_ok=True)
    rows = [row for folder in folders for row in read(folder / "rows.jsonl.xz")]
    write(given.out / "rows.jsonl.xz", chosen(rows, chance))
    held_out = [
        row
        for folder, count in zip(folders, DEV, strict=True)
        for row in read(folder / "dev.jsonl.xz")[:count]
    ]
    write(given.out / "dev.jsonl.xz", held_out)


if __name__ == "__main__":
    main()
