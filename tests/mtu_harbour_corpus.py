"""A small corpus of our own in the common schema, with every situation that the pipeline has rules for."""

from pathlib import Path

from cases import cases
from json_files import write_lines


def write_corpus(folder: Path) -> Path:
    """The corpus in a folder `harbour` of the given one, which is returned."""
    place = folder / "harbour"
    place.mkdir(parents=True)
    for name in ("dialogues", "tools"):
        rows = cases(__file__, name)
        write_lines(place / f"{name}.jsonl", rows)
    return folder
