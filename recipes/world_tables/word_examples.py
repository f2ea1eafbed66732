"""Where WordNet uses a word in the example of another one: numbers of senses, for words without an example of their own.

python recipes/world_tables/word_examples.py
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from packing import write

from toolyard.world.reference import wordnet
from toolyard.world.reference.packed_tables import packed_table

EACH = 2


def every_sense() -> Iterator[wordnet.Sense]:
    """All senses of the dictionary, in the order of its files."""
    for part in wordnet.PARTS:
        for place in wordnet.sense_numbers(part):
            yield wordnet.sense_by_id(part, place)


def rows() -> Iterator[tuple[str, str]]:
    """Words that are used at all, with the senses whose examples hold them, the shortest examples last."""
    used: dict[str, list[str]] = {}
    own: set[str] = set()
    for sense in every_sense():
        if sense.examples:
            own.update(word.lower() for word in sense.words)
        for text in sense.examples:
            for word in set(re.findall(r"[a-z]+", text)):
                used.setdefault(word, []).append(f"{sense.part}{sense.place}")
    wanted = {word for word, _ in wordnet.all_lemmas()} | {row[0] for row in packed_table("words") if row[1]}
    for word in sorted(used.keys() & wanted - own):
        yield word, ",".join(used[word][:EACH])


if __name__ == "__main__":
    write("word_examples", ("word", "senses"), rows())
