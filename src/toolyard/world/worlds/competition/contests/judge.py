"""The judge: in which languages people write, and how it numbers what is handed in."""

from __future__ import annotations

from datetime import UTC, datetime

from toolyard.world import seeds
from toolyard.world.worlds.competition.contests.contestants import User
from toolyard.world.worlds.competition.contests.rounds import Contest

# From this level on people are among the best.
STRONG = 2600
# Years from which on the judge offered these languages to most people.
_LANGUAGES = {
    2010: ("GNU C++", "GNU C++", "MS C++", "Java 6", "Python 2", "Delphi 7"),
    2014: ("GNU C++11", "GNU C++11", "GNU C++", "Java 8", "Python 2", "Python 3"),
    2018: ("GNU C++17", "GNU C++14", "GNU C++17", "Java 8", "PyPy 3", "Python 3"),
    2021: ("C++17 (GCC 7-32)", "C++20 (GCC 11-64)", "C++20 (GCC 11-64)", "Java 11", "PyPy 3-64", "Python 3"),
    2024: ("C++17 (GCC 7-32)", "C++20 (GCC 13-64)", "C++20 (GCC 13-64)", "Java 21", "PyPy 3-64", "Python 3"),
}
# How many solutions had been handed in on the whole site by a moment (seconds, millions), about.
HANDED_IN = ((1266500000, 0.0002), (1357000000, 2.9), (1451600000, 15.1), (1514800000, 33.8), (1577800000, 67.8),
              (1641000000, 141.3), (1672500000, 187.3), (1715700000, 260.8), (1900000000, 480.0))  # fmt: skip


def language_of(seed: int, contest: Contest, user: User) -> str:
    """The language in which somebody writes in a contest."""
    year = datetime.fromtimestamp(contest.start, UTC).year
    offered = _LANGUAGES[max(first for first in _LANGUAGES if first <= year)]
    # The best write C++, and not always for the same compiler.
    if user.skill > STRONG:
        return offered[seeds.number(seed, "language", user.handle, contest.id // 40) % 3]
    return offered[seeds.number(seed, "language", user.handle) % 6]


def number_at(moment: int) -> int:
    """The running number of a solution that was handed in at a moment."""
    place = next(n for n, (end, _) in enumerate(HANDED_IN) if moment < end or n == len(HANDED_IN) - 1)
    (left, low), (right, high) = HANDED_IN[max(0, place - 1)], HANDED_IN[max(1, place)]
    return max(1, round(1e6 * (low + (high - low) * (moment - left) / (right - left))))
