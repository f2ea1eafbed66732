"""Search/WolframSearch: computed answers where a question can be computed, else what the encyclopaedia says."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, TypedDict

from toolyard.world.faults import ToolFault
from toolyard.world.market_days import last_close
from toolyard.world.reference import wordnet
from toolyard.world.registry import tool
from toolyard.world.shared.companies import find_company
from toolyard.world.shared.entries import named
from toolyard.world.shared.entry import Entry, EntryTitle, KnownThing
from toolyard.world.shared.entry_questions import answer_to, asked_entry, stated
from toolyard.world.shared.geography import currencies, plain
from toolyard.world.shared.prices import prices
from toolyard.world.state import World
from toolyard.world.worlds.search.fact_questions import fact_answer
from toolyard.world.worlds.search.place_questions import place_answer
from toolyard.world.worlds.search.worked_out import figure

GROUP = "Search/WolframSearch"
_SIGNS_ONLY = re.compile(
    r"(?:\b(?:sin|cos|tan|sqrt|log|ln|exp|pi|abs)\b|[\d\s+*/^().,!%=-]|\b[a-z]\b|\d[a-z])+"
)
_MONEY = {"dollar": "usd", "dollars": "usd", "us dollar": "usd", "us dollars": "usd", "euro": "eur",
    "euros": "eur", "yen": "jpy",
          "pounds": "gbp", "british pounds": "gbp", "pounds sterling": "gbp", "yuan": "cny", "rupees": "inr",
          "francs": "chf",
          "swiss francs": "chf", "won": "krw", "pesos": "mxn", "rubles": "rub"}  # fmt: skip
_EXCHANGE = re.compile(
    r"(?:convert |exchange |how much is |what is )*(?P<amount>[\d,]{1,15}(?:\.\d+)?) (?P<source>[a-z "
    r"]{3,30}) (?:in|to|into) (?P<target>[a-z ]{3,30})"
)
# "sin x" as people write it.
_APPLIED = re.compile(r"\b(sin|cos|tan|ln|log|sqrt|exp) ([a-z]|\d+(?:\.\d+)?)\b(?! ?\()")
_TALK = re.compile(
    r"^(?:please |can you |could you |help me |i need to |i would like to |find |compute |calculate |evaluate |"
    r"what is |what's |solve |the solution |for |of |a |an |the |mathematical |equation |value )+"
)


def warm_up() -> None:
    """Loads sympy."""
    from toolyard.world.worlds.calculator import calculator

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


_WORDED = (
    (re.compile(r"(?:the )?factorial of (\d{1,4})|(\d{1,4}) factorial"), "{}!"),
    (re.compile(r"(?:the )?(?:square root of|root of) (\d[\d.]{0,20})"), "sqrt({})"),
)
_BASES = {"binary": "b", "hexadecimal": "X", "hex": "X", "octal": "o"}
_IN_BASE = re.compile(
    r"(?:convert )?(\d{1,30}) (?:in|to) (binary|hexadecimal|hex|octal)|(binary|hexadecimal|hex|octal) of (\d{1,30})"
)
_COMPARED = re.compile(
    r"(.{3,40}) of (?:the )?(.{2,40}?) (?:vs\.?|versus|compared (?:to|with)|and) (?:the )?(.{2,40})"
)


def _in_base(_: World, query: str) -> Answer | None:
    """A whole number in another base."""
    match = _IN_BASE.fullmatch(re.sub(r"^(?:what is |show )", "", plain(query).rstrip("?. ")))
    if match is None:
        return None
    number, name = int(match[1] or match[4]), match[2] or match[3]
    shown = format(number, _BASES[name])
    return {
        "query": query,
        "interpretation": f"{number} in {name}",
        "result": shown,
        "subject": None,
        "pods": [],
    }


def _compared(world: World, query: str) -> Answer | None:
    """The same fact on two places."""
    match = _COMPARED.fullmatch(plain(query).rstrip("?. "))
    found = [place_answer(world, f"{match[1]} of {match[place]}") for place in (2, 3)] if match else []
    answers = [one for one in found if one is not None]
    if len(answers) < 2 or answers[0].subject == answers[1].subject:
        return None
    text = "; ".join(f"{one.subject}: {one.text}" for one in answers)
    reading = f"{answers[0].reading}; {answers[1].reading}"
    return {
        "query": query,
        "interpretation": reading,
        "result": text,
        "subject": answers[0].subject,
        "pods": [],
    }


def _mathematics(world: World, query: str) -> Answer | None:
    quoted = re.search(r"['\"]([^'\"]{1,200})['\"]", query)
    query = _APPLIED.sub(r"\1(\2)", query)
    for pattern, form in _WORDED:
        match = pattern.fullmatch(plain(query).rstrip("?. ").removeprefix("what is "))
        query = form.format(match[match.lastindex or 1]) if match else query
    text = quoted[1] if quoted else _TALK.sub("", query.strip().rstrip("?.").lower())
    from toolyard.world.worlds.calculator.questions import answered

    question = answered(query, world.today, "query")
    if question is not None:
        return {
            "query": query,
            "interpretation": question.reading,
            "result": question.text,
            "subject": None,
            "pods": [],
        }
    if not re.search(
        r"\d|\b(?:pi|sin|cos|tan|sqrt|log|ln|derivative|integrate|integral|diff|solve|factor|plus|minus|times|divided)\b",
        text,
    ):
        return None
    from toolyard.world.worlds.calculator.calculator import wolfram_alpha_calculator

    try:
        found = wolfram_alpha_calculator(world, input_query=f"solve {text}" if "=" in text else text)
    except ToolFault as fault:
        if _SIGNS_ONLY.fullmatch(text):
            raise ToolFault(
                fault.kind, fault.message.replace("input_query=", "query="), parameter="query"
            ) from None
        return None
    result = f"{_unknown(text)} = {found['exact']}" if "=" in text else found["exact"]
    if _INDEFINITE.match(text):
        result = f"{result} + constant"
    pods: list[Pod] = []
    if found["decimal"] is not None and str(found["decimal"]) not in result:
        pods.append({"title": "Decimal approximation", "text": str(found["decimal"])})
    return {"query": query, "interpretation": text, "result": result, "subject": None, "pods": pods}


# An integral without bounds.
_INDEFINITE = re.compile(r"(?:integrate|integral|antiderivative)\b(?!.*\b(?:from|between|to)\b)")


def _unknown(equation: str) -> str:
    letters = re.findall(r"(?<![a-z])[a-z](?![a-z])", equation)
    return "x" if "x" in letters or not letters else sorted(letters)[0]


def _places(world: World, query: str) -> Answer | None:
    found = place_answer(world, query)
    if found is None:
        return None
    far = found.kilometres
    pods: list[Pod] = []
    if far is not None:
        pods = [{"title": "Miles", "text": f"{far / 1.609344:,.0f} mi"}]
    return {
        "query": query,
        "interpretation": found.reading,
        "result": found.text,
        "subject": found.subject,
        "pods": pods,
    }


def _money(_: World, query: str) -> Answer | None:
    match = _EXCHANGE.fullmatch(plain(query).rstrip("?. "))
    if match is None:
        return None
    known = {
        key: row
        for row in currencies()
        for key in (plain(row["code"]), plain(row["name"]), f"{plain(row['name'])}s")
    }
    known |= {name: known[code] for name, code in _MONEY.items() if code in known}
    if match["source"] not in known or match["target"] not in known:
        return None
    source, target = known[match["source"]], known[match["target"]]
    amount = float(match["amount"].replace(",", ""))
    value = amount / source["per_usd"] * target["per_usd"]
    return {"query": query, "interpretation": f"{amount:,.2f} {source['code']} in {target['code']}", "subject": None,
            "result": f"{value:,.2f} {target['code']}", "pods": []}  # fmt: skip


_PRICED = re.compile(
    r".{0,30}?(?:stock|share) price of (?:the )?(.{1,60}?)\??|"
    r"(?:what is )?(?:the )?(.{1,40}?)(?:'s)? (?:stock|share|shares) price\??|"
    r"(?:what is )?(?:the )?price of (.{1,40}?) (?:stock|shares)\??"
)


def _price(world: World, query: str) -> Answer | None:
    match = _PRICED.fullmatch(plain(query))
    if match is None:
        return None
    try:
        company = find_company(next(filter(None, match.groups())))
        last = prices(world.seed, company["ticker"]).until(last_close(world.now))[-1]
    except ToolFault:
        return None
    return {"query": query, "interpretation": f"{company['name']} | share price", "subject": company["name"],
            "result": f"{last['close']} {company['currency']} ({last['date']})", "pods": []}  # fmt: skip


_ELEMENT = re.compile(
    r"(?:what is )?(?:the )?(?:chemical )?(?P<asked>symbol|atomic number) (?:of|for) (?:the element )?"
    r"(?P<name>[a-z]{2,20})\??"
)


def _element(_: World, query: str) -> Answer | None:
    """The symbol or the number of a chemical element: the dictionary lists both among its names."""
    match = _ELEMENT.fullmatch(plain(query).strip())
    senses = wordnet.senses(match["name"]) if match else ()
    for words in (sense.words for sense in senses if match and match["name"] in map(plain, sense.words)):
        number = next((word for word in words if word.startswith("atomic number ")), None)
        symbol = next((word for word in words if re.fullmatch("[A-Z][a-z]?", word)), None)
        if match and number and symbol:
            result = symbol if match["asked"] == "symbol" else number.rsplit(" ", 1)[-1]
            pods: list[Pod] = [{"title": "Element", "text": f"{words[0]} ({symbol}), {number}"}]
            return {"query": query, "interpretation": f"{words[0]} | {match['asked']}", "result": result,
                    "subject": words[0][0].upper() + words[0][1:], "pods": pods}  # fmt: skip
    return None


def _figure(_: World, query: str) -> Answer | None:
    """A figure that is worked out from others."""
    found = figure(query)
    if found is None:
        return None
    return {
        "query": query, "interpretation": found.reading, "result": found.text, "subject": found.subject, "pods": [],
    }  # fmt: skip


def _fact(_: World, query: str) -> Answer | None:
    """What is known of constants, elements, heavenly bodies, lives, inventions and foods."""
    found = fact_answer(query)
    if found is None:
        return None
    subject = next((entry["title"] for entry in named(found.subject)), None)
    return {
        "query": query,
        "interpretation": found.reading,
        "result": found.text,
        "subject": subject,
        "pods": [],
    }


def _named(world: World, query: str) -> Answer | None:
    """What the encyclopaedia says where the query is the name of an entry and nothing else."""
    if re.match(r"(?:what is )?(?:the )?capital of ", plain(query)):
        return _places(world, query)  # the dictionary lists it among the names of the town
    return _topic(world, query) if named(query) else None


def _topic(_: World, query: str) -> Answer | None:
    quoted = re.search(r"['\"]([^'\"]{1,100})['\"]", query)
    said = asked_entry(query)
    if said is not None and not named(query):
        return _said(query, said[0], said[1]) if said[1] else None
    entry = (answer_to(quoted[1]) if quoted else None) or answer_to(query)
    return _said(query, entry, stated(entry)[0]) if entry else None


def _said(query: str, entry: Entry, sentence: str) -> Answer:
    others = [part for part in stated(entry) if part != sentence]
    return {"query": query, "interpretation": entry["title"], "result": sentence, "subject": entry["title"],
            "pods": [{"title": "Basic information", "text": " ".join(others)}] if others else []}  # fmt: skip


_DIVIDED = re.compile(r"(.*[a-z]{3}.*?)\s*(?:/|\bdivided by\b)\s*(.*[a-z]{3}.*)", re.IGNORECASE)
_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")


def _quotient(world: World, query: str) -> Answer | None:
    """Two facts on places divided by each other, as in population of France / population of Germany."""
    match = _DIVIDED.fullmatch(query.strip())
    parts = [_places(world, part) for part in match.groups()] if match else []
    values = [
        float(found[0].replace(",", ""))
        for part in parts
        if part and (found := _NUMBER.match(part["result"]))
    ]
    if len(parts) != 2 or len(values) != 2 or not values[1]:
        return None
    return {
        "query": query, "interpretation": " / ".join(part["interpretation"] for part in parts if part),
        "result": f"{values[0] / values[1]:.6g}", "subject": None, "pods": [],
    }  # fmt: skip


_WAYS: tuple[Callable[[World, str], Answer | None], ...] = (
    _quotient,
    _in_base,
    _compared,
    _figure,
    _fact,
    _named,
    _element,
    _price,
    _places,
    _money,
    _mathematics,
    _topic,
)


@tool(
    GROUP,
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
    """The answer to a question: computed for mathematics, distances, prices and facts on places, else looked up.

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
