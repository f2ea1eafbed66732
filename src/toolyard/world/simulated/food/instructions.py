"""What a text of cooking instructions says: its steps, how long they take and what they are done with."""

import functools
import re

from toolyard.world.kernel.tables import table_words

EQUIPMENT = table_words("instructions.equipment")
_EQUIPMENT = re.compile(rf"\b({'|'.join(EQUIPMENT)}|fridge)(?:e?s)?\b", re.IGNORECASE)
# Verbs that name what they are done with.
_DONE_WITH = (
    (re.compile(r"\bbake\b", re.IGNORECASE), "oven"),
    (re.compile(r"\bblend\b", re.IGNORECASE), "blender"),
)
_COUNTS = {"a": 1.0, "an": 1.0, "one": 1.0, "two": 2.0, "three": 3.0, "four": 4.0, "half an": 0.5}
_TIME = re.compile(
    rf"\b(\d{{1,4}}(?:\.\d)?|{'|'.join(sorted(_COUNTS, key=len, reverse=True))})(?:\s*(?:-|–|to)\s*(\d{{1,4}}))?[\s-]*"
    r"(?:more )?(minute|min|hour|hr|second|sec|day|week)s?\b",
    re.IGNORECASE,
)
_MINUTES = {"m": 1.0, "h": 60.0, "s": 1 / 60, "d": 1440.0, "w": 10_080.0}
_OVERNIGHT = re.compile(r"\bovernight\b", re.IGNORECASE)
NIGHT_MINUTES = 480
_VERBS = table_words("instructions.verbs")
_PARTS = re.compile(rf"(?:,? and (?:then )?|, then |; (?:then )?)(?=(?:{'|'.join(_VERBS)})\b)", re.IGNORECASE)
_FEWEST_WORDS = 3
# The number or sign that a step of a list begins with.
_NUMBERED = re.compile(
    r"(?:^|(?<=[\n.!?;:]))[ \t]*(?:step[ \t]*)?\d{1,2}[ \t]*[.):][ \t]+(?=\S)|(?:^|(?<=\n))[ \t]*[-*•–][ \t]+",
    re.IGNORECASE,
)
_SENTENCES = re.compile(r"[!?\n]+\s*|(?<!tbsp)(?<!tsp)(?<! oz)\.+(?!\d)\s*")


def split_steps(text: str) -> list[str]:
    """The steps of a text of instructions: one per sentence or line, without their numbers, at most 40."""
    lines = _NUMBERED.sub("\n", text[:6000].replace("\\n", "\n"))
    return [part.strip() for part in _SENTENCES.split(lines) if part.strip(" .;:-")][:40]


def split_actions(step: str) -> list[str]:
    """A step cut at each further action; a lone verb stays with what it is done to: peel, core and slice."""
    found: list[str] = []
    start = 0
    for match in _PARTS.finditer(step):
        if len(step[start : match.start()].split()) >= _FEWEST_WORDS:
            found.append(step[start : match.start()])
            start = match.end()
    return [*found, step[start:]]


@functools.lru_cache(maxsize=8192)
def count_minutes(text: str) -> int:
    """The minutes of all the times that a text names; the longer end of a span counts, and a night is eight hours."""
    total = float(NIGHT_MINUTES * len(_OVERNIGHT.findall(text[:6000])))
    for match in _TIME.finditer(text[:6000]):
        spoken = (match[2] or match[1]).lower()
        total += (_COUNTS.get(spoken) or float(spoken)) * _MINUTES[match[3][0].lower()]
    return round(total) or (1 if total else 0)


@functools.lru_cache(maxsize=4096)
def find_equipment(text: str) -> tuple[str, ...]:
    """The kitchen equipment that a text names, in order, each once, and what its verbs are done with."""
    named = dict.fromkeys(
        match[1].lower().replace("fridge", "refrigerator") for match in _EQUIPMENT.finditer(text[:6000])
    )
    for verb, tool in _DONE_WITH:
        if verb.search(text[:6000]) and not named:
            named[tool] = None
    return tuple(named)
