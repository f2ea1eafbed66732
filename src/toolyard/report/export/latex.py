"""Tables in LaTeX with booktabs rules, laid out as in the papers: spanning heads, rows in parts."""

import re
from collections.abc import Sequence

from toolyard.core.table import Table, TableValue, cell_text

HEADER = (
    "% needs \\usepackage{booktabs} and, for wide tables, \\usepackage{graphicx}; "
    "letters beyond Latin ones need XeLaTeX or LuaLaTeX and a font that has them\n"
)
SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "%": r"\%", "#": r"\#", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': "''", "\x00": "{}", "–": "--", "−": "$-$", "·": r"\textperiodcentered{}",
    "\u00a0": "~",
}  # fmt: skip
WIDE = 9
# TeX reads lines of at most 200,000 bytes, and no cell of a paper is as long as this.
LONGEST = 1000
# Behind these places nothing may follow at once: a row's end and a rule take what begins like this for their own
# option, and pairs of signs are printed as another one.
_APART = re.compile(r"^(?=[\[*])|(?<=-)(?=-)|(?<=[`?!])(?=`)|(?<=')(?=')|(?<=,)(?=,)")


def escape_latex(text: str) -> str:
    """Text escaped for LaTeX; control characters become spaces, and what no table can hold is left out."""
    whole = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    shown = whole if len(whole) <= LONGEST else f"{whole[:LONGEST]}..."
    return "".join(SPECIAL.get(letter, letter) for letter in _APART.sub("\x00", shown))


def latex_tables(tables: Sequence[Table]) -> str:
    """All tables, one float each."""
    return HEADER + "\n".join(map(latex_table, tables))


def latex_table(table: Table) -> str:
    """A table with columns under spanning heads, its parts divided by rules."""
    width = len(table.columns)
    lines = [*_span_rows(table), _join_cells([escape_latex(column) for column in table.columns])]
    for title, rows in table.sections():
        lines.append(r"\midrule")
        if title:
            lines.append(rf"\multicolumn{{{width}}}{{l}}{{\textit{{{escape_latex(title)}}}}} \\")
        lines.extend(_latex_line(kind, row) for kind, row in rows)
    return _float_around(table.title, table.note, width, lines)


def _span_rows(table: Table) -> list[str]:
    if not table.spans:
        return []
    cells, rules, start = [""] * table.heads, [], table.heads + 1
    for name, width in table.spans:
        cells.append(rf"\multicolumn{{{width}}}{{c}}{{{escape_latex(name)}}}")
        rules.append(rf"\cmidrule(lr){{{start}-{start + width - 1}}}")
        start += width
    return [_join_cells(cells), " ".join(rules)]


def _latex_line(kind: str, row: Sequence[TableValue]) -> str:
    cells = [escape_latex(cell_text(value)) for value in row]
    return _join_cells([rf"\textbf{{{text}}}" for text in cells] if kind == "run" else cells)


def _join_cells(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"


def _float_around(title: str, note: str, width: int, lines: Sequence[str]) -> str:
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
    caption = escape_latex(f"{title}. {note}" if note else title)
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
