"""Which words are in use: the dictionary, the list of words, and names."""

import functools
import re

from toolyard.world.kernel.tables import plain
from toolyard.world.reference import wordnet
from toolyard.world.reference.encyclopaedia.entries import entries_named
from toolyard.world.reference.packed_tables import packed_table

_WORD = re.compile(r"[^\W_]+(?:['’.][^\W_]+)*")


@functools.lru_cache(maxsize=4096)
def is_known_word(word: str) -> bool:
    """Whether a plain word is in use: a number, a word of the dictionary or of the list of words, or a name."""
    bare = word.replace("’", "'")
    if bare.isdigit() or len(bare) < 3:
        return True
    forms = (bare, bare.removesuffix("'s"))
    return any(packed_table("words").with_key(form) or wordnet.senses(form) for form in forms) or bool(
        entries_named(bare)
    )


def are_known_words(text: str) -> bool:
    """Whether a text has words, and none that nobody uses."""
    found = _WORD.findall(plain(text))
    return any(len(word) > 1 and not word.isdigit() for word in found) and all(map(is_known_word, found))
