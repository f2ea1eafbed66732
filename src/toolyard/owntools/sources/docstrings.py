"""What a docstring says: its summary, and the words on each parameter in any of the usual styles."""

import re

from toolyard.core.types import Record

# `name: text`, `name (type): text`, `:param type name: text` and `name : type` of the usual styles.
_ENTRY = re.compile(
    r"^\s{0,12}(?::param\s+)?(?:[\w\[\], |.]+\s+)?\*{0,2}(\w+)\s*(?:\([^)]{0,80}\))?\s*:\s*(.*)$"
)
_SECTION = re.compile(
    r"^\s*(args|arguments|parameters|returns?|raises|yields|examples?|notes?)\s*:?\s*$", re.I
)


def docstring_summary(documentation: str) -> str:
    """The text before sections and examples, on one line."""
    kept: list[str] = []
    for line in documentation.splitlines():
        entry = _ENTRY.match(line) if line.lstrip().startswith(":param") else None
        if _SECTION.match(line) or line.strip().startswith((">>>", "---")) or entry:
            break
        kept.append(line.strip())
    return " ".join(filter(None, kept))


def described_parameters(documentation: str, names: Record) -> dict[str, str]:
    """What the docstring says of each parameter, in any of the usual styles."""
    found: dict[str, str] = {}
    current = ""
    for line in documentation.splitlines():
        entry = _ENTRY.match(line)
        if entry and entry[1] in names:
            current = entry[1]
            found[current] = entry[2].strip()
        elif current and line.startswith((" ", "\t")) and line.strip() and not _SECTION.match(line):
            found[current] = f"{found[current]} {line.strip()}".strip()
        else:
            current = ""
    return found
