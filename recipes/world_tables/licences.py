"""Writes the table of sources into docs/tools.md, between its two marks.

python recipes/world_tables/licences.py
"""

from __future__ import annotations

from pathlib import Path

from toolyard.world.kernel.tables import read_table

PAGE = Path(__file__).parents[2] / "docs" / "tools.md"
START, END = "<!-- sources -->\n", "<!-- end of sources -->"


def sources() -> list[dict[str, str]]:
    """The rows of data/sources.tsv by kind: each a package and what is taken from it, `rows` 0 where it is computed."""
    return sorted(read_table("sources.tsv"), key=lambda row: (row["kind"], row["package"]))


def licence_table() -> str:
    """The sources as a table in Markdown."""
    lines = [
        "| kind | package | rows | licence of code / data | used as | what is taken |",
        "|---|---|---:|---|---|---|",
    ]
    for row in sources():
        cells = (
            row["kind"],
            f"{row['package']} {row['version']} ({row['registry']})",
            f"{int(row['rows']):,}" if int(row["rows"]) else "computed",
            f"{row['code_licence']} / {row['data_licence']}",
            row["use"],
            row["content"],
        )
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> None:
    """Replace what stands between the marks."""
    head, _, rest = PAGE.read_text("utf-8").partition(START)
    tail = rest.partition(END)[2]
    PAGE.write_text(f"{head}{START}{licence_table()}\n{END}{tail}", "utf-8")


if __name__ == "__main__":
    main()
