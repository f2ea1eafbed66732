"""What buyers and users write: a title and a few sentences that fit the stars they give."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from random import Random

from toolyard.world.search import words
from toolyard.world.tables import read_table

_TITLES = (
    ("Waste of money", "Disappointed", "Would not recommend", "No thanks", "One star is too many"),
    ("Not great", "Expected more", "Has its problems", "Meh", "Could be much better"),
    ("It's okay", "Decent", "Does the job", "Mixed feelings", "Average"),
    ("Very good", "Happy with it", "Solid", "Good value", "Nearly perfect"),
    ("Love it", "Excellent", "Perfect", "Highly recommended", "Exactly what I wanted", "Five stars"),
)
_APP = {
    "praise": (
        "Opens quickly and just works.", "I use it every single day.", "Simple, clean and easy to learn.",
        "The last update made it a lot faster.", "Best app of its kind that I have tried.",
        "Works well on my old phone, too.",
        "Could not do without it.", "Search finds what I look for.", "Reliable for years now.", "Does what it promises.",
        "Looks good in dark mode.", "Easy to find everything.", "One of the first apps I put on a new phone.",
    ),
    "mixed": (
        "Good, but it drains the battery.", "Too many notifications until you turn them off.",
        "The new layout takes getting used to.", "Nice, still a few bugs.", "Fine, but slow to load on mobile data.",
        "Does what I need, though the search is weak.", "It was better before the last update.",
    ),
    "anger": (
        "Crashes on start since the update.", "Logs me out every few days.", "Support never replied to my mail.",
        "Far too slow on an older phone.", "Login code never arrives.", "Freezes all the time.",
        "The update made everything worse.", "Does not open any more.", "Takes far too much storage.",
    ),
}  # fmt: skip
_GOODS = {
    "praise": (
        "Arrived on time and well packed.", "Exactly as described.", "Would buy it again.", "Worth the price.",
        "Just what I was looking for.", "No complaints so far.", "Good quality.",
    ),
    "mixed": ("All right for the price.", "Good, but delivery took a week.", "Fine so far, time will tell."),
    "anger": ("Not at all like the pictures.", "Sent it back the same day.", "Nobody answers when there is a problem."),
}  # fmt: skip
# What is said of things of some shelves only.
_OWN_WORDS: Mapping[str, Mapping[str, Sequence[str]]] = {
    "device": {
        "praise": (
            "Set up in five minutes, no manual needed.", "Works with everything I have at home.",
            "I use it every day for work.", "Does just what I needed it for.", "No trouble in three months.",
            "My daughter wants one, too.", "Simple to use.", "A clear step up from my old one.",
        ),
        "mixed": ("The manual is hard to understand.", "Decent, not outstanding.", "The cheaper model might have done."),
        "anger": ("Dead after three weeks.", "Did not work out of the box.", "Support only sends standard answers."),
    },
    "kitchen": {
        "praise": (
            "In use almost every day.", "Easy to clean, which matters most to me.", "Fits our small kitchen.",
            "My teenagers use it, too.", "Just what our kitchen needed.", "Makes cooking for six easier.",
            "Still looks new after months.",
        ),
        "mixed": ("Smaller than it looks.", "Good, but awkward to store.", "Hard to clean in the corners."),
        "anger": ("It did not last a month.", "Broke in the first week.", "Smelled of plastic and never stopped."),
    },
    "worn": {
        "praise": (
            "Fits true to size.", "Comfortable from the first day.", "The colour is just as shown.",
            "I get compliments whenever I wear it.", "Well made, no loose threads.", "Goes with everything I own.",
            "Held up well after many wears.", "Ordered a second colour.",
        ),
        "mixed": (
            "Runs a little small, order one size up.", "Nice, but the colour is darker than shown.",
            "Good looking, not so comfortable.",
        ),
        "anger": ("Came apart after a few wears.", "Two sizes too small.", "The stitching is crooked."),
    },
    "carried": {
        "praise": (
            "I get compliments for it.", "Goes with everything.", "Nothing loose, nothing scratched.",
            "Just the right size.", "The colour is as shown.", "With me every day.", "Looks more expensive than it was.",
        ),
        "mixed": ("Nice, but lighter than I thought.", "The colour is a bit different from the photo."),
        "anger": ("The clasp broke.", "Scratched when it arrived.", "Looks like a toy."),
    },
    "toy": {
        "praise": (
            "My son plays with it every day.", "Kept two children busy a whole rainy afternoon.",
            "A hit at the birthday party.", "We all play it together.", "My niece would not put it down.",
            "Nothing was missing in the box.", "Even the grandparents joined in.",
        ),
        "mixed": ("Fun for a week, then forgotten.", "Smaller than the box suggests.", "Needs a grown-up to help."),
        "anger": ("Broke on the first day.", "Pieces were missing.", "The children lost interest in ten minutes."),
    },
    "home": {
        "praise": (
            "Just the right size for our flat.", "The colour matches the room.", "Looks more expensive than it was.",
            "Guests ask where I got it.", "Holds up well with two cats.", "Easy to keep clean.",
            "Ready to use in a few minutes.",
        ),
        "mixed": (
            "The instructions could be clearer.", "Fine, but one corner was scratched.",
            "The colour is a bit different from the photo.",
        ),
        "anger": ("One part did not fit.", "Arrived with a dent.", "Smelled for weeks."),
    },
    "tool": {
        "praise": (
            "Just what I needed for the weekend.", "Solid where it counts.", "My neighbour bought the same one.",
            "Has survived a winter.", "Easy to handle.", "Did in an hour what took me a day before.",
        ),
        "mixed": ("Good for small jobs.", "Heavier than I thought.", "All right, but no bargain."),
        "anger": ("Gave up in the middle of the job.", "Did not last a month.", "Came with a part missing."),
    },
    "sport": {
        "praise": (
            "Used it all spring.", "Took it on a week's trip, no complaints.", "Easy to store.",
            "Right for beginners like me.", "Still like new after a season.", "Better than what my club has.",
        ),
        "mixed": ("Fine for beginners, not for more.", "Took some getting used to.", "Good, but bulky to store."),
        "anger": ("Did not survive the second outing.", "The size was wrong.", "Not made for real use."),
    },
    "pet": {
        "praise": (
            "Ours took to it at once.", "Our vet recommended it.", "Both of ours love it.", "We order it again and again.",
            "Good quality for the price.", "Well packed and on time.", "Better than the last brand we had.",
            "Ours knows the package by now.", "No complaints from any of us.",
        ),
        "mixed": ("One of ours likes it, the other does not.", "Okay, but the price went up.", "Smells a bit at first."),
        "anger": ("Ours would not touch it.", "The package was torn.", "Not worth the price."),
    },
}  # fmt: skip
_ALONE = frozenset(("pet",))
_USED_UP = {
    "praise": (
        "We go through it fast, so I buy the large pack.", "Our usual brand by now.", "Cheaper than at the corner shop.",
        "No surprises, always the same quality.", "Nobody at home accepts another one.", "Good quality for everyday use.",
        "On my list every month.", "Well packed.", "Just what we always get.",
    ),
    "mixed": ("Fine, nothing special.", "Good, but the price went up.", "It used to be better.", "Okay in a pinch."),
    "anger": ("Not for me.", "The package was open.", "Will go back to my old brand.", "Has an odd smell."),
}  # fmt: skip

_READ = {
    "praise": (
        "I read it in two days.", "Could not put it down.", "Stayed with me for weeks.", "Beautifully written.",
        "Lent it to my mother, who loved it too.", "Even better than I had been told.", "Our book club liked it.",
        "I will read more by this author.", "Arrived without a crease.", "The best I have read this year.",
    ),
    "mixed": (
        "Good, but it drags in the middle.", "I liked the beginning more than the end.", "Small print.",
        "Fine for a journey.", "Not quite what the cover promises.",
    ),
    "anger": (
        "Gave up after fifty pages.", "Not for me at all.", "Pages came loose.", "I do not see what others see in it.",
        "The cover was bent when it arrived.",
    ),
}  # fmt: skip


_TONES = {"praise": "good", "mixed": "fair", "anger": "bad"}


@functools.cache
def _remarks() -> tuple[tuple[tuple[tuple[str, ...], ...], Mapping[str, str]], ...]:
    """Rows of the table of remarks with the stems of the names that they are for."""
    return tuple(
        (tuple(tuple(words(name)) for name in row["words"].split(";")), row)
        for row in read_table("goods_remarks.tsv")
    )


@functools.lru_cache(maxsize=4096)
def remarked_as(title: str, kind: str) -> str:
    """The first name of the row of remarks for an article: by its kind, else by what its title ends with; else nothing."""
    for text in (kind, title):
        stems = words(text)
        runs = [tuple(stems[start:end]) for end in range(len(stems), 0, -1) for start in range(end)]
        for run in runs:
            found = next((row for names, row in _remarks() if run in names), None)
            if found is not None:
                return f"of {found['words'].split(';')[0]}"
    return ""


def _of_kind(manner: str, tone: str) -> tuple[str, ...]:
    own = next(row for _, row in _remarks() if f"of {row['words'].split(';')[0]}" == manner)
    return (*own[_TONES[tone]].split(";"), *(_GOODS[tone][1:3] if tone == "praise" else ()))


def sentences(given: int, manner: str) -> Sequence[str]:
    """What buyers with so many stars write: of an app, a book, a thing used up, or of any thing and one of its shelf."""
    tone = "praise" if given > 3 else "mixed" if given == 3 else "anger"
    if manner.startswith("of "):
        return _of_kind(manner, tone)
    shelf = {"app": _APP, "used up": _USED_UP, "read": _READ}.get(manner)
    own = _OWN_WORDS.get(manner, {}).get(tone, ())
    return shelf[tone] if shelf else own if manner in _ALONE else (*own, *_GOODS[tone])


class Opinions:
    """Titles and texts of the reviews of one thing; a sentence comes back only after all others were said."""

    def __init__(self, chance: Random, manner: str) -> None:
        self._chance, self._manner = chance, manner
        self._left: dict[tuple[str, ...], list[str]] = {}

    def _dealt(self, texts: Sequence[str]) -> str:
        left = self._left.setdefault(tuple(texts), [])
        if not left:
            left.extend(self._chance.sample(texts, len(texts)))
        return left.pop()

    def of(self, given: int, chance: Random) -> tuple[str, str]:
        """Title and text of the next review, which gives so many stars."""
        texts = sentences(given, self._manner)
        said = [self._dealt(texts) for _ in range(2 if chance.random() < 0.4 else 1)]
        titles = [title for title in _TITLES[given - 1] if self._manner != "app" or "money" not in title]
        return self._dealt(titles), " ".join(dict.fromkeys(said))
