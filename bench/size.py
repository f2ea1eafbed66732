"""Lines and Python tokens of the source and the tests, without comments, blank lines and line ends.

python bench/size.py            one row for each part, beside its ceiling
python bench/size.py FOLDER     one row for each folder inside, largest first
"""

from __future__ import annotations

import io
import sys
import tokenize
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
SOURCE, WORLD, TESTS = ROOT / "src" / "toolyard", ROOT / "src" / "toolyard" / "world", ROOT / "tests"
LAYOUT = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING, tokenize.ENDMARKER,
}  # fmt: skip


class Size(NamedTuple):
    """How much Python there is."""

    files: int
    lines: int
    tokens: int


def size_of(paths: Iterable[Path]) -> Size:
    """The size of some Python files together."""
    files = lines = tokens = 0
    for path in paths:
        text = path.read_text(encoding="utf-8")
        files += 1
        lines += text.count("\n")
        tokens += sum(
            part.type not in LAYOUT for part in tokenize.generate_tokens(io.StringIO(text).readline)
        )
    return Size(files, lines, tokens)


def parts() -> dict[str, Size]:
    """The three parts that have a ceiling."""
    return {
        "world": size_of(WORLD.rglob("*.py")),
        "rest of src": size_of(path for path in SOURCE.rglob("*.py") if WORLD not in path.parents),
        "tests": size_of(TESTS.rglob("*.py")),
    }


def main() -> None:
    """Prints the table."""
    if len(sys.argv) > 1:
        folder = Path(sys.argv[1])
        rows = {each.name: size_of(each.rglob("*.py")) for each in folder.iterdir() if each.is_dir()}
        rows["(files)"] = size_of(folder.glob("*.py"))
    else:
        rows = parts()
    print(f"{'part':<24}{'files':>8}{'lines':>10}{'tokens':>12}")
    for name, size in sorted(rows.items(), key=lambda row: -row[1].lines):
        print(f"{name:<24}{size.files:>8,}{size.lines:>10,}{size.tokens:>12,}")


if __name__ == "__main__":
    main()
