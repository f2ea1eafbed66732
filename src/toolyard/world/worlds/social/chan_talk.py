"""What people write on boards: subjects, opening posts and replies about the things of a board."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from random import Random

from toolyard.world.tables import read_table

_SUBJECTS = (
    "{Thing}", "{Thing} thread", "Let us talk about {thing}", "/{board}/ and {thing}", "Questions about {thing}",
    "{Thing}, part two", "The trouble with {thing}", "A word for {thing}", "{Thing} again", "Your stories: {thing}",
)  # fmt: skip
_OPENERS = (
    "What is the one thing about {thing} that nobody told you?", "Last thread hit the limit, here is a new one on {thing}.",
    "I gave up on {thing} years ago and came back this week. What did I miss?", "Show what you have. {Thing} only.",
    "Am I the only one who still cares about {thing}?", "Beginner here. Would you start with {thing} today?",
    "My brother laughs about {thing}. Prove him wrong.", "Worst experience with {thing}? Mine took a whole weekend.",
    "I have two hours and no money. Where do I start with {thing}?", "Rank them. {Thing}, best to worst.",
    "Somebody explain {thing} to me like I was five.", "How much time do you spend on {thing} in a week?",
    "Found this in a drawer and thought of {thing}.", "Old timers, what changed about {thing} in ten years?",
)  # fmt: skip
_REPLIES = (
    "This.", "Source?", "Bump.", "Not sure about that.", "Depends on what you want from it.", "Checked.", "Lurk more.",
    "I did the same in 2019 and regretted it.", "Took me about a month to get used to it.", "Wrong thread, but fine.",
    "That is the best answer here.", "Nobody asked, but go on.", "Pictures or it did not happen.", "Underrated post.",
    "You could have looked that up in a minute.", "My uncle swears by it.", "It got worse after the second year.",
    "Screenshot this and come back in December.", "Ignore the other reply, it is bait.", "How old are you?",
    "I laughed, thanks.", "Cheap ones are fine, do not listen to them.", "Never buy new.", "It rained all day, so why not.",
    "People said the same about the last one.", "The first half is good, skip the rest.", "Try it before you complain.",
    "I keep coming back to {thing} and I do not know why.", "{Thing} saved my summer.",
    "There was a good guide to {thing} once.",
    "You will never convince me about {thing}.", "Finally a thread about {thing}.", "With {thing} less is more.",
    "Ask again on the weekend, the people who know are asleep.", "Two words: second hand.", "Different, not better.",
    "The trick is to do it slowly.", "Same here.", "Saved.", "I would pay for that.", "What is wrong with you people?",
    "Where did you get that?", "It depends on the weather where you live.", "Sounds about right.", "That escalated.",
    "Not everybody has a garage.", "I asked this last week and got no answer.", "Thanks, exactly what I needed.",
)  # fmt: skip


@functools.cache
def _things() -> Mapping[str, tuple[str, ...]]:
    return {row["board"]: tuple(row["things"].split(";")) for row in read_table("chan_things.tsv")}


def thing_of(board: str, chance: Random) -> str | None:
    """What a thread of a board is about; None on a board whose things are not known."""
    things = _things().get(board)
    return chance.choice(things) if things else None


def _filled(text: str, board: str, thing: str) -> str:
    return text.format(thing=thing, Thing=thing[0].upper() + thing[1:], board=board)


def subject_and_opener(board: str, thing: str, chance: Random) -> tuple[str, str]:
    """Subject and opening post of a thread about a thing."""
    texts = (chance.choice(_SUBJECTS), chance.choice(_OPENERS))
    return _filled(texts[0], board, thing), _filled(texts[1], board, thing)


def reply(board: str, thing: str, chance: Random) -> str:
    """A reply in a thread about a thing."""
    return _filled(chance.choice(_REPLIES), board, thing)


def knows(board: str) -> bool:
    """Whether the things of a board are known."""
    return board in _things()
