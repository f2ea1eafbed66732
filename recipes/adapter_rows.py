"""The rows on which the bundled adapter went on, and those of the second base: parts of two mixtures, by tokens.

    toolyard synth mixture --from corpora --sources CORPORA --out first ...     # the commands are in docs/training.md
    toolyard synth mixture --from world --rows 9000 --seed 31 --out second ...
    python recipes/adapter_rows.py first second OUT

Dialogues, nested calls and chat come from the first, ToolBeHonest and ToolEyes in today's default style from the second.
Writes `more.jsonl.xz` (SmolLM2 goes on), `dev_more.jsonl.xz` (its loss on rows held out) and `second_base.jsonl.xz`.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
from pathlib import Path
from typing import Any

Row = dict[str, Any]
SEED, MILLION = 5, 1_000_000
# Longer dialogues are left out for the larger model, which reads a fifth as fast.
LONGEST = 2600
# Millions of tokens of each part.
BUNDLED = {"M-M": 7.0, "mtu": 12.0, "nestools": 3.0, "toolbehonest": 4.0, "tooleyes": 6.0, "chat": 0.03}
SECOND_BASE = {"M-M": 5.5, "mtu": 9.5, "nestools": 1.0, "toolbehonest": 0.8, "tooleyes": 1.2, "chat": 0.01}


def read(path: Path) -> list[Row]:
    """The rows of a file; none where it is not there."""
    if not path.is_file():
        return []
    with lzma.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def tokens(row: Row) -> float:
    """About how many tokens a row has."""
    return sum(len(message["content"]) for message in row["messages"]) / 3.5


def write(path: Path, rows: list[Row]) -> None:
    """Writes rows and tells how many."""
    with lzma.open(path, "wt", encoding="utf-8", preset=1) as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    print(f"{path.name}: {len(rows):,} rows, {sum(map(tokens, rows)) / MILLION:.1f} million tokens")


class Drawing:
    """Draws rows of each part until they hold so many tokens."""

    def __init__(self, first: list[Row], second: list[Row]) -> None:
        self.chance = random.Random(SEED)
        self.first, self.second = first, second

    def some(self, millions: float, rows: list[Row]) -> list[Row]:
        """So many million tokens of the rows."""
        self.chance.shuffle(rows)
        found, read_so_far = [], 0.0
        for row in rows:
            if read_so_far >= millions * MILLION:
                break
            found.append(row)
            read_so_far += tokens(row)
        return found

    def mixture(self, parts: dict[str, float], longest: float) -> list[Row]:
        """The parts together, in an order of their own."""
        found: list[Row] = []
        for name, millions in parts.items():
            rows = self.second if name in ("toolbehonest", "tooleyes") else self.first
            found += self.some(millions, [row for row in rows if of(row) == name and tokens(row) <= longest])
        self.chance.shuffle(found)
        return found


def of(row: Row) -> str:
    """The part of a row; dialogues with several tools in several turns are a part of their own."""
    return "M-M" if row["group"].startswith("M-M") else str(row["part"])


def main() -> None:
    """Reads both mixtures and writes the three files."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in ("first", "second", "out"):
        parser.add_argument(name, type=Path)
    arguments = parser.parse_args()
    first, second = (read(folder / "rows.jsonl.xz") for folder in (arguments.first, arguments.second))
    drawing = Drawing(first, second)
    arguments.out.mkdir(parents=True, exist_ok=True)
    write(arguments.out / "more.jsonl.xz", drawing.mixture(BUNDLED, float("inf")))
    write(arguments.out / "second_base.jsonl.xz", drawing.mixture(SECOND_BASE, LONGEST))
    held_out, held_out_second = (
        read(folder / "dev.jsonl.xz") for folder in (arguments.first, arguments.second)
    )
    known = [row for row in held_out if row["part"] not in ("toolbehonest", "tooleyes")]
    write(arguments.out / "dev_more.jsonl.xz", known[:600] + held_out_second[:150])


if __name__ == "__main__":
    main()
