"""What a text of cooking instructions says: its steps, how long they take and what they are done with."""

from __future__ import annotations

import functools
import re

EQUIPMENT = ("cake tin", "cake pan", "bundt pan", "baking tin", "casserole dish", "toaster", "grater", "peeler", "tongs",
             "immersion blender", "food processor", "cast iron skillet", "frying pan", "baking sheet", "baking dish",
             "baking tray", "springform pan", "baking pan", "roasting pan", "loaf pan", "tart pan", "pie dish",
             "muffin tin", "rice cooker", "slow cooker", "pressure cooker", "air fryer", "dutch oven", "cutting board",
             "rolling pin", "hand mixer", "stand mixer", "waffle iron", "paper towel", "saucepan", "skillet", "skewer",
             "microwave", "wok", "pot", "oven", "grill", "blender", "colander", "sieve", "bowl", "ladle", "spatula",
             "whisk", "fork", "knife", "spoon", "lid", "jar", "glass", "jug", "mug", "kettle",
             "teapot", "steamer", "espresso machine", "plate", "towel", "refrigerator",
             "pan")  # fmt: skip
_EQUIPMENT = re.compile(rf"\b({'|'.join(EQUIPMENT)}|fridge)(?:e?s)?\b", re.IGNORECASE)
# What is not named but done with one thing only.
_PANS = (
    "oven",
    "dutch oven",
    "grill",
    "waffle iron",
    "frying pan",
    "pan",
    "skillet",
    "cast iron skillet",
    "pot",
)
_DONE_WITH = ((re.compile(r"\b(?:bake|broil)\b", re.IGNORECASE), _PANS, "oven"),
              (re.compile(r"\b(?:blend|pur[eé]e)\b", re.IGNORECASE),
               ("blender", "immersion blender", "food processor", "hand mixer"), "blender"))  # fmt: skip
_COUNT = (
    r"\d{1,4} 1/2|\d{1,4}(?:[.,]\d)?|(?:one|an?|two|three|1|2|3) and a half|an?|one|two|three|four|five|ten|fifteen|"
    r"twenty|thirty|half an|half a|a quarter of an"
)
_TIME = re.compile(
    rf"\b({_COUNT})(?:\s*(?:-|–|to|or)\s*(\d{{1,4}}))?[\s-]*(?:more |further |extra )?"
    r"(minutes?|mins?|hours?|hrs?|seconds?|secs?)\b( and a half)?"
    r"([^,.;]{0,12}\b(?:each|per|every|both) sides?)?",
    re.IGNORECASE,
)
_COUNTS = {"a": 1.0, "an": 1.0, "one": 1.0, "two": 2.0, "three": 3.0, "four": 4.0, "five": 5.0, "ten": 10.0,
           "fifteen": 15.0, "twenty": 20.0, "thirty": 30.0, "half an": 0.5, "half a": 0.5,
           "a quarter of an": 0.25}  # fmt: skip
_UNITS = {"h": 60.0, "m": 1.0, "s": 1 / 60}
_OVERNIGHT = re.compile(r"\bovernight\b", re.IGNORECASE)
NIGHT_MINUTES = 480
_VERBS = ("add", "stir", "bake", "cook", "fry", "boil", "simmer", "serve", "season", "drain", "cover", "set", "let", "pour",
          "whisk", "sprinkle", "slice", "shred", "shape", "chill", "bring", "skim", "toss", "fold", "glaze", "crumble",
          "scatter", "put", "keep", "fill", "roast", "knead", "finish", "top", "brown", "brush", "pile", "grill", "blend",
          "scramble", "steam", "mash", "combine", "remove", "garnish", "microwave", "rest", "build")  # fmt: skip
_PARTS = re.compile(rf"(?:,? and (?:then )?|, then |; (?:then )?)(?=(?:{'|'.join(_VERBS)})\b)", re.IGNORECASE)
_FEWEST_WORDS = 3
# The number or sign that a step of a list begins with.
_NUMBERED = re.compile(
    r"(?:^|(?<=[\n.!?;:]))[ \t]*(?:step[ \t]*)?\d{1,2}[ \t]*[.):][ \t]+(?=\S)|(?:^|(?<=\n))[ \t]*[-*•–][ \t]+",
    re.IGNORECASE,
)
_SENTENCES = re.compile(r"[!?\n]+\s*|(?<!approx)(?<!tbsp)(?<!tsp)(?<! oz)(?<! ca)\.+(?!\d)\s*")


def sentences(text: str) -> list[str]:
    """The steps of a text of instructions: one per sentence or line, without their numbers, at most 40."""
    plain_lines = _NUMBERED.sub("\n", text[:6000].replace("\\n", "\n"))
    return [part.strip() for part in _SENTENCES.split(plain_lines) if part.strip(" .;:-")][:40]


def actions(step: str) -> list[str]:
    """A step cut at each further action; a lone verb stays with what it is done to: peel, core and slice."""
    found: list[str] = []
    start = 0
    for match in _PARTS.finditer(step):
        if len(step[start : match.start()].split()) >= _FEWEST_WORDS:
            found.append(step[start : match.start()])
            start = match.end()
    return [*found, step[start:]]


def minutes_in(text: str) -> int:
    """The minutes of all the times that a text names; the longer end of a span counts, and each side for itself."""
    text = text[:6000].replace("½", " 1/2")
    total = float(NIGHT_MINUTES * len(_OVERNIGHT.findall(text)))
    for match in _TIME.finditer(text):
        said = (match[2] or match[1]).lower()
        whole = said.removesuffix(" 1/2").removesuffix(" and a half")
        count = _COUNTS[whole] if whole in _COUNTS else float(whole.replace(",", "."))
        count += 0.5 if match[4] or whole != said else 0.0
        total += count * _UNITS[match[3][0].lower()] * (2 if match[5] else 1)
    return round(total) or (1 if total else 0)


# German names of what is used most.
_GERMAN = {"pfanne": "frying pan", "topf": "pot", "schüssel": "bowl", "ofen": "oven", "backofen": "oven", "sieb": "sieve",
           "mixer": "blender", "messer": "knife", "schneebesen": "whisk", "blech": "baking sheet",
           "backblech": "baking sheet", "auflaufform": "baking dish", "kühlschrank": "refrigerator"}  # fmt: skip
_GERMAN_WORDS = re.compile(rf"\b({'|'.join(_GERMAN)})\b", re.IGNORECASE)


@functools.lru_cache(maxsize=2048)
def equipment_in(text: str) -> tuple[str, ...]:
    """The kitchen equipment that a text names, in order, each once, and what it is done with without a word."""
    named = dict.fromkeys(
        "refrigerator" if (name := match.group(1).lower()) == "fridge" else name
        for match in _EQUIPMENT.finditer(text[:6000])
    )
    if not named:
        named = dict.fromkeys(_GERMAN[match[1].lower()] for match in _GERMAN_WORDS.finditer(text[:6000]))
    for verb, any_of, tool in _DONE_WITH:
        if verb.search(text[:6000]) and not named.keys() & set(any_of):
            named[tool] = None
    return tuple(named)
