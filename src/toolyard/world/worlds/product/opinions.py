"""What buyers and users write: a title and a few sentences that fit the stars they give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

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
        "My kids and my parents get along with it.", "Syncs between my phone and tablet without trouble.",
        "Support answered within a day and solved it.", "I finally deleted the two others I had.",
        "Works well even with a weak connection.", "The free version is enough for me.", "Dark mode is a blessing.",
        "Search finds what I look for.", "Hardly uses any battery.", "The widgets are really handy.",
        "Reliable for years now.", "I like how calm the design is.", "Sharing with friends is easy.",
    ),
    "mixed": (
        "Good, but it drains the battery.", "Too many notifications until you turn them off.",
        "The new layout takes getting used to.", "Nice idea, still a few bugs.",
        "Fine on the phone, clumsy on the tablet.", "It asks me to upgrade too often.",
        "Useful, but slow to load on mobile data.", "Some features moved behind a subscription.",
        "Does what I need, though the search is weak.",
    ),
    "anger": (
        "Crashes on start since the update.", "Logs me out every few days.", "Support never replied to my mail.",
        "Far too slow on an older phone.", "I lost my data after reinstalling.", "Ads everywhere now.",
        "I was charged after the trial although I cancelled.", "Login code never arrives.",
        "They removed the one feature I needed.", "Freezes whenever I rotate the screen.",
    ),
}  # fmt: skip
_GOODS = {
    "praise": (
        "Arrived on time and well packed.", "Exactly as described.", "Better than the more expensive one I had before.",
        "Great gift, they loved it.", "Quality surprised me.", "Would buy it again.", "Worth every dollar.",
        "Looks even better than in the pictures.", "Just what I was looking for.", "Well made for the price.",
        "My sister has ordered one, too.", "No complaints so far.",
    ),
    "mixed": (
        "All right for the price.", "Good, but delivery took a week.", "Fine so far, time will tell.",
        "Others do it better, but they cost more.",
    ),
    "anger": (
        "Not at all like the pictures.", "Sent it back the same day.", "Nobody answers when there is a problem.",
        "Feels cheap.", "Paid full price and got one that looked used.",
    ),
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


def sentences(given: int, manner: str) -> Sequence[str]:
    """What buyers with so many stars write: of an app, a book, a thing used up, or of any thing and one of its shelf."""
    tone = "praise" if given > 3 else "mixed" if given == 3 else "anger"
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
