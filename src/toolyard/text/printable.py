"""Untrusted text without invisible characters, for terminals and for people who must see what it contains.

printable("\x1b[2Jdone\u202e")  ->  "\\x1b[2Jdone\\u202e"
"""

import json
import re

# Control characters but tab and line feed, soft hyphens, marks of direction, zero widths, separators that break lines
# unseen, tags, marks of shorthand and music, what is no character, and lone surrogates. One joiner or variation selector
# is kept behind a letter or sign that is not ASCII: Persian, Indic scripts and emoji need it, and a single one hides
# nothing there. Keycaps have theirs behind a digit. Of accents that pile up on a letter four are kept: more would be
# drawn over the lines around it.
_ACCENTS = "\u0300-\u034e\u0350-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f"
    "\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\ud800-\udfff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
    "|[\u200c\u200d](?<![^\x00-\x7f\u200c\u200d].)"
    "|[\ufe00-\ufe0f](?!\u20e3)(?<![^\x00-\x7f\u200c\u200d\ufe00-\ufe0f].)"
    f"|[{_ACCENTS}](?<=[{_ACCENTS}]{{5}})"
)
_BREAKS = re.compile("\r\n")


def printable_text(text: str) -> str:
    """The text with everything unseen written out (`\\x1b`, `\\u202e`); line feeds and tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    return _UNSEEN.sub(_written_out, _BREAKS.sub("\n", text))


def printable_line(text: str) -> str:
    """The same on one line: line feeds and tabs become spaces."""
    return printable_text(text).replace("\n", " ").replace("\t", " ")


def printable_json(text: str) -> str:
    """JSON text in which everything unseen is an escape; the same values are read from it."""
    return _UNSEEN.sub(lambda match: json.dumps(match.group())[1:-1], text)


def _written_out(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
