"""Documents in better words, by rule: what lint proposes and what a rewriting starts from."""

import re
from collections.abc import Mapping, Sequence

from toolyard.owntools.sources.source_schemas import json_type
from toolyard.owntools.sources.tool_source import SourceTool
from toolyard.owntools.tool_meaning import Meaning, plural_noun, tool_danger, with_article
from toolyard.text.documents import Parameter
from toolyard.text.names import name_in_words, name_words
from toolyard.text.word_overlap import telling_stems

_OPENINGS = {
    "create": "Creates a new {noun}",
    "read": "Returns one {noun}",
    "list": "Lists {nouns}",
    "search": "Searches {nouns}",
    "update": "Changes an existing {noun}",
    "delete": "Deletes {a_noun} for good",
}
# Verbs that make something and say more than "create" does.
_OWN_VERBS = frozenset(
    "register book send write save upload schedule order append store submit place".split()
)
_JOINTS = {"update": "with", "search": "by", "list": "by"}
_QUOTED = re.compile(r"[\"'`]([^\"'`,;|]{1,40})[\"'`]")
_BARS = re.compile(r"\b([\w-]{1,24}(?:\s?\|\s?[\w-]{1,24}){1,11})\b")
_SEPARATOR = r"(?:,\s*(?:or\s+|and\s+)?|\bor\b\s*|\band\b\s*|/\s*)"
_VALUE = r"[\"'`]?[\w-]{1,24}[\"'`]?"
_ONE_OF = re.compile(
    r"\b(?:one of|either|must be|can be|may be|(?:allowed |valid |possible )?values(?: are)?|options(?: are)?)\b\s*:?\s*"
    rf"((?:{_VALUE}\s*{_SEPARATOR}){{1,11}}{_VALUE})",
    re.IGNORECASE,
)
_PARTS = re.compile(r"[\w-]+")
_NO_VALUES = frozenset("or and a an the of to in is be".split())


def describe_tool(tool: SourceTool, meaning: Meaning) -> str:
    """What a tool does, in one or two sentences made of its name, parameters and result."""
    noun = meaning.noun or "record"
    first = _opening_words(tool, meaning, noun)
    if meaning.status:
        first = f"Sets the status of {with_article(noun)} to {meaning.status}"
    given = [each for each in tool.parameters if each.required]
    more = [name_in_words(each.name) for each in given if each.name != meaning.key]
    if meaning.key and meaning.kind != "create":
        first += f" by its {name_in_words(meaning.key)}"
    if more:
        first += f" {_JOINTS.get(meaning.kind, 'from')} {join_words(more)}"
    # That something is gone when it is deleted needs no saying.
    returned = [] if meaning.kind == "delete" else result_fields(tool)
    return f"{first}." + (
        f" Returns {join_words([name_in_words(name) for name in returned[:5]])}." if returned else ""
    )


def _opening_words(tool: SourceTool, meaning: Meaning, noun: str) -> str:
    """How the first sentence begins: by the operation, else by the name's own words."""
    words = name_words(tool.name)
    if meaning.kind == "create" and words[:1] and words[0] in _OWN_VERBS:
        return f"{third_person(words[0]).capitalize()} {plural_noun(noun) if meaning.many else with_article(noun)}"
    opening = _OPENINGS.get(meaning.kind, "")
    if opening:
        return opening.format(noun=noun, nouns=plural_noun(noun), a_noun=with_article(noun))
    return (" ".join(words) or "do this").capitalize()


def third_person(verb: str) -> str:
    """A verb as it stands after "it": orders, pushes, applies."""
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "x", "sh", "ch", "o")) else f"{verb}s"


def join_words(words: Sequence[str]) -> str:
    """The words as a list with `and` before the last."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def result_fields(tool: SourceTool) -> list[str]:
    """The names of the fields of a result, of its items where it is a list."""
    schema: object = tool.result or {}
    for _ in range(3):
        if not isinstance(schema, Mapping):
            return []
        fields = schema.get("properties")
        if isinstance(fields, Mapping) and fields:
            only = next(iter(fields.values()))
            if len(fields) == 1 and json_type(only) in ("array", "object"):
                schema = only
                continue
            return list(fields)
        schema = schema.get("items")
    return []


def difference_text(tool: SourceTool, other: SourceTool, meanings: Mapping[str, Meaning]) -> str:
    """A sentence that tells a tool from one that is described alike; empty where the documents show no difference.

    It never leads to a tool that can do more harm.
    """
    mine, theirs = meanings[tool.name], meanings[other.name]
    if tool_danger(other, theirs) > tool_danger(tool, mine):
        return ""
    things = mine.kind in _OPENINGS and theirs.kind in _OPENINGS
    own = [name for name in _parameter_names(tool) if name not in _parameter_names(other)]
    lacking = [name for name in _parameter_names(other) if name not in _parameter_names(tool)]
    if things and mine.noun != theirs.noun and mine.noun and theirs.noun:
        return f"This is about {plural_noun(mine.noun)}; for {plural_noun(theirs.noun)} use {other.name}."
    if own:
        return f"Takes {join_words([name_in_words(name) for name in own[:3]])}, which {other.name} does not."
    if lacking:
        return f"Takes no {join_words([name_in_words(name) for name in lacking[:3]])}; with that use {other.name}."
    fields, others = result_fields(tool), result_fields(other)
    fresh = [name for name in fields if name not in others]
    if fresh:
        return (
            f"Returns {join_words([name_in_words(name) for name in fresh[:3]])}, which {other.name} does not."
        )
    if mine.kind != theirs.kind and mine.kind in _OPENINGS:
        return f"This one {_OPENINGS[mine.kind].lower().split(' ')[0]}; {other.name} does not."
    words = _distinguishing_words(tool, other)
    return f"Unlike {other.name}: {', '.join(words)}." if words else ""


def _distinguishing_words(tool: SourceTool, other: SourceTool) -> list[str]:
    """The first few words of a description that the other one does not have."""
    theirs = telling_stems(other.description)
    said = [word for word in _PARTS.findall(tool.description.lower()) if word.isalpha() and len(word) > 2]
    own = [word for word in said if telling_stems(word) and not telling_stems(word) & theirs]
    return list(dict.fromkeys(own))[:3]


def _parameter_names(tool: SourceTool) -> list[str]:
    return [each.name for each in tool.parameters]


def parameter_text(parameter: Parameter, meaning: Meaning) -> str:
    """What a parameter means, in a few words made of its name."""
    words = name_in_words(parameter.name)
    noun = meaning.noun or "record"
    if parameter.name == meaning.key and meaning.kind != "create":
        own = name_words(parameter.name)
        thing = " ".join(own[:-1])
        return (
            f"Which {thing} is meant, by its {own[-1]}."
            if thing
            else f"The {words} of the {noun} that is meant."
        )
    if parameter.type == "boolean":
        return f"Whether {words} is wanted."
    if parameter.type in ("integer", "number"):
        return f"The {words}, as a number."
    if parameter.type == "array":
        return f"The {words}, as a list."
    if meaning.changes:
        return f"The {words} of the {noun}."
    if meaning.kind in ("list", "search"):
        return f"The {words} to look for."
    return f"The {words}: say what it is, in which form, with an example."


def values_in_prose(text: str) -> tuple[str, ...]:
    """The values that a description lists instead of an enum: "one of asc or desc", "'a', 'b'", "x|y"."""
    quoted = _QUOTED.findall(text)
    if len(quoted) >= 2 and re.search(r"\b(one of|either|or|must be|can be|values?|options?)\b", text, re.I):
        return tuple(dict.fromkeys(quoted))
    for pattern in (_BARS, _ONE_OF):
        found = pattern.search(text)
        if found:
            parts = [part for part in _PARTS.findall(found[1]) if part.lower() not in _NO_VALUES]
            if len(dict.fromkeys(parts)) >= 2:
                return tuple(dict.fromkeys(parts))
    return ()


def guessed_type(parameter: Parameter) -> str:
    """The JSON type that a parameter's name and text suggest."""
    words = name_words(parameter.name)
    text = (parameter.description or "").lower()
    first = words[0] if words else ""
    if first in ("is", "has", "include", "enable", "use") or text.startswith(("whether", "if true")):
        return "boolean"
    last = words[-1] if words else ""
    if last in ("count", "limit", "page", "size", "offset", "year", "days", "width", "n"):
        return "integer"
    if last in ("ids", "tags", "items", "list", "data", "values", "weights") or "list of" in text:
        return "array"
    if last in ("amount", "price", "rate", "latitude", "longitude", "weight"):
        return "number"
    return "string"
