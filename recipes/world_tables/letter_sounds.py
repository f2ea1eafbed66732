"""Which sounds an English letter stands for among its neighbours, learnt from the words of the table `words`.

python recipes/world_tables/letter_sounds.py
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from packing import write

from toolyard.world.reference.packed_tables import packed_table

# Letters to the left and to the right that a rule looks at, from the widest view to none.
VIEWS = ((3, 3), (2, 3), (2, 2), (1, 2), (1, 1), (0, 1), (0, 0))
SEEN = 4
Pieces = tuple[str, ...]
Chances = Mapping[str, Mapping[str, float]]


def spoken() -> list[tuple[str, Sequence[str]]]:
    """Words of letters with their sounds: those that are used often enough, every other one beyond 40,000."""
    rows = [
        (word, sounds.split(";")[0].split())
        for word, zipf, sounds in packed_table("words")
        if sounds and zipf and word.isalpha()
    ]
    return [row for row in rows if len(row[0]) < 16][::2]


def aligned(word: str, sounds: Sequence[str], chances: Chances) -> Pieces | None:
    """The sounds shared out among the letters, at most two to each, as the chances have it; None if there are too many."""
    best: list[dict[int, tuple[float, int]]] = [{0: (0.0, 0)}]
    for letter in word:
        row: dict[int, tuple[float, int]] = {}
        for end, (score, _) in best[-1].items():
            for size in (0, 1, 2):
                if end + size <= len(sounds):
                    piece = " ".join(sounds[end : end + size])
                    value = score + math.log(chances[letter].get(piece, 1e-6))
                    if end + size not in row or value > row[end + size][0]:
                        row[end + size] = (value, end)
        best.append(row)
    if len(sounds) not in best[-1]:
        return None
    pieces, end = [], len(sounds)
    for row in reversed(best[1:]):
        start = row[end][1]
        pieces.append(" ".join(sounds[start:end]))
        end = start
    return tuple(reversed(pieces))


def learnt(rows: list[tuple[str, Sequence[str]]]) -> list[tuple[str, Pieces]]:
    """The words with their sounds by letter, after four rounds of guessing chances and sharing out."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for word, sounds in rows:
        for n, letter in enumerate(word):
            at = round(n * len(sounds) / len(word))
            counts[letter].update([" ".join(sounds[at : at + 1]), ""])
    found: list[tuple[str, Pieces]] = []
    for _ in range(4):
        chances = {letter: {p: n / sum(c.values()) for p, n in c.items()} for letter, c in counts.items()}
        shared = ((word, aligned(word, sounds, chances)) for word, sounds in rows)
        found = [(word, pieces) for word, pieces in shared if pieces is not None]
        counts = defaultdict(Counter)
        for word, pieces in found:
            for letter, piece in zip(word, pieces, strict=True):
                counts[letter][piece] += 1
    return found


def rules(found: list[tuple[str, Pieces]]) -> Iterator[tuple[str, str]]:
    """Contexts with their commonest sounds, wide ones only where they say something else than narrower ones."""
    seen: dict[tuple[int, int], dict[str, Counter[str]]] = {view: defaultdict(Counter) for view in VIEWS}
    for word, pieces in found:
        padded = f"###{word}###"
        for n, piece in enumerate(pieces, start=3):
            for left, right in VIEWS:
                seen[left, right][context(padded, n, left, right)][piece] += 1
    kept: dict[str, str] = {}
    for left, right in reversed(VIEWS):
        for key, counts in sorted(seen[left, right].items()):
            piece, count = min(counts.items(), key=lambda item: (-item[1], item[0]))
            before, rest = key.split("[")[0], key.split("[")[1]
            letter, after = rest.split("]")
            narrower = next(
                (kept[k] for v in VIEWS if v != (left, right) and v[0] <= left and v[1] <= right
                 and (k := f"{before[len(before) - v[0]:]}[{letter}]{after[:v[1]]}") in kept), None)  # fmt: skip
            if count >= SEEN and piece != narrower:
                kept[key] = piece
    yield from kept.items()


def context(padded: str, place: int, left: int, right: int) -> str:
    """A letter with so many neighbours: `th[e]#`."""
    return f"{padded[place - left : place]}[{padded[place]}]{padded[place + 1 : place + 1 + right]}"


if __name__ == "__main__":
    write("letter_sounds", ("context", "sounds"), rules(learnt(spoken())))
