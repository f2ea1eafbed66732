"""Blog entries of contestants and the comments below them."""

from __future__ import annotations

from dataclasses import dataclass

from toolyard.world import seeds
from toolyard.world.faults import not_found
from toolyard.world.worlds.competition.contests.contestants import User, users
from toolyard.world.worlds.competition.contests.rounds import TAGS, rounds

_SECONDS_2024 = 1715700000


@dataclass(frozen=True, slots=True, eq=False)
class Comment:
    """A comment on an entry."""

    id: int
    user: User
    time: int
    text: str
    rating: int
    parent: int | None


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """A blog entry."""

    id: int
    user: User
    time: int
    title: str
    content: str
    tags: tuple[str, ...]
    rating: int
    comments: tuple[Comment, ...]


_OPENINGS = (
    "I have collected what helped me most with {tag}, together with problems to practise on.",
    "Here is how I think about {tag} during a contest, step by step.",
    "Many people asked how the hardest problem could be solved with {tag}, so this is an attempt to explain it.",
    "This is a short list of mistakes that I keep making with {tag}.",
)
_MIDDLES = (
    "Start from the brute force and ask which part of the work is repeated.",
    "Write down the invariant before any code; most wrong answers come from skipping that.",
    "Test on tiny inputs against a slow solution, it takes two minutes and saves a penalty.",
    "The bound on n tells you the complexity that is wanted.",
)
_REMARKS = (
    "Thanks, the second example made it clear.", "Is there a proof that the greedy choice is safe?",
    "The same idea works on trees, too.", "I got accepted with a simpler solution in O(n log n).",
    "Could you add a link to a harder problem?", "Time limit was too strict for Python, in my opinion.",
)  # fmt: skip


def _entry(seed: int, number: int) -> Entry:
    chance = seeds.stream(seed, "blog", number)
    time = 1300000000 + (_SECONDS_2024 - 1300000000) * (number + 1) // 60 - chance.randrange(0, 400000)
    tag, user = chance.choice(TAGS), users(seed)[0 if number % 14 == 1 else chance.randrange(15, 140)]
    title = f"Notes on {tag}"
    if number % 3 == 0:
        held = rounds(seed)
        round_ = held[number * len(held) // 60]
        # Those who write a round are seldom the most famous; the first ones were the founder's.
        user = users(seed)[10 if number < 15 else 20 + number]
        title = f"{round_.name}: announcement and discussion"
        time = round_.start - 2 * 86400
    content = " ".join((chance.choice(_OPENINGS).format(tag=tag), *chance.sample(_MIDDLES, 2)))
    if number % 3 == 0:
        content = f"The round has problems on {tag}, among others. Questions and remarks go below."
    comments: list[Comment] = []
    # Nobody answers a remark with the same words.
    remarks = seeds.stream(seed, "remarks", number).sample(_REMARKS, len(_REMARKS))
    for n in range(chance.randrange(2, 7)):
        parent = chance.choice(comments).id if comments and chance.random() < 0.4 else None
        later = (comments[-1].time if comments else time) + chance.randrange(300, 40000)
        comments.append(
            Comment(number * 19000 + 31 + n, chance.choice(users(seed)[15:]), later, remarks[n % len(remarks)],
                    chance.randrange(-5, 40), parent)
        )  # fmt: skip
    return Entry(100 + number * 2190, user, time, title, content, (tag, *chance.sample(TAGS, 1)),
                 chance.randrange(5, 400), tuple(comments))  # fmt: skip


@seeds.table
def entries(seed: int) -> tuple[Entry, ...]:
    """All entries, oldest first."""
    return tuple(sorted((_entry(seed, number) for number in range(60)), key=lambda entry: entry.time))


def find_entry(seed: int, number: int) -> Entry:
    """The entry of a number; a not_found fault otherwise."""
    for entry in entries(seed):
        if entry.id == number:
            return entry
    raise not_found("blog entry", number, known=[entry.id for entry in entries(seed)])
