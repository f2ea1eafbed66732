"""What a hard list shows: tools of the world, views of general ones, and near-misses whose documents exclude the request.

"File/Pdf/compress" -> ("PDFCompress", "Gives a smaller copy of a PDF ...")
"CalendarEntry"     -> ("CalendarEntry", "Adds an event to the user's calendar ...")            a view of Zapier
near_misses("File/Pdf/compress")[0] -> ("VaultPDFCompress", "... Works only on files below /vault.", "limit")
"""

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from toolyard.benchmarks.toolbehonest.synth.world.listed_tools import offered_tools
from toolyard.core.types import Record

_LISTED = Path(__file__).parent / "listed.toml"
READ_ONLY = "read_only"
# What every tool of the table may have as a second near-miss.
_DEMONSTRATION = (
    (READ_ONLY, "Demo", "A demonstration: it shows the same stored example whatever it is asked."),
)


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A tool again with a limit in its document; `kind` is region, period, limit or read_only."""

    name: str
    description: str
    kind: str
    base: str


@functools.cache
def _read_table() -> Record:
    return tomllib.loads(_LISTED.read_text("utf-8"))


def narrow_views() -> Mapping[str, tuple[str, str]]:
    """(id of the world's tool, description) by name: one narrow thing that a general tool does."""
    found: Mapping[str, tuple[str, str]] = _read_table()["view"]
    return found


def list_entry(tool: str) -> tuple[str, str]:
    """Name and description of a tool, as a list shows them."""
    return (tool, narrow_views()[tool][1]) if tool in narrow_views() else offered_tools()[tool]


@functools.cache
def same_question(one: str, other: str) -> bool:
    """Whether somebody who lacks one tool could send the question to the other, beyond what their documents share."""
    lines: list[list[str]] = _read_table()["same_question"]
    return any(
        all(tool.endswith(tuple(f"/{name}" for name in line)) for tool in (one, other)) for line in lines
    )


@functools.cache
def near_misses(tool: str) -> tuple[NearMiss, ...]:
    """The near-misses of a tool, those that act before those that only show."""
    entries: Mapping[str, list[list[str]]] = _read_table()["near"]
    keys = [key for key in entries if tool.startswith(key)]
    own = entries[max(keys, key=len)] if keys else []
    name, description = list_entry(tool)
    return tuple(
        NearMiss(f"{word}{name}", f"{description} {sentence}", kind, tool)
        for kind, word, sentence in (*own, *(_DEMONSTRATION if len(own) == 1 else ()))
    )
