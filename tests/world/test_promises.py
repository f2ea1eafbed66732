"""What the official descriptions give is what the tools promise: a field of the result that is never null.

A field whose type has no None is promised by its type. `promises=` of a tool adds the words of the description that
another field stands for.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from cases import cases
from toolyard.world import library
from toolyard.world.kernel.compat import resolve_documents
from toolyard.world.kernel.schema import Schema

# What may be absent from the thing itself.
# What may be absent from the thing itself, and why.
MAY_BE_NULL = dict(cases(__file__, "may_be_null"))
# Descriptions that belong to another tool, or whose lists tell of examples, sources or arguments.
NOT_ABOUT_RESULTS = set(cases(__file__, "not_about_results"))
# What is left to be given.
GAPS = set(map(tuple, cases(__file__, "gaps")))
_LIST = re.compile(
    r"(?:[Ii]nclud(?:es|ing)|such as|[Cc]ontains?|information for|Query|paper's|has their|Get the|days\.|\() ?"
    r"((?:[\w'/%-]+ ?){1,6}(?:,? (?:and|or) |, )(?:[\w'/%-]+(?: |, )?)+)"
)
_CLOSING = re.compile(r"etc\b|so on|more\b|to then")


def paths(schema: Schema, path: str = "", null: bool = False) -> Iterator[tuple[str, bool]]:
    """Every path of a result, and whether its value may be null."""
    if "anyOf" in schema:
        options = [each for each in schema["anyOf"] if each.get("type") != "null"]
        for option in options:
            yield from paths(option, path, null or len(options) < len(schema["anyOf"]))
        return
    if path:
        yield path, null
    for name, part in schema.get("properties", {}).items():
        yield from paths(part, f"{path}.{name}".lstrip("."))
    for key, step in (("items", "[]"), ("additionalProperties", ".*")):
        if isinstance(schema.get(key), dict):
            yield from paths(schema[key], f"{path}{step}".lstrip("."))


def stems(text: str) -> set[str]:
    """Words by their first letters: hourly and hours, nutrition and nutrients are one."""
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+", text)
    return {word.lower().removesuffix("s")[:4] for word in words}


def words(text: str) -> str:
    """The words of a text or name, in small letters."""
    return " ".join(re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).lower()))


@pytest.fixture(scope="module")
def descriptions(shared: Path) -> dict[str, str]:
    documents = resolve_documents(shared / "data/tooleyes/Tool_Library")
    official = {each.id: str(each.document["description"]) for each in documents}
    # A tool of our own has no other description than its document.
    return {name: official.get(name, tool.document.description) for name, tool in library().items()}


def test_declared_promises_are_in_the_result_and_in_the_description(descriptions: dict[str, str]) -> None:
    for tool in library().values():
        known = {path for path, _ in paths(tool.document.result)}
        for word, path in tool.facts.promises.items():
            assert path in known, f"{tool.id} has no {path}"
            assert words(word) in words(descriptions[tool.id]), (
                f"{word} is not in the description of {tool.id}"
            )


def test_a_field_that_the_description_names_is_never_null(descriptions: dict[str, str]) -> None:
    for tool in library().values():
        told = f" {words(descriptions[tool.id])} ".replace("s ", " ")
        promised = set(tool.facts.promises.values())
        for path, null in paths(tool.document.result):
            name = f" {words(path.rpartition('.')[2])} ".replace("s ", " ")
            if null and name in told and tool.id not in MAY_BE_NULL:
                assert path in promised, f"{tool.id}: the description gives {path}, and it may be null"


def test_what_a_description_lists_is_a_field_of_the_result(descriptions: dict[str, str]) -> None:
    missing = set()
    for tool in library().values():
        given = set().union(*(stems(path) for path, _ in paths(tool.document.result)))
        named = tuple(map(words, tool.facts.promises))
        for found in _LIST.finditer("" if tool.id in NOT_ABOUT_RESULTS else descriptions[tool.id]):
            for term in re.split(r",? (?:and|or) |, ", found[1].strip(" ,")):
                stands_in = any(word in words(term) for word in named)
                if not (stands_in or _CLOSING.match(term) or stems(term) & given):
                    missing.add((tool.id, term))
    assert sorted(missing - GAPS) == []
    assert sorted(GAPS - missing) == [], "given by now"
