"""Random/Random: numbers, identifiers, strings, passwords and filler text, drawn from the world's chance."""

import itertools
import math
import string
import uuid
from random import Random
from typing import Annotated, TypedDict

from toolyard.world.kernel.faults import invalid
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import table_words
from toolyard.world.kernel.types import Named, Prose, Range, Semantic

GROUP = Group("Random/Random")
Count = Annotated[int, Range(1, 100)]
Length = Annotated[int, Range(1, 200)]
Identifier = Annotated[str, Semantic("uuid")]
Password = Annotated[str, Semantic("password")]
_KINDS = (string.ascii_lowercase, string.ascii_uppercase, string.digits, "!#$%&*+-=?@^_")
_LATIN = list(table_words("chance.latin"))


class Numbers(TypedDict):
    numbers: list[int]


class Identifiers(TypedDict):
    uuids: list[Identifier]


class Strings(TypedDict):
    strings: list[str]


class Passwords(TypedDict):
    passwords: list[Password]
    entropy_bits: float


class Placeholder(TypedDict):
    sentences: list[str]
    text: Prose


@GROUP.tool(
    examples=[{"min": 10, "max": 50, "cnt": 3}],
    phrase=(
        "draw random whole numbers[ from a minimum of {min}][ up to a maximum of {max}][ in a quantity of "
        "{cnt}]"
    ),
    noun="the list of random numbers",
)
def get_random_number(
    world: World,
    *,
    low: Annotated[int, Named("min"), Range(-(10**15), 10**15)] = 0,
    high: Annotated[int, Named("max"), Range(-(10**15), 10**15)] = 100,
    cnt: Count = 1,
) -> Numbers:
    """Whole numbers drawn evenly between two bounds, both included.

    min: Smallest number.
    max: Largest number.
    cnt: How many numbers.
    """
    if low > high:
        raise invalid("min", low, f"the smallest number must not be above max={high}")
    chance = world.draw("number", low, high)
    return {"numbers": [chance.randint(low, high) for _ in range(cnt)]}


@GROUP.tool(
    examples=[{"cnt": 6}],
    phrase="generate random UUIDs[ in a quantity of {cnt}]",
    noun="the list of UUIDs",
    jobs=("random signs",),
)
def get_uuid(world: World, *, cnt: Count = 1) -> Identifiers:
    """Random identifiers in the form of UUID version 4.

    cnt: How many identifiers.
    """
    chance = world.draw("uuid")
    return {"uuids": [str(uuid.UUID(int=chance.getrandbits(128), version=4)) for _ in range(cnt)]}


def _draw_strings(chance: Random, signs: str, length: int, count: int) -> list[str]:
    return ["".join(chance.choices(signs, k=length)) for _ in range(count)]


@GROUP.tool(
    examples=[{"len": 8, "cnt": 3}],
    phrase="generate strings of random letters[ with a length of {len}][ in a quantity of {cnt}]",
    noun="the list of random strings",
    jobs=("random signs",),
    described_as="Draws strings of random upper- and lower-case letters.",
)
def generate_string(world: World, *, length: Annotated[Length, Named("len")] = 10, cnt: Count = 1) -> Strings:
    """Strings of random upper- and lower-case letters.

    len: Letters per string.
    cnt: How many strings.
    """
    return {"strings": _draw_strings(world.draw("string"), string.ascii_letters, length, cnt)}


@GROUP.tool(
    examples=[{"len": 12, "cnt": 2}],
    phrase="generate random passwords[ with a length of {len}][ in a quantity of {cnt}]",
    noun="the list of random passwords",
    jobs=("random signs",),
)
def generate_password(
    world: World, *, length: Annotated[Length, Named("len")] = 12, cnt: Count = 1
) -> Passwords:
    """Random passwords of letters, digits and punctuation, with all four kinds of signs from four signs on.

    len: Signs per password.
    cnt: How many passwords.
    """
    chance = world.draw("password")
    return {
        "passwords": [_draw_password(chance, length) for _ in range(cnt)],
        "entropy_bits": round(math.log2(_count_passwords(length)), 1),
    }


def _draw_password(chance: Random, length: int) -> str:
    """A password, every one that has all kinds of signs as likely as any other."""
    while True:
        found = "".join(chance.choices("".join(_KINDS), k=length))
        if length < len(_KINDS) or all(set(kind) & set(found) for kind in _KINDS):
            return found


def _count_passwords(length: int) -> int:
    """How many passwords of a length there are: all, less those that lack a kind of signs."""
    every = sum(map(len, _KINDS))
    if length < len(_KINDS):
        return int(every**length)
    lacking = (absent for count in range(len(_KINDS) + 1) for absent in itertools.combinations(_KINDS, count))
    return int(sum((-1) ** len(absent) * (every - sum(map(len, absent))) ** length for absent in lacking))


@GROUP.tool(
    examples=[{"cnt": 2}],
    phrase="generate mock Latin placeholder text[ with the number of sentences set to {cnt}]",
    noun="the placeholder text",
    described_as="Invents sentences of filler text in mock Latin.",
)
def generate_placeholder_text(world: World, *, cnt: Count = 1) -> Placeholder:
    """Sentences of filler text in mock Latin.

    cnt: How many sentences.
    """
    chance = world.draw("placeholder")
    sentences = []
    for _ in range(cnt):
        words = chance.sample(_LATIN, k=chance.randint(6, 14))
        sentences.append(" ".join(words).capitalize() + ".")
    return {"sentences": sentences, "text": " ".join(sentences)}
