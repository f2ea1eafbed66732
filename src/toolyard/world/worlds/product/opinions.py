"""What buyers and users write: a title and a few sentences that fit the stars they give."""

from __future__ import annotations

from collections.abc import Sequence
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
        "Arrived on time and well packed.", "Exactly as described.", "Feels solid for the price.",
        "Bought a second one for my sister.", "Easy to set up in a few minutes.", "Looks even better than in the pictures.",
        "Better than the more expensive one I had before.", "No complaints after daily use.", "Great gift, they loved it.",
        "Does what it should, every time.", "Quality surprised me.", "Would buy it again.",
        "The instructions were clear.", "Worth every dollar.", "My family fights over it.",
    ),
    "mixed": (
        "All right for the price.", "Good, but delivery took a week.", "Works, though the box was damaged.",
        "Smaller than I had imagined.", "It does the job, nothing more.", "The colour is a bit different from the photo.",
        "Fine so far, time will tell.", "Others do it better, but they cost more.",
    ),
    "anger": (
        "Stopped working after a short time.", "Not at all like the pictures.", "Sent it back the same day.",
        "Came with a part missing.", "Nobody answers when there is a problem.", "Feels cheap.",
        "Paid full price and got one that looked used.", "The size was wrong.",
    ),
}  # fmt: skip
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


def opinion(chance: Random, given: int, manner: str) -> tuple[str, str]:
    """Title and text of a review with so many stars, of an app, a book, a thing that lasts or one used up."""
    shelf = {"app": _APP, "used up": _USED_UP, "read": _READ}.get(manner, _GOODS)
    own = shelf["praise" if given > 3 else "mixed" if given == 3 else "anger"]
    sentences = _drawn(chance, own, 2 if chance.random() < 0.6 else 1)
    return chance.choice(_TITLES[given - 1]), " ".join(sentences)


def _drawn(chance: Random, texts: Sequence[str], count: int) -> list[str]:
    return chance.sample(texts, min(count, len(texts)))
