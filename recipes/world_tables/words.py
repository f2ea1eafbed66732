"""English words with how often they are used and how they are spoken.

python recipes/world_tables/words.py FOLDER    # with package (cmu-pronouncing-dictionary) and wordfreq unpacked in it
"""

from __future__ import annotations

import gzip
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import msgpack
from packing import write

from toolyard.world.reference import wordnet

COMMON = 120_000
# Below this, in hundredths of the Zipf scale, what no dictionary has is mostly slips of the pen.
SLIPS = 320
_LINE = re.compile(r'^\s+(?:"([^"]+)"|([a-z]+)): "([^"]+)"', re.MULTILINE)
_WORD = re.compile(r"[a-z][a-z'-]*[a-z]|[a-z]")


def spoken(folder: Path) -> dict[str, list[str]]:
    """Word -> its pronunciations in ARPAbet; further ones are written word(1) in the dictionary."""
    found: dict[str, list[str]] = {}
    for quoted, bare, sounds in _LINE.findall((folder / "package" / "index.js").read_text("utf-8")):
        word = re.sub(r"\(\d\)$", "", quoted or bare)
        if _WORD.fullmatch(word):
            found.setdefault(word, []).append(sounds)
    return found


def used(folder: Path) -> dict[str, int]:
    """Word -> hundredths of the Zipf scale; a file holds lists of words by centibels below one in one."""
    with gzip.open(folder / "wordfreq" / "data" / "large_en.msgpack.gz", "rb") as file:
        _, *groups = msgpack.load(file, raw=False)
    ranked = ((900 - centibels, word) for centibels, words in enumerate(groups) for word in words)
    common = [(zipf, word) for zipf, word in ranked if _WORD.fullmatch(word)]
    return {word: zipf for zipf, word in common[:COMMON]}


def rows(folder: Path) -> Iterator[tuple[str, object, str]]:
    """Every word that is frequent or has a pronunciation."""
    sounds, frequencies = spoken(folder), used(folder)
    for word in sounds.keys() | frequencies.keys():
        if word not in sounds and frequencies[word] < SLIPS and not wordnet.senses(word):
            continue
        yield word, frequencies.get(word, ""), ";".join(sounds.get(word, [])[:2])


if __name__ == "__main__":
    write("words", ("word", "zipf", "sounds"), sorted(rows(Path(sys.argv[1]))))
