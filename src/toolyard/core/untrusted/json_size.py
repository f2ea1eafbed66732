"""How much memory the value of a JSON text would take: `[],[],[],...` grows thirtyfold when it is read."""

import re

# A line, or a file that is one value.
LARGEST_TEXT = 200_000_000
MOST_MEMORY = 700_000_000
# Smaller texts cannot grow beyond that, whatever they hold.
ALWAYS_READ = 4_000_000
# What Python takes at least for a small object, a small list, and one more part of either.
OBJECT, LIST, PART = 200, 64, 40
TEXT = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
BYTES = re.compile(TEXT.pattern.encode(), re.DOTALL)


def reason_too_large(text: bytes | str) -> str:
    """Why a JSON text is too large to be read at once; empty where it is not."""
    if len(text) <= ALWAYS_READ:
        return ""
    if len(text) > LARGEST_TEXT:
        return f"more than {LARGEST_TEXT:,} bytes"
    memory = _estimate_memory(text)
    if memory > MOST_MEMORY:
        # Marks inside of texts are letters.
        memory = _estimate_memory(TEXT.sub('""', text) if isinstance(text, str) else BYTES.sub(b'""', text))
    return "" if memory <= MOST_MEMORY else f"about {memory // 1_000_000:,} MB of objects, lists and parts"


def json_memory(line: bytes) -> int:
    """About how many bytes the value of a JSON text takes, its texts included."""
    return len(line) + _estimate_memory(BYTES.sub(b'""', line))


def _estimate_memory(text: bytes | str) -> int:
    return OBJECT * _count_mark(text, "{") + LIST * _count_mark(text, "[") + PART * _count_mark(text, ",")


def _count_mark(text: bytes | str, mark: str) -> int:
    return text.count(mark) if isinstance(text, str) else text.count(mark.encode())
