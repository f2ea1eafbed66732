"""Where the reference data come from: the rows of `data/sources.tsv`, and the table in the docs made of them."""

from __future__ import annotations

from typing import TypedDict

from toolyard.world.kernel.tables import read_table


class Source(TypedDict):
    """A package and what is taken from it; registry is pypi, npm or debian, use is table or run time."""

    kind: str
    registry: str
    package: str
    version: str
    rows: int
    code_licence: str
    data_licence: str
    use: str
    content: str


def sources() -> tuple[Source, ...]:
    """All sources, by kind."""
    rows = [
        Source(
            kind=row["kind"],
            registry=row["registry"],
            package=row["package"],
            version=row["version"],
            rows=int(row["rows"]),
            code_licence=row["code_licence"],
            data_licence=row["data_licence"],
            use=row["use"],
            content=row["content"],
        )
        for row in read_table("sources.tsv")
    ]
    return tuple(sorted(rows, key=lambda row: (row["kind"], row["package"])))


def licence_table() -> str:
    """The sources as the table in Markdown that stands in docs/tools.md."""
    lines = [
        "| kind | package | rows | licence of code / data | used as | what is taken |",
        "|---|---|---:|---|---|---|",
    ]
    for row in sources():
        cells = (
            row["kind"],
            f"{row['package']} {row['version']} ({row['registry']})",
            f"{row['rows']:,}" if row["rows"] else "computed",
            f"{row['code_licence']} / {row['data_licence']}",
            row["use"],
            row["content"],
        )
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)
