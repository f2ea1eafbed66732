"""What a model made of the queries of a run, one line a sample.

{"sample": "7", "input": {"rewritten_query": "..."}, "refused": ""}
"""

from pathlib import Path

from toolyard.core.types import Record
from toolyard.core.untrusted.typed_fields import typed_field
from toolyard.lines import read_records

REWRITES = "rewrites.jsonl"


def stored_rewrites(folder: Path) -> dict[str, Record]:
    """The lines that are there, by sample."""
    return {line["sample"]: line for line in read_records(folder / REWRITES, _check_line)}


def _check_line(line: Record) -> Record:
    for name, kind in (("sample", str), ("input", dict), ("refused", str)):
        typed_field(line, name, kind)
    return line


def count_rewrites(folder: Path) -> dict[str, int]:
    """How many samples the model rewrote, and how many of its texts were refused."""
    lines = stored_rewrites(folder).values()
    refused = sum(bool(line["refused"]) for line in lines)
    return {"accepted": len(lines) - refused, "refused": refused}
