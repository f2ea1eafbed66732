"""Which articles of a kind a query can mean: for whom they are, what they can do, and what they are not."""

from __future__ import annotations

import re

from toolyard.world.search import words
from toolyard.world.tables import plain
from toolyard.world.worlds.product.kinds import Wanted
from toolyard.world.worlds.product.shop_catalogue import Good

_HERS, _HIS = re.compile(r"\b(?:women|woman|ladies)\b"), re.compile(r"\b(?:men|man|mens)\b")
_YOUNG, _GROWN = re.compile(r"\b(?:kids?|child(?:ren)?|boys?|girls?)\b"), re.compile(r"\b(?:women|men)\b")
_QUIET = re.compile(r"\bnoise[- ]?cancell?ing\b|\banc\b")
# Headphones and earbuds that cancel noise.
_CANCELS = (
    "WH-1000XM", "WH-CH720N", "WF-1000XM", "WF-C700N", "QuietComfort", "AirPods Pro", "AirPods Max", "Beats Studio",
    "Beats Fit Pro", "Momentum 4", "Life Q20", "Life Q30", "Liberty 4 NC", "Galaxy Buds2 Pro", "Galaxy Buds FE",
    "Pixel Buds Pro", "Tune Flex", "Jabra Elite 4", "Noise Cancelling",
)  # fmt: skip
# Kinds under which other things are listed: beans are no ground coffee.
_NAMED_APART = frozenset(("Ground Coffee", "USB-C Cable", "Engagement Ring", "Digital Piano", "Guitar"))


def suited(found: list[Good], query: str, meant: Wanted) -> list[Good]:
    """Of the articles of a kind those that a query can mean; all where it says nothing of the sort."""
    asked = plain(query)
    rows = [good for good in found if not for_others(good, asked)]
    if _QUIET.search(asked):
        rows = [good for good in rows if any(name in good["title"] for name in _CANCELS)]
    if "windows" in asked.split():
        rows = [good for good in rows if good["brand"] != "Apple" and "Chromebook" not in good["title"]]
    rows = [good for good in rows if not _is_another(good, meant)]
    return rows or found


def for_others(good: Good, asked: str) -> bool:
    """Whether a good is for men where women are named, the other way round, or for them where children are."""
    title = plain(good["title"]).replace("'", " ")
    if _YOUNG.search(asked):
        return bool(_GROWN.search(title)) and not _YOUNG.search(title)
    hers, his = bool(_HERS.search(asked)), bool(_HIS.search(asked))
    own, other = (_HERS, _HIS) if hers else (_HIS, _HERS)
    return hers != his and bool(other.search(title)) and not own.search(title)


def _is_another(good: Good, meant: Wanted) -> bool:
    """Whether a title has another name of the kind than the one that is asked for: a hand mixer is no stand mixer."""
    name = set(meant.kind.names[0])
    title = set(words(good["title"]))
    if (
        meant.kind.title not in _NAMED_APART
        or meant.which
        or meant.narrower
        or meant.length < len(name)
        or name <= title
    ):
        return False
    others = (set(other) for other in meant.kind.names[1:] if len(other) > 1)
    return any(other <= title and other & name for other in others)
