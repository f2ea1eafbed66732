"""What commands print: tables for people, JSON for programs."""

import os
from collections.abc import Sequence
from pathlib import Path

import typer

from toolyard.benchmarks import benchmark_names
from toolyard.core.benchmark import Table
from toolyard.core.errors import UsageError
from toolyard.core.types import JsonValue
from toolyard.lines import encode, write_whole
from toolyard.text.printable import printable_json, printable_line, printable_text

# Notes are wrapped at the first; a table in a pipe or a log may be as wide as its cells, up to the second.
PIPE_WIDTH = 160
WIDEST_TABLE = 260
# Where a context keeps a benchmark's own options out of a file.
FILE_OPTIONS = "toolyard.file_options"


def print_json(value: object) -> None:
    """One JSON object, indented, on standard output; what JSON cannot hold is made safe as in files."""
    import orjson

    typer.echo(printable_json(encode(value, orjson.OPT_INDENT_2).decode()))


def print_tables(tables: Sequence[Table], width: int | None = None) -> None:
    """Each table with its title and note, as wide as the terminal or as said: texts wrapped, columns without room named."""
    from rich.console import Console
    from rich.measure import Measurement

    from toolyard.report.export.terminal import Fitted, fit_to_width, rich_table

    console = Console()
    bounded = width is not None or console.is_terminal or "COLUMNS" in os.environ
    if width is not None:
        console = Console(width=min(width, console.width) if console.is_terminal else width)
    elif not bounded:
        console = Console(width=PIPE_WIDTH)
    for table in tables:
        if not table.rows and table.note:
            console.print(printable_line(f"{table.title}: {table.note}"), highlight=False, markup=False)
            continue
        console.print(printable_line(table.title), style="bold", highlight=False, markup=False)
        shown = fit_to_width(table, console.width) if bounded else Fitted(table)
        drawn = rich_table(shown.table, shown.widths)
        if bounded:
            console.print(drawn)
        else:
            wanted = Measurement.get(console, console.options.update(width=WIDEST_TABLE), drawn).maximum
            # print() draws nothing wider than its console
            Console(width=max(PIPE_WIDTH, wanted)).print(drawn)
        if shown.note:
            console.print(printable_text(shown.note), style="dim", highlight=False, markup=False)


def table_json(tables: Sequence[Table]) -> JsonValue:
    """Tables as lists of objects, by title."""
    return {
        table.title: [dict(zip(table.columns, row, strict=True)) for row in table.rows] for table in tables
    }


def benchmark_options(context: typer.Context) -> dict[str, str]:
    """`--name value` pairs that belong to the benchmark and not to the command, those of --config first."""
    words = list(context.args)
    options: dict[str, str] = dict(context.meta.get(FILE_OPTIONS, {}))
    while words:
        word = words.pop(0)
        if not word.startswith("--"):
            joined = ",".join([str(context.params.get("benchmark")), word])
            hint = f"; several benchmarks are joined by commas: {joined}" if word in benchmark_names() else ""
            raise UsageError(f"unexpected argument {word!r}{hint} (see: {context.command_path} --help)")
        name, equals, value = word[2:].partition("=")
        if not equals:
            # A flag such as --reprompt means yes.
            value = words.pop(0) if words and not words[0].startswith("--") else "yes"
        options[name] = value
    return options


def wants_paper(compare: str | None) -> bool:
    """Whether `--compare` asks for the published rows; `paper` is all there is to compare with here."""
    if compare not in (None, "paper"):
        raise UsageError(f"--compare {compare!r} is not paper; to compare runs use: toolyard compare RUN RUN")
    return compare == "paper"


def write_page(path: Path, text: str) -> None:
    """Writes a page and says where, on stderr, so that --json stays JSON."""
    write_output(path, text.encode("utf-8", "replace"))
    typer.echo(f"page: {path}", err=True)


def write_output(path: Path, data: bytes) -> None:
    """Writes a file that the user named, whole or not at all; what is no file, e.g. /dev/stdout, just gets the bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_relative_to("/dev") or (path.exists() and not path.is_file()):
        path.write_bytes(data)
    else:
        write_whole(path.resolve(), data)
