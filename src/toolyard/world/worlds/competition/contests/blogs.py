"""Blog entries of contestants and the comments below them."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from toolyard.world import seeds
from toolyard.world.faults import not_found
from toolyard.world.worlds.competition.contests.contestants import ORGANIZER, User, users
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


# What people write about: the title, and how the text begins.
_SUBJECTS = (
    (
        "Notes on {tag}",
        "I have collected what helped me most with {tag}, together with problems to practise on.",
    ),
    ("How I think about {tag}", "Here is how I go about {tag} during a contest, step by step."),
    (
        "{tag}: mistakes that I keep making",
        "This is a short list of what goes wrong when I use {tag}, so that you need not.",
    ),
    (
        "Problems on {tag}, from easy to hard",
        "Below are twenty problems on {tag} in the order in which I would solve them.",
    ),
    (
        "How do you practise {tag}?",
        "I can follow editorials on {tag}, and still do not see it by myself in a contest.",
    ),
    (
        "A trick with {tag} that I learned late",
        "It is only a few lines long, and it has saved me three times this year.",
    ),
    (
        "Why does my {tag} solution exceed the time limit?",
        "The complexity looks right to me, and test 14 disagrees.",
    ),
    (
        "Is there a better way than {tag}?",
        "I was accepted with {tag}, while half of the room wrote ten lines.",
    ),
    (
        "From pupil to expert in a year",
        "People asked what I did: few problems a day, and all of them read up.",
    ),
    (
        "Looking for two people for a team",
        "We train on Sundays, five hours each time, and talk it through after.",
    ),
    (
        "A tool that draws {tag}",
        "It takes a test of yours and shows each step, which helped my students a lot.",
    ),
    (
        "When is {tag} the wrong idea?",
        "Tags in the archive made me see {tag} everywhere, which cost me two rounds.",
    ),
    (
        "Teaching {tag} at school",
        "My group is between twelve and fifteen, and these are the five lessons that worked.",
    ),
    (
        "Templates or no templates?",
        "I used to paste three hundred lines into every file; here is why I stopped.",
    ),
)
_MIDDLES = (
    "Start from the brute force and ask which part of the work is repeated.",
    "Write down the invariant before any code; most wrong answers come from skipping that.",
    "Test on tiny inputs against a slow solution, it takes two minutes and saves a penalty.",
    "The bound on n tells you the complexity that is wanted.",
    "Read the statement again when the samples pass too easily.",
    "I keep a list of ideas that I missed, and read it on the evening before a round.",
    "Overflow is still the first thing that I check.",
    "If the proof takes longer than the code, look for a simpler claim.",
    "Corrections are welcome, I wrote this on a train.",
    "A second part follows if somebody finds this useful.",
)
_REMARKS = (
    "Thank you for writing this up.", "Bookmarked, I will come back to it before the next round.",
    "Nice, please go on with a second part.", "This is how our coach explains it as well.",
    "It took me a year to understand that.", "What rating do you need for this to make sense?",
    "I would start with smaller limits to see the pattern.", "Upvoted, I wish I had read this a year ago.",
    "Could you give a problem where it fails?", "A link to a harder problem would help.",
    "The same happened to me in the last round.", "I asked myself the same thing in my first year.",
    "It depends on the division that you are in.", "For me, virtual contests changed more.",
    "Reading other people's code taught me this.", "Well put, short and useful.", "I sent this to my team.",
    "There was an entry like this some years ago.", "Does anybody have numbers on that?",
    "I see it differently: speed matters more in the first hour.", "My rating fell when I tried this, and rose later.",
    "Which problems would you begin with?",
)  # fmt: skip
# What is said below the announcement of a round.
_BEFORE_A_ROUND = (
    "Good luck to everybody!", "How many problems will there be?", "This will be my first contest here.",
    "Will there be an editorial afterwards?", "Is it rated?", "See you in the standings.", "Thank you for the round.",
    "At what time is that in Europe?",
)  # fmt: skip
# The latest of them are days and hours old, the others years.
_OLD, _NEW = 60, 40
_TEN_DAYS = 10 * 86400
_BY_THE_FOUNDER = (0, 3)
_FIRST_ROUND = 1266400000


def _time(number: int, chance: Random) -> int:
    if number >= _OLD:
        return _SECONDS_2024 - _TEN_DAYS * (_OLD + _NEW - number) // _NEW + chance.randrange(20_000)
    return (
        1300000000
        + (_SECONDS_2024 - _TEN_DAYS - 1300000000) * (number + 1) // _OLD
        - chance.randrange(0, 400000)
    )


def _announced(seed: int, number: int) -> tuple[User, int, str, str]:
    """An entry of the founder about one of the first rounds: author, time, title and text."""
    held = rounds(seed)
    round_ = held[number * len(held) // _OLD]
    count = len(round_.problems)
    text = f"There are {count} problems to solve in {round_.duration // 60} minutes. Questions and remarks go below."
    founder = next(user for user in users(seed) if user.handle == ORGANIZER)
    return founder, round_.start - 2 * 86400, f"{round_.name}: announcement and discussion", text


def _entry(seed: int, number: int) -> Entry:
    chance = seeds.stream(seed, "blog", number)
    time, tag = _time(number, chance), chance.choice(TAGS)
    people = [
        user
        for user in users(seed)[15:]
        if user.registered < (_FIRST_ROUND if number in _BY_THE_FOUNDER else time)
    ]
    user = chance.choice(people)
    form, opening = chance.choice(_SUBJECTS)
    title = form.format(tag=tag)
    title = title[0].upper() + title[1:]
    content = " ".join((opening.format(tag=tag), *chance.sample(_MIDDLES, 2)))
    if number in _BY_THE_FOUNDER:
        user, time, title, content = _announced(seed, number)
    comments: list[Comment] = []
    # Nobody answers a remark with the same words.
    known = _BEFORE_A_ROUND if number in _BY_THE_FOUNDER else _REMARKS
    remarks = chance.sample(known, len(known))
    for n in range(chance.randrange(2, 9)):
        parent = chance.choice(comments).id if comments and chance.random() < 0.4 else None
        later = (comments[-1].time if comments else time) + chance.randrange(300, 20000)
        comments.append(
            Comment(_comment_number(number) + 3 * n, chance.choice(people), later, remarks[n],
                    chance.randrange(-5, 40), parent)
        )  # fmt: skip
    return Entry(_entry_number(number), user, time, title, content, (tag, *chance.sample(TAGS, 1)),
                 chance.randrange(5, 160), tuple(comments))  # fmt: skip


def _entry_number(number: int) -> int:
    return 100 + number * 2190 if number < _OLD else 129310 + (number - _OLD + 1) * 6


def _comment_number(number: int) -> int:
    return number * 19000 + 31 if number < _OLD else 1146000 + (number - _OLD) * 170


@seeds.table
def entries(seed: int) -> tuple[Entry, ...]:
    """All entries, oldest first."""
    return tuple(
        sorted((_entry(seed, number) for number in range(_OLD + _NEW)), key=lambda entry: entry.time)
    )


def find_entry(seed: int, number: int) -> Entry:
    """The entry of a number; a not_found fault otherwise."""
    for entry in entries(seed):
        if entry.id == number:
            return entry
    raise not_found("blog entry", number, known=[entry.id for entry in entries(seed)])
