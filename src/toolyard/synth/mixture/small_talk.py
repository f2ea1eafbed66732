"""Plain questions that need no tool, with short answers: what a model must not unlearn.

Facts come from the tables of the world (countries, authors, painters, laureates), sums are computed; questions and
answers are our own phrasings.
"""

import functools
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta

from toolyard.core.types import Failure, JsonValue, Message, Record, derived_seed
from toolyard.synth.mixture.mixture_settings import MixtureSettings
from toolyard.synth.mixture.rows import TrainingRow
from toolyard.synth.stages import Context, Rows
from toolyard.world.kernel.tables import read_table
from toolyard.world.reference.places.atlas import countries, large_countries

CHAT = "chat"
Exchange = tuple[str, str]


def drafts(rows: Rows, count: int, context: Context) -> Iterator[dict[str, JsonValue]]:  # noqa: ARG001
    """So many different exchanges."""
    kinds = list(KINDS.items())
    seen: set[str] = set()
    number = 0
    while len(seen) < count:
        rng = random.Random(derived_seed(context.seed, CHAT, number))
        name, make = kinds[number % len(kinds)]
        number += 1
        question, answer = make(rng)
        if question not in seen:
            seen.add(question)
            yield {
                "id": str(len(seen)),
                "origin": question,
                "kind": name,
                "question": question,
                "answer": answer,
            }


def rows(draft: Record, settings: MixtureSettings) -> Iterator[TrainingRow | Failure]:  # noqa: ARG001
    """The exchange as a row without tools."""
    asked = (Message("user", draft["question"]),)
    name = f"{CHAT}/{draft['id']}"
    yield TrainingRow(name, CHAT, f"{CHAT} {draft['kind']}", "world-tables", asked, draft["answer"])


def _sum_exchange(rng: random.Random) -> Exchange:
    left, right = rng.randint(2, 999), rng.randint(2, 999)
    sign, value = rng.choice((("plus", left + right), ("minus", left - right)))
    ask = rng.choice(
        (
            "What is {} {} {}?",
            "How much is {} {} {}?",
            "Work out {} {} {} for me.",
            "{} {} {} - what does that make?",
        )
    )
    return ask.format(left, sign, right), f"{left} {sign} {right} is {value}."


def _product_exchange(rng: random.Random) -> Exchange:
    left, right = rng.randint(2, 40), rng.randint(2, 30)
    ask = rng.choice(("What is {} times {}?", "Multiply {} by {}.", "How much is {} times {}?"))
    return ask.format(left, right), f"{left} times {right} is {left * right}."


def _share_exchange(rng: random.Random) -> Exchange:
    percent, whole = rng.choice((5, 10, 20, 25, 40, 50, 75)), rng.randrange(20, 2001, 20)
    value = percent * whole / 100
    ask = rng.choice(("What is {} percent of {}?", "How much is {} % of {}?", "I need {} percent of {}."))
    return ask.format(percent, whole), f"{percent} percent of {whole} is {value:g}."


def _capital_exchange(rng: random.Random) -> Exchange:
    country = rng.choice([row for row in countries() if row["capital"]])
    ask = rng.choice(
        (
            "What is the capital of {}?",
            "Which city is the capital of {}?",
            "Name the capital of {}.",
            "capital of {}?",
        )
    )
    return ask.format(country["name"]), f"The capital of {country['name']} is {country['capital']}."


def _capital_to_country_exchange(rng: random.Random) -> Exchange:
    country = rng.choice([row for row in large_countries() if row["capital"]])
    ask = rng.choice(("{} is the capital of which country?", "Of which country is {} the capital?"))
    return ask.format(country["capital"]), f"{country['capital']} is the capital of {country['name']}."


def _currency_exchange(rng: random.Random) -> Exchange:
    country = rng.choice(large_countries())
    names = {row["code"]: row["name"] for row in _table_rows("currencies")}
    ask = rng.choice(("Which currency do people use in {}?", "What money do they pay with in {}?"))
    name = names.get(country["currency"], country["currency"])
    return ask.format(
        country["name"]
    ), f"In {country['name']} people pay with the {name} ({country['currency']})."


def _continent_exchange(rng: random.Random) -> Exchange:
    country = rng.choice(countries())
    ask = rng.choice(("On which continent is {}?", "Which continent does {} belong to?"))
    return ask.format(country["name"]), f"{country['name']} is in {country['continent']}."


def _author_exchange(rng: random.Random) -> Exchange:
    row = rng.choice(_table_rows("authors"))
    title, year = _title_and_year(rng.choice(row["books"].split(";")))
    if rng.random() < 0.5:
        ask = rng.choice(("Who wrote {}?", "Who is the author of {}?", "{} - who wrote that?"))
        return ask.format(title), f"{title} was written by {row['author']}."
    ask = rng.choice(("In which year did {} by {} appear?", "When was {} by {} published?"))
    return ask.format(title, row["author"]), f"{title} appeared in {year}."


def _painter_exchange(rng: random.Random) -> Exchange:
    row = rng.choice(_table_rows("artworks"))
    title, _ = _title_and_year(rng.choice(row["works"].split(";")).split("@")[0])
    ask = rng.choice(("Who made the work {}?", "Which artist created {}?", "Whose work is {}?"))
    return ask.format(title), f"{title} is a work by {row['artist']}."


def _weekday_exchange(rng: random.Random) -> Exchange:
    day = date(2024, 1, 1) + timedelta(days=rng.randrange(366))
    later = rng.randint(1, 20)
    then = day + timedelta(days=later)
    ask = rng.choice(
        (
            "If today is {}, what day is it in {} days?",
            "Today is {}. Which weekday will it be {} days from now?",
        )
    )
    return ask.format(f"{day:%A}", later), f"In {later} days it will be {then:%A}."


def _larger_number_exchange(rng: random.Random) -> Exchange:
    one, other = rng.sample(large_countries(), 2)
    if rng.random() < 0.5:
        words, best = "more people", max(one, other, key=lambda row: row["population"])
    else:
        words, best = "a larger area", max(one, other, key=lambda row: row["area_km2"])
    ask = rng.choice(("Which has {2}, {0} or {1}?", "{0} or {1}: which of the two has {2}?"))
    return ask.format(one["name"], other["name"], words), f"{best['name']} has {words}."


def _unit_exchange(rng: random.Random) -> Exchange:
    many, one, factor = rng.choice(
        (
            ("minutes", "hours", 60),
            ("metres", "kilometres", 1000),
            ("grams", "kilograms", 1000),
            ("days", "weeks", 7),
            ("months", "years", 12),
            ("seconds", "minutes", 60),
            ("centimetres", "metres", 100),
        )
    )
    count = rng.randint(2, 60)
    ask = rng.choice(("How many {} are {} {}?", "Convert {1} {2} to {0}."))
    return ask.format(many, count, one), f"{count} {one} are {count * factor} {many}."


def _letter_count_exchange(rng: random.Random) -> Exchange:
    name = rng.choice(countries())["name"]
    words = name.split()
    if rng.random() < 0.5:
        return f"Write {name} in capital letters.", name.upper()
    return f"With which letter does {words[0]} begin, and with which does it end?", (
        f"{words[0]} begins with {words[0][0].upper()} and ends with {words[0][-1]}."
    )


def _definition_exchange(rng: random.Random) -> Exchange:
    row = rng.choice([row for row in _table_rows("encyclopedia") if row["text"]])
    ask = rng.choice(
        (
            "Tell me briefly about {}.",
            "What can you say about {} in a sentence or two?",
            "{} - what or who is that?",
        )
    )
    return ask.format(row["title"]), row["text"]


def _chat_exchange(rng: random.Random) -> Exchange:
    opening, closing = rng.choice(
        (
            ("Thanks for your help", "You are welcome. Is there anything else I can do?"),
            ("Good morning", "Good morning! What can I do for you?"),
            ("Who are you", "I am an assistant. Ask me something, or tell me what you need done."),
            ("Can you help me", "Gladly. What is it about?"),
            ("See you tomorrow", "See you! Have a good day."),
        )
    )
    return f"{opening}{rng.choice(('.', '!', '?', ' :)', ', please.', ' then.', ' again.'))}", closing


@functools.cache
def _table_rows(name: str) -> Sequence[Mapping[str, str]]:
    return tuple(read_table(f"{name}.tsv"))


def _title_and_year(text: str) -> tuple[str, str]:
    """A title and the year behind it."""
    title, _, year = text.strip().rpartition(" ")
    return (title, year) if year[:4].isdigit() or year.startswith("-") else (text.strip(), "")


KINDS: Mapping[str, Callable[[random.Random], Exchange]] = {
    "sum": _sum_exchange,
    "product": _product_exchange,
    "share": _share_exchange,
    "capital": _capital_exchange,
    "capital of": _capital_to_country_exchange,
    "currency": _currency_exchange,
    "continent": _continent_exchange,
    "book": _author_exchange,
    "painter": _painter_exchange,
    "weekday": _weekday_exchange,
    "larger": _larger_number_exchange,
    "units": _unit_exchange,
    "letters": _letter_count_exchange,
    "definition": _definition_exchange,
    "talk": _chat_exchange,
}
