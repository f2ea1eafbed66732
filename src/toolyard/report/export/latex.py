"""Tables in LaTeX with booktabs rules, laid out as in the papers: spanning heads, rows in parts."""

from __future__ import annotations

from collections.abc import Sequence

from toolyard.core.benchmark import Table
from toolyard.report.export.terminal import cell
from toolyard.report.page.page_tables import Line, WideTable

HEADER = "% needs \\usepackage{booktabs} and, for wide tables, \\usepackage{graphicx}\n"
SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "%": r"\%", "#": r"\#", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': r"\textquotedbl{}", "–": "--", "−": "$-$", "·": r"\textperiodcentered{}",
    "\u00a0": "~",
}  # fmt: skip
WIDE = 9


def escaped(text: str) -> str:
    """Text that LaTeX prints as it is; control characters become spaces."""
    shown = (character if character.isprintable() else " " for character in text)
    return " ".join("".join(SPECIAL.get(character, character) for character in shown).split())


def latex(tables: Sequence[Table | WideTable]) -> str:
    """All tables, one float each."""
    return HEADER + "\n".join(wide_table(t) if isinstance(t, WideTable) else plain_table(t) for t in tables)


def plain_table(table: Table) -> str:
    """A table with one row of heads."""
    body = [_row([escaped(cell(value)) for value in row]) for row in table.rows]
    heads = _row([escaped(column) for column in table.columns])
    return _float(table.title, table.note, len(table.columns), [heads, r"\midrule", *body])


def wide_table(table: WideTable) -> str:
    """A table with columns under spanning heads, its parts divided by rules."""
    width = len(table.heads) + len(table.columns)
    lines = _spans(table)
    lines.append(_row([escaped(name) for name in (*table.heads, *table.columns)]))
    for title, members in table.parts:
        lines.append(r"\midrule")
        if title:
            lines.append(rf"\multicolumn{{{width}}}{{l}}{{\textit{{{escaped(title)}}}}} \\")
        lines.extend(_line(member) for member in members)
    return _float(table.title, table.note, width, lines)


def _spans(table: WideTable) -> list[str]:
    if not table.spans:
        return []
    cells, rules, start = [""] * len(table.heads), [], len(table.heads) + 1
    for name, width in table.spans:
        cells.append(rf"\multicolumn{{{width}}}{{c}}{{{escaped(name)}}}")
        rules.append(rf"\cmidrule(lr){{{start}-{start + width - 1}}}")
        start += width
    return [_row(cells), " ".join(rules)]


def _line(line: Line) -> str:
    cells = [escaped(text) for text in (*line.head, *(value.text for value in line.cells))]
    if line.kind == "run":
        cells = [rf"\textbf{{{text}}}" for text in cells]
    return _row(cells)


def _row(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"


def _float(title: str, note: str, width: int, lines: Sequence[str]) -> str:
    """The float around rows; more columns than fit are scaled to the width of the text."""
    scaled = width > WIDE
    inside = [
        rf"\begin{{tabular}}{{l{'r' * (width - 1)}}}",
        r"\toprule",
        *lines,
        r"\bottomrule",
        r"\end{tabular}",
    ]
    if scaled:
        inside = [r"\resizebox{\textwidth}{!}{%", *inside, "}"]
    kind = "table*" if scaled else "table"
    caption = escaped(f"{title}. {note}" if note else title)
    return "\n".join(
        [
            rf"\begin{{{kind}}}[t]",
            r"\centering",
            r"\small",
            *inside,
            rf"\caption{{{caption}}}",
            rf"\end{{{kind}}}",
            "",
        ]
    )
