"""Common English words in other languages, one word or phrase for each, from the FreeDict dictionaries.

python recipes/world_tables/translations.py FOLDER    # with wordfreq and, in one folder for each language (deu, fra, ...),
                                                      # the Debian package dict-freedict-eng-* unpacked in it
"""

from __future__ import annotations

import gzip
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgpack
from packing import write

from toolyard.world.reference.packed import packed
from toolyard.world.tables import plain

LANGUAGES = {
    "deu": "de", "fra": "fr", "spa": "es", "ita": "it", "por": "pt", "nld": "nl", "swe": "sv", "rus": "ru",
    "pol": "pl", "ces": "cs", "tur": "tr", "ell": "el", "hun": "hu", "hrv": "hr", "ara": "ar", "hin": "hi",
    "lit": "lt", "afr": "af", "swh": "sw", "gle": "ga", "cym": "cy", "nor": "no", "jpn": "ja",
    "ind": "id", "bul": "bg",
}  # fmt: skip
COMMON = 6_000
# How many translations of one article count: the first ones are of its main sense.
EACH = 2
_DIGITS = {
    sign: n for n, sign in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
}
_NOISE = re.compile(r"<[^>]*>|\([^)]*\)|\[[^\]]*\]|^\d+\.|\{[^}]*\}")


def number(text: str) -> int:
    """A number as the index of a dictionary writes it."""
    value = 0
    for sign in text:
        value = 64 * value + _DIGITS[sign]
    return value


def used(folder: Path, language: str) -> Mapping[str, int]:
    """Word -> how often it is used in a language, in hundredths of the Zipf scale; empty where nobody counted."""
    for size in ("large", "small"):
        path = folder / "wordfreq" / "data" / f"{size}_{language}.msgpack.gz"
        if path.exists():
            with gzip.open(path, "rb") as file:
                _, *groups = msgpack.load(file, raw=False)
            return {word: 900 - below for below, words in enumerate(groups) for word in words}
    return {}


def candidates(article: str) -> Iterator[str]:
    """The translations that an article gives, in its order; examples, notes and genders are left out."""
    for line in article.splitlines()[1:]:
        if line.startswith((" ", '"')) or "see:" in line or "Note:" in line:
            continue
        for part in re.split("[,;]", _NOISE.sub("", line)):
            text = re.sub(r"^(?:[IVX]+\.|\d+\.|\s)+|[\s\d./]+$", "", " ".join(part.split())).replace(
                "\u0301", ""
            )
            if text and len(text) < 30 and '"' not in text:
                yield text


def best(found: list[str], frequencies: Mapping[str, int]) -> str:
    """The translation that is used most, where the first ones count for more."""
    ranked = [
        (frequencies.get(text.lower(), 0) / 100 - 0.06 * place, -place, text)
        for place, text in enumerate(found[:40])
    ]
    return max(ranked)[2] if frequencies else found[0]


def rows(folder: Path) -> Iterator[tuple[str, ...]]:
    """Common words, the commonest first, with their translation into each language."""
    spoken = sorted(((-int(zipf), word) for word, zipf, _ in packed("words") if zipf))[:COMMON]
    words = {word: dict.fromkeys(LANGUAGES.values(), "") for _, word in spoken}
    for name, language in LANGUAGES.items():
        base = folder / name / "usr" / "share" / "dictd" / f"freedict-eng-{name}"
        content = gzip.decompress(Path(f"{base}.dict.dz").read_bytes())
        frequencies = used(folder, "sh" if language == "hr" else "nb" if language == "no" else language)
        found: dict[str, list[str]] = {}
        for line in Path(f"{base}.index").read_text("utf-8").splitlines():
            head, start, size = line.split("\t")[:3]
            if plain(head) in words:
                article = content[number(start) : number(start) + number(size)].decode("utf-8", "replace")
                found.setdefault(plain(head), []).extend(list(candidates(article))[:EACH])
        for word, texts in found.items():
            if texts:
                words[word][language] = best(texts, frequencies)
    for word, row in words.items():
        if any(row.values()):
            yield word, *row.values()


if __name__ == "__main__":
    write("translations", ("en", *LANGUAGES.values()), rows(Path(sys.argv[1])), keyed=False)
