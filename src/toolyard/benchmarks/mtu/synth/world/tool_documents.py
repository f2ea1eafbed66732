"""The world's tools as MTU-Bench shows them: short names, documents in the paper's form, observations, distractors.

    {"name": "current_weather", "description": "...", "required_parameters": [{"name": "q", "type": "string", ...}],
     "optional_parameters": [], "result_parameters": [{"name": "city", "type": "string", ...}]}

Results of the world are nested and long. What a document promises, and what an observation shows, is the short
list of fields that all data sets share (`synth.projection`) and a few more that tell a person something.

Two tools are alike where their names or nouns say the same thing, where one takes what the other takes and returns
most of what the other returns, or where both take the same kind of record (a recipe id, an IP address) and return
something in common. Search engines, chat robots and interpreters can be bent to any job and are never listed.

A look-alike shares more words with a turn than the tool it wants: whoever chooses by shared words takes it. None shares a
word with a turn without a call. Dialogues of the hard set have long lists: what is nearest in subject and words.
"""

import functools
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from toolyard.core.types import JsonValue, Record
from toolyard.synth.chains.plausibility import WIDE
from toolyard.synth.chains.projection import Field, is_empty, output_fields, value_at_path
from toolyard.synth.chains.rivals import rivals
from toolyard.text import documents
from toolyard.text.documents.dialect_parts import ABSENT
from toolyard.text.documents.nestools import PYTHON_NAMES
from toolyard.text.names import name_in_words
from toolyard.text.word_overlap import overlap_scores, telling_stems
from toolyard.world.kernel.categories import are_related_categories
from toolyard.world.kernel.document import Parameter
from toolyard.world.kernel.graph import consumed_meanings, produced_meanings
from toolyard.world.kernel.naming import SPELLING
from toolyard.world.kernel.phrase import phrases, speakable
from toolyard.world.kernel.registry import library
from toolyard.world.kernel.schema import Schema

NONSENSE = ("aaa", "bbb", "ddd", "eee", "hhh", "kkk", "mmm", "ppp", "qqq", "sss", "ttt", "vvv", "www", "zzz")
MOST_SHOWN = 9
MOST_ADDED = 4
MOST_OPTIONAL = 8
_LONGEST_ADDED = 200
_ISO_DATE = re.compile(r"^\^\(\?:\\d\{4\}-")
_JSON_TYPES = {python: name for name, python in PYTHON_NAMES.items()}
_PAGING = frozenset({"total", "offset", "count", "quantity", "limit", "page", "time", "width", "height"})


@functools.cache
def names() -> Mapping[str, str]:
    """Tool id -> its name: the last part where that says enough and is the only one, else with its group."""
    last = {tool.id: _snake_case_name(tool.name) for tool in speakable().values()}
    often = Counter(last.values())
    found = {}
    for tool_id, name in last.items():
        group = tool_id.split("/")[1].lower().removeprefix("api_")
        says_enough = often[name] == 1 and "_" in name
        whole = name if says_enough or name.startswith(group) else f"{group}_{name}"
        found[tool_id] = library()[tool_id].facts.called_as or whole
    return found


def _snake_case_name(name: str) -> str:
    plain = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
    for wrong, right in SPELLING.items():
        plain = plain.replace(wrong, right.replace(" ", ""))
    return plain


def choose_names(tools: Sequence[str], rng: Random, *, nonsense: bool) -> dict[str, str]:
    """What the tools are called; where `nonsense`, one of them by a name that means nothing."""
    found = {tool: names()[tool] for tool in tools}
    word = rng.choice(NONSENSE) if nonsense else ""
    if word and tools:
        found[rng.choice(list(tools))] = word
    return found


def tool_list(
    used: Iterable[str],
    given: Mapping[str, Collection[str]],
    called: Mapping[str, str],
    beside: Iterable[str],
    rng: Random,
) -> list[dict[str, object]]:
    """The documents of the tools that are used, with the parameters that they are given, and of others, shuffled."""
    found = [document(tool, called[tool], used=frozenset(given[tool])) for tool in used]
    found += [document(tool, names()[tool]) for tool in beside]
    rng.shuffle(found)
    return found


def document(tool_id: str, name: str, *, used: frozenset[str] = frozenset()) -> dict[str, Any]:
    """The tool's document under a name; optional parameters beyond the first few only where they are used."""
    known = library()[tool_id].document
    optional = [item for item in known.parameters if not item.required]
    kept = {item.name for item in optional[:MOST_OPTIONAL]} | used
    parameters = tuple(_to_parameter(item) for item in known.parameters if item.required or item.name in kept)
    returns = tuple(
        documents.Parameter(item.name, _JSON_TYPES.get(item.type, "string"), item.description)
        for item in shown_fields(tool_id)
    )
    return documents.to_mtu(documents.ToolDocument(name, known.description, parameters, returns))


def _to_parameter(item: Parameter) -> documents.Parameter:
    schema = item.schema
    kinds = [schema.get("type"), *(option.get("type") for option in schema.get("anyOf", ()))]
    inner = schema.get("items")
    choices: list[JsonValue] = schema.get("enum") or (
        inner.get("enum", []) if isinstance(inner, dict) else []
    )
    return documents.Parameter(
        name=item.name,
        type=next((kind for kind in kinds if kind and kind != "null"), "string"),
        description=schema.get("description", name_in_words(item.name)),
        required=item.required,
        default=schema.get("default", ABSENT) if not item.required else ABSENT,
        choices=tuple(choices),
        format="YYYY-MM-DD" if is_day(schema) else _written_pattern(schema),
    )


def _written_pattern(schema: Schema) -> str | None:
    """How a text must be written, where the schema says so."""
    pattern = schema.get("pattern")
    return None if pattern is None else str(pattern).removeprefix("^(?:").removesuffix(")$")


def is_day(schema: Schema) -> bool:
    """Whether the schema takes a day as YYYY-MM-DD."""
    return _ISO_DATE.match(str(schema.get("pattern", ""))) is not None


def parameter_schema(tool_id: str, parameter: str) -> Schema:
    """The schema of one parameter."""
    return next(item.schema for item in library()[tool_id].document.parameters if item.name == parameter)


@functools.cache
def shown_fields(tool_id: str) -> tuple[Field, ...]:
    """The shared fields of the tool, then a few shallow ones with a unit or a text, if there is room."""
    shared = output_fields(tool_id)
    taken = {item.name for item in shared}
    paths = {item.path for item in shared}
    added: list[Field] = []
    for path, schema in sorted(_scalar_fields(library()[tool_id].document.result), key=_field_rank):
        name = path.rsplit(".", 1)[-1].replace("[0]", "")
        tells = "x-unit" in schema or (schema.get("type") == "string" and "enum" not in schema)
        if path in paths or name in taken or name in _PAGING or not tells:
            continue
        unit = f", in {schema['x-unit']}" if "x-unit" in schema else ""
        described = str(schema.get("description") or name_in_words(name).capitalize()) + unit
        added.append(Field(name, schema["type"], described, path, (schema.get("x-semantic", "text"),)))
        taken.add(name)
    room = max(0, min(MOST_ADDED, MOST_SHOWN - len(shared)))
    return (*shared, *added[:room])


def _field_rank(leaf: tuple[str, Schema]) -> tuple[bool, int]:
    path, schema = leaf
    return schema.get("x-unit", "degree") == "degree", path.count(".") + path.count("[0]")


def _scalar_fields(schema: Schema, path: str = "") -> Iterator[tuple[str, Schema]]:
    """Every scalar below a record, lists of records by their first entry."""
    if schema.get("type") in ("string", "integer", "number") and path and not path.endswith("[0]"):
        yield path, schema
    for name, part in schema.get("properties", {}).items():
        if not set(name) & set(".[]"):
            yield from _scalar_fields(part, f"{path}.{name}" if path else name)
    if isinstance(schema.get("items"), dict) and path.count("[0]") < 1:
        yield from _scalar_fields(schema["items"], f"{path}[0]")


def observed_result(tool_id: str, output: JsonValue) -> dict[str, JsonValue]:
    """What an observation shows of a result; added texts that are long are left out, so that none is cut."""
    shared = {item.name for item in output_fields(tool_id)}
    found = {item.name: value_at_path(output, item.path) for item in shown_fields(tool_id)}
    return {
        name: value
        for name, value in found.items()
        if not is_empty(value) and (name in shared or len(str(value)) <= _LONGEST_ADDED)
    }


def field_unit(tool_id: str, name: str) -> str:
    """The unit of a shown field, empty where it has none."""
    path = next(item.path for item in shown_fields(tool_id) if item.name == name)
    found = dict(_scalar_fields(library()[tool_id].document.result))
    return str(found.get(path, {}).get("x-unit", ""))


def is_of_first_entry(tool_id: str, name: str) -> bool:
    """Whether a shown field belongs to the first entry of a list."""
    return any(item.name == name and item.of_first for item in shown_fields(tool_id))


FEWEST, MOST = 2, 6
_WORD = re.compile(r"[a-z]{3,}")
_SAID_ALIKE = 0.5
_DESCRIBED_ALIKE = 0.34
_GIVEN_ALIKE = 0.5
_NEAR = 0.6
# Words that say nothing about what a tool is for.
_EMPTY = frozenset(
    {
        *("all", "and", "are", "data", "details", "each", "find", "for", "found", "from", "get", "given"),
        *("has", "have", "how", "information", "into", "its", "list", "many", "one", "only", "out", "per"),
        *("record", "records", "results", "search", "show", "some", "that", "the", "this", "what", "which"),
        "with",
    }
)


@functools.cache
def are_alike(one: str, other: str) -> bool:
    """Whether `other` might pass for `one`, by what the list says of both; `rivals` goes by what tools can do."""
    if one == other:
        return True
    (name, noun, described), (others_name, others_noun, others_described) = _said_of(one), _said_of(other)
    said = max(_word_overlap(name, others_name), _word_overlap(noun, others_noun))
    if said >= _SAID_ALIKE or _word_overlap(described, others_described) >= _DESCRIBED_ALIKE:
        return True
    takes, others_take = _taken_meanings(one), _taken_meanings(other)
    gives = _given_meanings(one) - takes
    shared = gives & _given_meanings(other)
    if shared and takes & others_take - WIDE.keys():
        return True
    same_input = bool(takes & others_take) or not others_take
    return same_input and bool(gives) and len(shared) >= _GIVEN_ALIKE * len(gives)


@functools.cache
def _said_of(tool_id: str) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """The words of a tool's name, of what it returns and of its description."""
    noun = phrases()[tool_id].noun
    described = f"{library()[tool_id].document.description} {noun}"
    return _words(names()[tool_id]), _words(noun), _words(described)


@functools.cache
def _tools_alike(wanted: str) -> frozenset[str]:
    """The tools that might pass for the wanted one."""
    return frozenset(tool for tool in speakable() if are_alike(wanted, tool))


def _words(text: str) -> frozenset[str]:
    return frozenset(word.removesuffix("s")[:6] for word in _WORD.findall(text.lower())) - _EMPTY


def _word_overlap(one: frozenset[str], other: frozenset[str]) -> float:
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared) if shared else 0.0


@functools.cache
def _taken_meanings(tool_id: str) -> frozenset[str]:
    return frozenset(meaning for _, meaning in consumed_meanings(library()[tool_id]))


@functools.cache
def _given_meanings(tool_id: str) -> frozenset[str]:
    return frozenset(produced_meanings(library()[tool_id]))


def _category_distance(wanted: Iterable[str]) -> Callable[[str], int]:
    """How far a tool is from the wanted ones: 0 in one of their categories, 1 in a related one, 2 elsewhere."""
    categories = {library()[each].category for each in wanted}

    @functools.cache
    def distance(category: str) -> int:
        if category in categories:
            return 0
        return 1 if any(are_related_categories(category, each) for each in categories) else 2

    return lambda tool: distance(library()[tool].category)


def choose_distractors(used: Sequence[str], removed: Iterable[str], rng: Random) -> list[str]:
    """Some tools near those used or removed, most of them of the same categories; none that is like one of them."""
    wanted = [*used, *removed]
    unfit = frozenset[str]().union(*map(_tools_alike, wanted))
    fitting = [tool_id for tool_id in _special() if tool_id not in unfit]
    far = _category_distance(wanted)
    near, around = ([each for each in fitting if far(each) == distance] for distance in (0, 1))
    count = rng.randint(FEWEST, MOST)
    close = min(len(near), round(count * _NEAR))
    chosen = rng.sample(near, close)
    chosen += rng.sample(around, min(len(around), count - close))
    rest = [each for each in fitting if each not in chosen]
    return chosen + rng.sample(rest, max(0, FEWEST - len(chosen)))


MOST_LOOK_ALIKES = 2
_TRIED = 30
# Half of the long lists are short, a quarter is of the middle length, and a quarter is long; the last takes all that fits.
_LENGTHS = ((50, 80), (110, 130), (50, 80), (200, 350), (50, 80), (110, 130), (50, 80), (400, 568))


def find_look_alikes(turns: Sequence[Record], listed: Sequence[str]) -> list[str]:
    """At most two extra tools, each similar to a turn with one call but unable to serve it."""
    used = list(dict.fromkeys(tool for turn in turns for tool in called_tools(turn)))
    unserved = frozenset[str]().union(
        *(telling_stems(turn["user"]) for turn in turns if not called_tools(turn))
    )
    chosen: list[str] = []
    for turn in turns:
        called = called_tools(turn)
        shown = [*listed, *chosen]
        if (
            len(chosen) == MOST_LOOK_ALIKES
            or len(called) != 1
            or not _shares_most_words(called[0], turn["user"], shown)
        ):
            continue
        fitting = (
            tool
            for tool in _nearest_tools(turn["user"], called[0])
            if tool not in shown
            and not _telling_words(tool) & unserved
            and not any(are_alike(each, tool) or are_alike(tool, each) or rivals(each, tool) for each in used)
        )
        found = (tool for tool in fitting if not _shares_most_words(called[0], turn["user"], [*shown, tool]))
        chosen += [tool for tool in [next(found, None)] if tool is not None]
    return chosen


def list_length(number: int, rng: Random) -> int:
    """How many tools the list of a hard dialogue has."""
    return rng.randint(*_LENGTHS[number % len(_LENGTHS)])


def nearest_distractors(
    used: Sequence[str], lacking: Iterable[str], said: str, length: int, rng: Random
) -> list[str]:
    """That many distractor tools, the nearest first; none that could replace a used or a lacking tool."""
    wanted = [*used, *lacking]
    fitting = [
        tool for tool in _special() if tool not in wanted and not any(rivals(each, tool) for each in wanted)
    ]
    stems = telling_stems(said)
    far = _category_distance(wanted)

    def distance(tool: str) -> tuple[int, float]:
        return far(tool) - min(2, len(stems & _telling_words(tool))), rng.random()

    return sorted(fitting, key=distance)[: max(0, length - len(used))]


def called_tools(turn: Record) -> list[str]:
    """The tools that a turn calls, one after the other."""
    return [tool for entry in turn.get("calls", ()) for tool in entry]


def _shares_most_words(tool: str, text: str, shown: Sequence[str]) -> bool:
    """Whether no other tool that is shown shares more words with the text."""
    shared = overlap_scores(text, [_tool_text(each) for each in shown])
    best = max(shared)
    return best >= 1 and shared[shown.index(tool)] == best


def _nearest_tools(text: str, wanted: str) -> list[str]:
    """Tools that share words with a text, those of the wanted one's category first."""
    said = telling_stems(text)
    shared = {tool: len(said & _telling_words(tool)) for tool in _special()}
    most = sorted((tool for tool in shared if shared[tool]), key=lambda tool: (-shared[tool], tool))[:_TRIED]
    return sorted(most, key=lambda tool: library()[tool].category != library()[wanted].category)


@functools.cache
def _special() -> tuple[str, ...]:
    """The tools that can be listed and cannot be bent to any job."""
    return tuple(tool for tool in names() if tool in speakable() and not library()[tool].general)


@functools.cache
def _telling_words(tool: str) -> frozenset[str]:
    return telling_stems(_tool_text(tool))


@functools.cache
def _tool_text(tool: str) -> str:
    return f"{names()[tool]} {library()[tool].document.description}"
