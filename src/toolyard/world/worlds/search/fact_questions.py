"""Questions with a figure, a name or a date for an answer: constants, elements, heavenly bodies, births, inventions, foods.

known_answers.tsv: absolute zero	-273.15 °C (0 K)
quantities.tsv: Moon	the moon	diameter=3,475 km;radius=1,737 km
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import NamedTuple

from toolyard.world.reference.foods import foods_with
from toolyard.world.reference.packed import packed
from toolyard.world.shared.entries import look_up
from toolyard.world.state import EPOCH
from toolyard.world.tables import plain, read_table

_TALK = re.compile(
    r"^(?:please |can you |tell me |find |what (?:is|are|was) |what's |how much is |give me |show me )*(?:the )?"
)
_ENDING = re.compile(r" (?:in|of) the world$| on earth$| in the human body$")
_OF = re.compile(r"(?P<what>.{2,30}?) (?:of|for|on|in) (?:an? |the )?(?P<thing>.{2,40})")
_HOW = re.compile(
    r"how (?P<how>tall|high|long|deep|heavy|fast|big|old|hot|far|large|wide|dense|cold) "
    r"(?:is|are|was) (?:an? |the )?(?P<thing>.{2,40})"
)
_MEANT = {"tall": "height", "high": "height", "long": "length", "deep": "depth", "heavy": "mass", "fast": "speed",
          "big": "diameter", "old": "age", "hot": "temperature", "large": "diameter", "wide": "diameter", "dense": "density",
          "cold": "temperature", "weight": "mass", "elevation": "height", "chemical formula": "formula",
          "number of moons": "moons", "surface gravity": "gravity", "surface temperature": "temperature",
          "average temperature": "temperature", "molecular weight": "molar mass", "chemical composition": "composition",
          "orbit": "orbital period", "length of day": "rotation period", "top speed": "speed"}  # fmt: skip
_LONG = "|".join(re.escape(name) for name in _MEANT if " " in name)
_LONG_OF = re.compile(rf"(?P<what>{_LONG}) (?:of|for|on|in) (?:an? |the )?(?P<thing>.{{2,40}})")
_ELEMENT = {"melting point": "melting", "boiling point": "boiling", "freezing point": "melting", "atomic mass": "weight",
            "atomic weight": "weight", "molar mass": "weight", "density": "density", "atomic number": "number",
            "symbol": "symbol", "chemical symbol": "symbol"}  # fmt: skip
_BORN = re.compile(
    r"(?:when|in which year|what year|on what day) was (?P<born>.{3,50}?) born|(?:when|in which year|what year) did "
    r"(?P<dead>.{3,50}?) die|(?P<date>birth|death) (?:date|year|day) of (?P<of>.{3,50})|date of (?P<when>birth|death) of "
    r"(?P<whose>.{3,50})"
)
_YEARS = re.compile(r"\((?:born in )?(\d{3,4})(?:-(\d{3,4}))?\)")
_EATEN = re.compile(
    r"(?:how (?:many|much) )?(?P<what>calories|energy|protein|fat|carbohydrates?|carbs|sugar|fibre|fiber|sodium) "
    r"(?:are |is |does )?(?:there )?(?:in|of) (?:an? |one |the )?(?P<food>.{2,40})"
)
_NUTRIENTS = {"calories": ("calories", "kcal"), "energy": ("calories", "kcal"), "protein": ("protein", "g"),
              "fat": ("fat", "g"), "carb": ("carbs", "g"), "sugar": ("sugar", "g"), "fib": ("fiber", "g"),
              "sodium": ("sodium", "mg")}  # fmt: skip


class Fact(NamedTuple):
    """How a question was read, its answer, and the thing it is about."""

    reading: str
    text: str
    subject: str


@functools.cache
def _answers() -> Mapping[str, tuple[str, str]]:
    """Plain question -> its first wording and the answer."""
    rows = ((row["question"].split(";"), row["answer"]) for row in read_table("known_answers.tsv"))
    return {plain(form): (forms[0], answer) for forms, answer in rows for form in forms}


@functools.cache
def _quantities() -> Mapping[str, tuple[str, Mapping[str, str]]]:
    """Plain name of a thing -> its name and what is known of it."""
    found: dict[str, tuple[str, Mapping[str, str]]] = {}
    for row in read_table("quantities.tsv"):
        values = dict(pair.split("=", 1) for pair in row["values"].split(";"))
        for name in (row["thing"], *(alias for alias in row["aliases"].split(";") if alias)):
            found.setdefault(plain(name), (row["thing"], values))
    return found


def fact_answer(question: str) -> Fact | None:
    """The answer to a question about a constant, an element, a body, a birth, an invention or a food; None for others."""
    asked = " ".join(plain(question).rstrip("?.! ").split())
    bare = _TALK.sub("", asked)
    for form in dict.fromkeys((asked, bare, _ENDING.sub("", bare))):
        if form in _answers():
            wording, answer = _answers()[form]
            return Fact(wording, answer, wording)
    return _quantity(bare, asked) or _life(asked) or _age(asked) or _eaten(bare)


def _quantity(bare: str, asked: str) -> Fact | None:
    match = _HOW.fullmatch(asked) or _LONG_OF.fullmatch(bare) or _OF.fullmatch(bare)
    if match is None:
        return None
    groups = match.groupdict()
    word = groups.get("what") or groups.get("how") or ""
    what, thing = _MEANT.get(word, word), match["thing"]
    name, values = _quantities().get(thing, ("", {}))
    if what in values:
        return Fact(f"{name} | {what}", values[what], name)
    return _of_element(word, thing)


def _of_element(what: str, name: str) -> Fact | None:
    rows = packed("elements").under(name) if what in _ELEMENT else []
    for row in rows:
        fields = dict(zip(packed("elements").columns, row, strict=True))
        value = fields[_ELEMENT[what]]
        if not value:
            return None
        if _ELEMENT[what] in ("melting", "boiling"):
            value = f"{float(value) - 273.15:,.2f} °C ({float(value):,.2f} K)"
        elif _ELEMENT[what] == "density":
            value = f"{value} g/cm³"
        elif _ELEMENT[what] == "weight":
            value = f"{value} u"
        return Fact(f"{fields['name']} | {what}", value, fields["name"])
    return None


def _life(asked: str) -> Fact | None:
    """The date of birth or death of somebody whom the encyclopaedia knows."""
    match = _BORN.fullmatch(asked)
    if match is None:
        return None
    name = next(text for text in (match["born"], match["dead"], match["of"], match["whose"]) if text)
    death = bool(match["dead"]) or "death" in (match["date"], match["when"])
    entry = look_up(name)
    if entry is None:
        return None
    years = _YEARS.search(entry["text"])
    known = entry["properties"].get("P570" if death else "P569") or (
        [years[2 if death else 1]] if years else []
    )
    if not known or not known[0]:
        return None
    return Fact(f"{entry['title']} | {'death' if death else 'birth'}", known[0], entry["title"])


def _age(asked: str) -> Fact | None:
    """How old somebody is today, or was when he or she died."""
    match = re.fullmatch(r"(?:how old (?:is|was)|age of|what is the age of) (.{3,50})", asked)
    entry = look_up(match[1]) if match else None
    known = entry["properties"] if entry is not None and entry["kind"] == "person" else {}
    days = [next(iter(known.get(key, ())), "") for key in ("P569", "P570")]
    if entry is None or not re.fullmatch(r"\d{4}-\d{2}-\d{2}", days[0]):
        return None
    last = days[1] or EPOCH.date().isoformat()
    years = int(last[:4]) - int(days[0][:4]) - (last[5:] < days[0][5:] and len(last) == len(days[0]))
    said = f"{years} years" + (f" (died {days[1]})" if days[1] else "")
    return Fact(f"{entry['title']} | age", said, entry["title"])


def _eaten(bare: str) -> Fact | None:
    match = _EATEN.fullmatch(bare)
    found = foods_with(match["food"], 1) if match else []
    if match is None or not found:
        return None
    nutrient, unit = next(value for key, value in _NUTRIENTS.items() if match["what"].startswith(key))
    amount = found[0].nutrients.get(nutrient)
    if amount is None:
        return None
    return Fact(f"{found[0].name} | {match['what']}", f"{amount:g} {unit} per 100 g", found[0].name)
