"""Invented people: names, mail addresses and phone numbers, the same for the same parts."""

from __future__ import annotations

from typing import TypedDict

from toolyard.world.kernel import seeds
from toolyard.world.kernel.types import EmailAddress, FirstName, PersonName, PhoneNumber
from toolyard.world.reference.places.geography import plain

FEMALE = tuple(
    "Mary Patricia Jennifer Linda Elizabeth Barbara Susan Jessica Sarah Karen Nancy Lisa Margaret Sandra Ashley "
    "Emily Donna Michelle Amanda Melissa Laura Rebecca Sharon Cynthia Amy Anna Emma Olivia Sophia Isabella Mia "
    "Charlotte Amelia Harper Evelyn Abigail Ella Sofia Camila Aria Mei Yuki Priya Fatima Aisha Ingrid Chloe Elena "
    "Marta Nadia".split()
)
MALE = tuple(
    "James Robert John Michael David William Richard Joseph Thomas Christopher Charles Daniel Matthew Anthony Mark "
    "Donald Steven Andrew Paul Joshua Kenneth Kevin Brian George Timothy Ronald Jason Edward Jeffrey Ryan Liam Noah "
    "Oliver Elijah Lucas Mateo Ethan Leo Hugo Felix Wei Hiroshi Arjun Omar Ahmed Lars Pierre Ivan Carlos "
    "Kofi".split()
)
LAST = tuple(
    "Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez Hernandez Lopez Gonzalez Wilson "
    "Anderson Thomas Taylor Moore Jackson Martin Lee Perez Thompson White Harris Sanchez Clark Ramirez Lewis "
    "Robinson Walker Young Allen King Wright Scott Torres Nguyen Hill Flores Green Adams Nelson Baker Hall Rivera "
    "Campbell Mitchell Carter Roberts Chen Wang Tanaka Kim Singh Patel Khan Müller Schmidt Rossi Dubois Novak "
    "Andersson Kowalski Okafor Haddad Silva Santos Petrov".split()
)


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
