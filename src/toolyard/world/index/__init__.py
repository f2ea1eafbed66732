"""The index of the world: what is called so comes first, then BM25, and nothing below a floor. It needs no model.

papers = Index(rows, ("title", "title", "about"), name="title")
papers.search("Attention is all you need", bound=0.6)
papers.near("Atention is all you ned")          # titles written alike, for a refusal
"""

import functools
import math
import re
from array import array
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Generic, Self, TypeVar

from toolyard.world.index.postings import Postings
from toolyard.world.kernel.faults import ALIKE
from toolyard.world.kernel.tables import plain

Row = TypeVar("Row", bound=Mapping[str, object])
_WORD = re.compile(r"[^\W_]+")
_K1, _B = 1.2, 0.75
_BITS = 16
_MOST = 2**_BITS - 1
_STOP = frozenset(
    "a an and are as at be by can do for from has have how i in is it me my of on or that the this to was what "
    "when where which who will with you your".split()
)


def words(text: str) -> list[str]:
    """Lower-case words less accents and the commonest ones, plural s gone."""
    terms = _TERMS
    return [term for word in _WORD.findall(plain(text)) if (term := terms[word])]


class _Terms(dict[str, str]):
    """Word -> what it is found by, "" for the commonest ones; filled as words are met."""

    def __missing__(self, word: str) -> str:
        if len(self) > 100_000:
            self.clear()
        self[word] = "" if word in _STOP else _singular_stem(word)
        return self[word]


_TERMS = _Terms()


# Foods that end in ie before their plural s, and in o before their plural es.
_IN_IE = frozenset("brownies cookies hoagies smoothies veggies".split())
_IN_O = frozenset("mangoes potatoes tomatoes".split())


def _singular_stem(word: str) -> str:
    if len(word) > 4 and word.endswith("ies") and word not in _IN_IE:
        return word[:-3] + "y"
    if word in _IN_O:
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


# Letters of a text that may well stand in other rows, too.
_SHORT = 60


class Index(Generic[Row]):
    """A collection that can be searched by words in some of its fields; a field may be named twice to weigh more."""

    def __init__(self, rows: Sequence[Row], fields: Sequence[str], name: str = "") -> None:
        """name: The field whose value, asked for as a whole, comes first; none where no field is a name."""
        self.rows = tuple(rows)
        self._name = name
        # Term -> the rows that hold it and how often, each packed into one number: a tenth of the memory of pairs.
        postings: dict[str, array[int]] = defaultdict(functools.partial(array, "Q"))
        self._lengths = array("I")
        shares = {field: fields.count(field) for field in fields}
        known: dict[str, list[str]] = {}
        for number, row in enumerate(self.rows):
            terms: dict[str, int] = {}
            for field, share in shares.items():
                text = _text(row[field])
                # Names and kinds stand in many rows; what is long stands in one.
                found = known.get(text) if len(text) < _SHORT else words(text)
                if found is None:
                    found = known[text] = words(text)
                for term in found:
                    terms[term] = terms.get(term, 0) + share
            self._lengths.append(sum(terms.values()))
            for term, count in terms.items():
                postings[term].append(number << _BITS | min(count, _MOST))
        self._postings = Postings(postings)
        self._mean = sum(self._lengths) / len(self._lengths) if self._lengths else 1.0

    def without_rows(self) -> Self:
        """The same index for who asks for places alone: texts that were only there to be read take no memory."""
        self.rows = ()
        return self

    @functools.cached_property
    def _rows_by_name(self) -> Postings:
        """Plain name -> the rows that are called so."""
        found: dict[str, list[int]] = defaultdict(list)
        for number, row in enumerate(self.rows):
            found[plain(row[self._name])].append(number)
        return Postings(found)

    def similar_names(self, text: str, count: int = 3) -> list[str]:
        """Names that are written almost like a text; none where nothing is."""
        from rapidfuzz import fuzz, process

        known = self._rows_by_name
        names = sorted(known.keys, key=lambda name: known[name][0])
        found = process.extract(plain(text)[:80], names, scorer=fuzz.ratio, limit=count, score_cutoff=ALIKE)
        return [str(self.rows[known[name][0]][self._name]) for name, _, _ in found]

    def search(
        self, query: str, *, where: Callable[[Row], bool] | None = None, bound: float = 0.0
    ) -> list[Row]:
        """The rows at the places that a query finds, or those of them that are wanted."""
        found = (self.rows[number] for number in self.row_numbers(query, bound))
        return [row for row in found if where is None or where(row)]

    def row_numbers(self, query: str, bound: float = 0.0) -> list[int]:
        """Where rows stand: those called so, then those that share a word with the query, best first, ties in order.

        A bound above 0 leaves out rows that share less than this part of the query, where rare words count
        more than common ones and words that no row has count most.
        """
        scores: dict[int, float] = defaultdict(float)
        shared: dict[int, float] = defaultdict(float)
        whole = 0.0
        for term in dict.fromkeys(words(query)):
            postings = self._postings[term]
            weight = math.log(1 + (len(self._lengths) - len(postings) + 0.5) / (len(postings) + 0.5))
            # A stump of a word, as it stands at the end of a query that is still typed, counts for nothing.
            whole += weight if postings or len(term) > 2 else 0.0
            for packed in postings:
                number, count = packed >> _BITS, packed & _MOST
                norm = _K1 * (1 - _B + _B * self._lengths[number] / self._mean)
                scores[number] += weight * count * (_K1 + 1) / (count + norm)
                shared[number] += weight
        exact = self._rows_by_name[plain(query)] if self._name else ()
        for number in exact:
            shared[number], scores[number] = whole, math.inf
        ranked = sorted(scores, key=lambda number: (-round(scores[number], 9), number))
        return [number for number in ranked if shared[number] >= bound * whole - 1e-9]


def _text(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
