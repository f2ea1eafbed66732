"""Search: what people ask about goods and about the cities that they want to see."""

from __future__ import annotations

import re
from typing import TypedDict

from toolyard.world.search import words
from toolyard.world.shared.geography import find_city, find_country, plain, read_table
from toolyard.world.shared.sights import famous_cities, sights
from toolyard.world.state import World
from toolyard.world.types import Prose, Url
from toolyard.world.worlds.product.goods import Good, offers


class RelatedQuestion(TypedDict):
    question: str
    snippet: Prose
    link: Url


def about_good(seed: int, good: Good) -> RelatedQuestion:
    """What a good costs."""
    best = offers(seed, good)[0]
    return {
        "question": f"How much does the {good['title']} cost?",
        "snippet": f"The lowest price is {best['price']['amount']:.2f} dollars at {best['store']}.",
        "link": best["link"],
    }


def care(query: str) -> list[RelatedQuestion]:
    """What people ask about choosing, using and cleaning the things that a query names."""
    asked = set(words(query[:300]))
    found: list[RelatedQuestion] = [
        {
            "question": row["question"],
            "snippet": row["answer"],
            "link": f"https://howto.example/{'-'.join(re.findall('[a-z0-9]+', plain(row['question'])))}",
        }
        for row in read_table("care_questions.tsv")
        if any(set(words(topic)) <= asked for topic in row["topics"].split(";"))
    ]
    return found[:4]


def visits(world: World, query: str) -> list[RelatedQuestion]:
    """What there is to see in the best known cities of the continents, countries and cities that a query names."""
    text = f" {plain(query[:300])} "
    found: list[RelatedQuestion] = []
    for key in famous_cities():
        city = find_city(key)
        places = (find_country(city["country_code"])["continent"], city["country"], city["name"])
        if any(re.search(rf"\b{re.escape(plain(place))}\b", text) for place in places):
            names = [sight["name"] for sight in sights(city["id"])[:4]]
            found.append(
                {
                    "question": f"What is worth seeing in {city['name']}?",
                    "snippet": f"Visitors to {city['name']}, {city['country']}, go to see {', '.join(names)}.",
                    "link": f"https://travel.example/{city['id']}",
                }
            )
    return found[:5]
