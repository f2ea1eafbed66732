"""Invented people: names, mail addresses and phone numbers, the same for the same parts."""

from typing import TypedDict

from toolyard.world.kernel import seeds
from toolyard.world.kernel.tables import plain, table_words
from toolyard.world.kernel.types import EmailAddress, FirstName, PersonName, PhoneNumber

FEMALE = table_words("people.female")
MALE = table_words("people.male")
LAST = table_words("people.last")


class Person(TypedDict):
    """A person."""

    name: PersonName
    first_name: FirstName
    last_name: str
    gender: str
    email: EmailAddress
    phone: PhoneNumber


def name_of(seed: int, *parts: object) -> str:
    """The name of the person that these parts stand for, for those who need no more."""
    chance = seeds.stream(seed, "person", *parts)
    _, names = chance.choice((("female", FEMALE), ("male", MALE)))
    return f"{chance.choice(names)} {chance.choice(LAST)}"


def person(seed: int, *parts: object) -> Person:
    """The person that these parts stand for."""
    chance = seeds.stream(seed, "person", *parts)
    gender, names = chance.choice((("female", FEMALE), ("male", MALE)))
    first, last = chance.choice(names), chance.choice(LAST)
    return Person(
        name=f"{first} {last}",
        first_name=first,
        last_name=last,
        gender=gender,
        email=f"{plain(first)}.{plain(last)}@example.org",
        phone=f"+1-202-555-{chance.randrange(100, 200):04d}",
    )
