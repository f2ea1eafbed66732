"""Writes the table of sources into docs/tools.md, between its two marks.

python recipes/world_tables/licences.py
"""

from __future__ import annotations

from pathlib import Path

from toolyard.world.reference.sources import licence_table

PAGE = Path(__file__).parents[2] / "docs" / "tools.md"
START, END = "<!-- sources -->\n", "<!-- end of sources -->"


def main() -> None:
    """Replace what stands between the marks."""
    head, _, rest = PAGE.read_text("utf-8").partition(START)
    tail = rest.partition(END)[2]
    PAGE.write_text(f"{head}{START}{licence_table()}\n{END}{tail}", "utf-8")


if __name__ == "__main__":
    main()
