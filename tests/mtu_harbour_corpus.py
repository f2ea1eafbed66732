"""A small corpus of our own in the common schema, with every situation that the pipeline has rules for."""

import json
from pathlib import Path

from cases import cases


def write_corpus(folder: Path) -> Path:
    """The corpus in a folder `harbour` of the given one, which is returned."""
    place = folder / "harbour"
    place.mkdir(parents=True)
    for name in ("dialogues", "tools"):
        rows = cases(__file__, name)
        (place / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return folder
