"""Search/WolframSearch: computed answers where a question can be computed, else what the reference tables say."""

import functools
import re
from collections.abc import Callable, Mapping
from typing import Literal, TypedDict

from toolyard.world.kernel.faults import ToolFault
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import kilometres, plain, read_table
from toolyard.world.reference.days import zone
from toolyard.world.reference.encyclopaedia.entries import entries_named, look_up_entry
from toolyard.world.reference.encyclopaedia.entry import EntryTitle, KnownThing, relations
from toolyard.world.reference.packed_tables import packed_table
from toolyard.world.reference.places.geography import city_or_none, country_or_none, currencies
from toolyard.world.simulated.pages import query_subject, sentences

GROUP = Group("Search/WolframSearch")
_SIGNS_ONLY = re.compile(
    r"(?:\b(?:sin|cos|tan|sqrt|log|ln|exp|pi|abs)\b|[\d\s+*/^().,!%=-]|\b[a-z]\b|\d[a-z])+"
)
_COMPUTABLE = re.compile(
    r"\d|\b(?:pi|sin|cos|tan|sqrt|log|ln|derivative|integrate|integral|diff|solve|factor|plus|minus|times|divided)\b"
)
# "sin x" as people write it.
_APPLIED = re.compile(r"\b(sin|cos|tan|ln|log|sqrt|exp) ([a-z]|\d+(?:\.\d+)?)\b(?! ?\()")
_TALK = re.compile(
    r"^(?:please |can you |could you |help me |i need to |i would like to |find |compute |calculate |evaluate |"
    r"what is |what's |what are |how many |solve |the solution |for |of |a |an |the |mathematical |equation |value )+"
)
_QUOTED = re.compile(r"['\"]([^'\"]{1,200})['\"]")
_INDEFINITE = re.compile(r"(?:integrate|integral|antiderivative)\b(?!.*\b(?:from|between|to)\b)")
_BETWEEN = re.compile(
    r".{0,40}?distance (?:between|from) (?P<first>.{1,60}?) (?:and|to) (?P<second>.{1,60})|"
    r"how far is (?P<away>.{1,60}?) from (?P<here>.{1,60})"
)
_TIME = re.compile(
    r"(?:what(?:'s| is)? (?:the )?)?(?:current |local )?time (?:is it )?(?:now )?(?:in|at) (.{1,60}?)(?: now)?"
)
_EXCHANGE = re.compile(
    r"(?:convert |exchange |how much is |what is )*(?P<amount>[\d,]{1,15}(?:\.\d+)?) (?P<source>[a-z ]{3,30}) "
    r"(?:in|to|into) (?P<target>[a-z ]{3,30})"
)
_OF = re.compile(r"(?P<what>.{2,40}?) (?:of|for|in) (?:an? |the )?(?P<thing>.{2,60})")
_COLUMNS = {"melting point": "melting", "boiling point": "boiling", "atomic mass": "weight", "atomic weight": "weight",
            "density": "density", "atomic number": "number", "symbol": "symbol", "chemical symbol": "symbol"}  # fmt: skip
_UNITS = {"melting": " K", "boiling": " K", "density": " g/cm³", "weight": " u"}


def warm_up() -> None:
    """Loads sympy."""
    from toolyard.world.tools.calculator import calculator

    calculator.warm_up()


class Pod(TypedDict):
    title: str
    text: str


class Answer(TypedDict):
    query: str
    interpretation: str
    result: str
    subject: EntryTitle | None
    pods: list[Pod]


def _to_answer(reading: str, result: str, subject: str | None = None, *pods: Pod) -> Answer:
    return {"query": "", "interpretation": reading, "result": result, "subject": subject, "pods": list(pods)}


def _bare_query(query: str) -> str:
    return " ".join(_TALK.sub("", plain(query).rstrip("?.! ")).split())


def _answer_mathematics(world: World, query: str) -> Answer | None:
    from toolyard.world.tools.calculator.calculator import wolfram_alpha_calculator
    from toolyard.world.tools.calculator.questions import answer_question

    quoted, query = _QUOTED.search(query), _APPLIED.sub(r"\1(\2)", query)
    text = quoted[1] if quoted else _TALK.sub("", query.strip().rstrip("?.").lower())
    question = answer_question(query, world.today, "query")
    if question is not None:
        return _to_answer(question.reading, question.text)
    if not _COMPUTABLE.search(text):
        return None
    try:
        found = wolfram_alpha_calculator(world, input_query=f"solve {text}" if "=" in text else text)
    except ToolFault as fault:
        if _SIGNS_ONLY.fullmatch(text):
            message = fault.message.replace("input_query=", "query=")
            raise ToolFault(fault.kind, message, parameter="query") from None
        return None
    result = f"{_unknown_letter(text)} = {found['exact']}" if "=" in text else found["exact"]
    result = f"{result} + constant" if _INDEFINITE.match(text) else result
    decimal = "" if found["decimal"] is None else str(found["decimal"])
    pods: list[Pod] = (
        [{"title": "Decimal approximation", "text": decimal}] if decimal and decimal not in result else []
    )
    return _to_answer(text, result, None, *pods)


def _unknown_letter(equation: str) -> str:
    letters = re.findall(r"(?<![a-z])[a-z](?![a-z])", equation)
    return "x" if "x" in letters or not letters else sorted(letters)[0]


def _answer_distance(_: World, query: str) -> Answer | None:
    match = _BETWEEN.fullmatch(plain(query).rstrip("?.! "))
    if match is None:
        return None
    names = [name.removeprefix("the ").strip() for name in match.groups() if name]
    if "earth" in names:
        other = look_up_entry(names[1 - names.index("earth")])
        far = other["properties"].get("P2583", [""])[0].removesuffix(" km") if other else ""
        return (
            _distance_answer(f"distance from Earth to {other['title']}", float(far), other["title"])
            if far and other
            else None
        )
    points = [city_or_none(name) for name in names]
    if points[0] is None or points[1] is None:
        return None
    first, second = points[0], points[1]
    far_apart = kilometres(first["latitude"], first["longitude"], second["latitude"], second["longitude"])
    return _distance_answer(f"distance from {first['name']} to {second['name']}", far_apart, first["name"])


def _distance_answer(reading: str, far: float, subject: str) -> Answer:
    return _to_answer(
        reading, f"{far:,.0f} km", subject, {"title": "Miles", "text": f"{far / 1.609344:,.0f} mi"}
    )


def _answer_time(world: World, query: str) -> Answer | None:
    match = _TIME.fullmatch(plain(query).rstrip("?.! "))
    place = (city_or_none(match[1]) or country_or_none(match[1])) if match else None
    if place is None:
        return None
    local = world.now.astimezone(zone(place["time_zone"]))
    return _to_answer(f"time in {place['name']}", f"{local:%H:%M} on {local:%A, %Y-%m-%d}", place["name"])


def _answer_money(_: World, query: str) -> Answer | None:
    match = _EXCHANGE.fullmatch(plain(query).rstrip("?. "))
    known = {
        key: row
        for row in (currencies() if match else ())
        for key in (
            plain(row["code"]),
            plain(row["name"]),
            f"{plain(row['name'])}s",
            plain(row["name"]).split()[-1],
        )
    }
    if match is None or match["source"] not in known or match["target"] not in known:
        return None
    source, target = known[match["source"]], known[match["target"]]
    amount = float(match["amount"].replace(",", ""))
    value = amount / source["per_usd"] * target["per_usd"]
    return _to_answer(f"{amount:,.2f} {source['code']} in {target['code']}", f"{value:,.2f} {target['code']}")


@functools.cache
def _subject_tables() -> Mapping[str, tuple[str, str]]:
    """Plain question -> its first wording and the answer, out of the tables of constants and of quantities."""
    found: dict[str, tuple[str, str]] = {}
    for row in read_table("known_answers.tsv"):
        forms = row["question"].split(";")
        found |= {plain(form): (forms[0], row["answer"]) for form in forms}
    for row in read_table("quantities.tsv"):
        for pair in row["values"].split(";"):
            what, _, value = pair.partition("=")
            for name in (row["thing"], *filter(None, row["aliases"].split(";"))):
                found[f"{what} of {plain(name).removeprefix('the ')}"] = (f"{row['thing']} | {what}", value)
    return found


def _answer_constant(_: World, query: str) -> Answer | None:
    bare = _bare_query(query)
    match = _OF.fullmatch(bare)
    forms = (plain(query).rstrip("?.! "), bare, f"{match['what']} of {match['thing']}" if match else "")
    known = next((_subject_tables()[form] for form in forms if form in _subject_tables()), None)
    if known:
        return _to_answer(
            known[0],
            known[1],
            next((one["title"] for one in entries_named(known[0].partition(" | ")[0])), None),
        )
    return _element_answer(match["what"], match["thing"]) if match and match["what"] in _COLUMNS else None


def _element_answer(what: str, name: str) -> Answer | None:
    for row in packed_table("elements").with_key(name):
        fields = dict(zip(packed_table("elements").columns, row, strict=True))
        value, unit = fields[_COLUMNS[what]], _UNITS.get(_COLUMNS[what], "")
        return _to_answer(f"{fields['name']} | {what}", f"{value}{unit}", fields["name"]) if value else None
    return None


def _answer_from_statements(_: World, query: str) -> Answer | None:
    """What is stated about a thing that a question names beside the words for a relation: "population of Japan"."""
    asked = [word for word in re.sub(r"'s\b|[?!,]", " ", plain(query)).split() if word not in _SMALL]
    dated = "when" in plain(query).split()
    for relation in sorted(relations().values(), key=lambda one: dated and one.id not in _DATES):
        known = {*plain(relation.name).split(), *relation.also}
        rest = [word for word in asked if word not in known and word.removesuffix("s") not in known]
        entry = next(iter(entries_named(" ".join(rest))), None) if 0 < len(rest) < len(asked) else None
        values = entry["properties"].get(relation.id) if entry else None
        if entry and values:
            counted = relation.id in ("P1082", "P1128")
            shown = ", ".join(f"{int(one):,} people" if counted and one.isdigit() else one for one in values)
            return _to_answer(f"{entry['title']} | {relation.name}", shown, entry["title"])
    return None


_DATES = ("P569", "P570", "P571", "P577")
_SMALL = frozenset(
    "what which who when where how is are was were does did do the a an of in on at for to many much year".split()
)


def _answer_topic(_: World, query: str) -> Answer | None:
    quoted = _QUOTED.search(query)
    subject = (query_subject(quoted[1]) if quoted else None) or (
        query_subject(query) if re.search(r"\w", query) else None
    )
    if subject is None:
        return None
    first, *others = sentences(subject.text)
    pods: list[Pod] = [{"title": "Basic information", "text": " ".join(others)}] if others else []
    return _to_answer(subject.title, first, subject.title if entries_named(subject.title) else None, *pods)


_WAYS: tuple[Callable[[World, str], Answer | None], ...] = (
    _answer_constant,
    _answer_distance,
    _answer_time,
    _answer_money,
    _answer_from_statements,
    _answer_mathematics,
    _answer_topic,
)


@GROUP.tool(
    isolated=True,
    examples=[
        {"query": "What is the distance between Earth and Moon?"},
        {"query": "2x+3=7"},
        {"query": "integrate x^2 sin(x)"},
        {"query": "population of Japan", "includepodid": "Result"},
    ],
    phrase="use Wolfram[, with the included pod set to {includepodid},] to answer {query}",
    noun="the Wolfram answer",
    jobs=("answers to questions",),
    stands_in_for=(
        "Calculator",
        "Calendar",
        "Entity",
        "Finance/Currency_Converter",
        "Location",
        "Search",
        "Stock",
        "Weather",
        "Word",
    ),
)
def get_wolfram_results(
    world: World, *, query: KnownThing, includepodid: Literal["Result", "result"] | None = None
) -> Answer:
    """The answer to a question: computed for mathematics, units, distances and money, else looked up.

    query: An expression, an equation, or a question in words.
    includepodid: Result leaves out the further pods.
    """
    for way in _WAYS:
        found = way(world, query[:500])
        if found is not None:
            return {**found, "query": query, "pods": [] if includepodid else found["pods"]}
    raise ToolFault(
        "not_found",
        f"no answer to {query[:80]!r}: ask for something to compute (2x+3=7, 10 km in miles, days between two dates), "
        f"a fact on a place (population of Japan), or one of the encyclopaedia's entries",
        parameter="query",
    )
