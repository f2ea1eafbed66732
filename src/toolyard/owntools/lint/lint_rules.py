"""The rules of a review; each yields its findings on one tool or on all."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any

from toolyard.core.types import JsonValue, Record
from toolyard.owntools.document_wording import (
    describe_tool,
    difference_text,
    guessed_type,
    parameter_text,
    values_in_prose,
)
from toolyard.owntools.lint.likeness import Likeness, tool_likeness
from toolyard.owntools.lint.lint_findings import LintFinding, ToolReview, make_finding, sort_findings
from toolyard.owntools.sources.tool_source import SourceTool, ToolSource
from toolyard.owntools.tool_meaning import Meaning, plural_noun, tool_meanings
from toolyard.text.documents import Parameter
from toolyard.text.names import name_in_words, name_words
from toolyard.text.word_overlap import telling_stems
from toolyard.world.kernel.document import CREDENTIALS

LARGEST_SCHEMA = 6_000
MOST_PARAMETERS = 20
DEEPEST = 4
LONGEST_DESCRIPTION = 2_000
_EMPTY_WORDS = frozenset(
    "do run process handle execute data tool function item thing stuff action operation perform call api request main "
    "misc general common helper util utils go test".split()
)
_SECRET = re.compile(
    r"(^|_)(api_?key|secret|password|passwd|access_?token|auth_?token|bearer|credentials?)($|_)", re.I
)
# Opens a sentence that only the author of the tools can write.
TO_FILL_IN = "[Say when"
_BARE_KEYS = frozenset({"key", "token", "appid", "login_email", "login_password"})


def review_documents(source: ToolSource, embedder: str = "minilm") -> ToolReview:
    """Everything that the rules find, the worst first."""
    meanings = tool_meanings(source.tools)
    likeness = tool_likeness(source.tools, embedder)
    return ToolReview(
        source, sort_findings(_all_findings(source, meanings, likeness), source.tools), likeness
    )


def _all_findings(
    source: ToolSource, meanings: Mapping[str, Meaning], likeness: Likeness
) -> Iterator[LintFinding]:
    for tool in source.tools:
        meaning = meanings[tool.name]
        yield from _check_document(tool)
        yield from _check_name(tool)
        yield from _check_description(tool, meaning)
        for parameter in tool.parameters:
            yield from _check_parameter(tool, parameter, meaning)
        yield from _check_size(tool)
        if tool.result is None:
            yield make_finding(
                "no_result_shape", tool, "a model cannot know what it may use of the result in a next call",
                "declare an output schema: " + _result_proposal(meaning),
            )  # fmt: skip
    yield from _find_collisions(source.tools)
    yield from _find_duplicates(source, meanings, likeness)


def _check_document(tool: SourceTool) -> Iterator[LintFinding]:
    for fault in tool.faults:
        yield make_finding(
            "broken_document", tool, fault, "mend the schema; what is shown here is what could be read"
        )


def _check_name(tool: SourceTool) -> Iterator[LintFinding]:
    if tool.called != tool.name:
        reason = f"{tool.called[:80]!r} is not a name for a function at the usual endpoints; it is offered as {tool.name}"
        yield make_finding("foreign_name", tool, reason, tool.name)
    words = name_words(tool.name)
    if not words or all(word in _EMPTY_WORDS or len(word) < 2 for word in words):
        yield make_finding(
            "vague_name", tool, f"{tool.name!r} says nothing about what is done", "verb_noun, e.g. find_order"
        )


def _check_description(tool: SourceTool, meaning: Meaning) -> Iterator[LintFinding]:
    proposal = describe_tool(tool, meaning)
    if not tool.description:
        yield make_finding("missing_description", tool, "a model has only the name to go by", proposal)
        return
    known = telling_stems(tool.name)
    stated = telling_stems(tool.description) - telling_stems(" ".join(_EMPTY_WORDS))
    if stated <= known and tool.parameters:
        reason = "adds nothing to the name" if stated else "says nothing"
        says_more = bool(telling_stems(proposal) - known - stated)
        yield make_finding(
            "vague_description", tool, f"{tool.description!r} {reason}", proposal if says_more else ""
        )
    if len(tool.description) > LONGEST_DESCRIPTION:
        reason = f"the description has {len(tool.description):,} characters, which every request pays for"
        yield make_finding("oversized", tool, reason, f"{tool.description[:200].rsplit('. ', 1)[0]}.")
    if meaning.contradicts:
        reason = f"the name says {meaning.named}, the description {meaning.said}: {tool.description[:80]!r}"
        yield make_finding("contradiction", tool, reason, proposal)


def _check_parameter(tool: SourceTool, parameter: Parameter, meaning: Meaning) -> Iterator[LintFinding]:
    name = parameter.name
    text = parameter.description or ""
    if is_credential(parameter):
        reason = "a model should never see or invent a secret; the server can add it itself"
        yield make_finding(
            "credential", tool, reason, "take it out of the schema and set it in the server", name
        )
        return
    open_types = ("anyOf", "oneOf", "$ref", "const", "properties")
    if not parameter.type and not parameter.choices and not any(key in parameter.extra for key in open_types):
        reason = "without a type models guess between text, number and list"
        yield make_finding("untyped_parameter", tool, reason, f'"type": "{guessed_type(parameter)}"', name)
    if not text.strip() or telling_stems(text) <= telling_stems(name):
        reason = "nothing says what it means" if not text.strip() else f"{text[:60]!r} only repeats the name"
        yield make_finding("undescribed_parameter", tool, reason, parameter_text(parameter, meaning), name)
    values = () if parameter.choices or parameter.type not in ("", "string") else values_in_prose(text)
    if values:
        reason = f"{text[:100]!r} lists values that a schema can enforce"
        yield make_finding("hidden_enum", tool, reason, f'"enum": {json.dumps(list(values))}', name)


def is_credential(parameter: Parameter) -> bool:
    """Whether a parameter only says who is calling."""
    plain = "_".join(name_words(parameter.name))
    if _SECRET.search(plain):
        return True
    text = (parameter.description or "").lower()
    bare = parameter.name in CREDENTIALS or plain in _BARE_KEYS
    return bare and any(
        word in text for word in ("api", "auth", "secret", "credential", "access", "password")
    )


def _check_size(tool: SourceTool) -> Iterator[LintFinding]:
    size = len(json.dumps(tool.schema))
    depth = _depth_of_schema(tool.schema)
    if size > LARGEST_SCHEMA:
        yield make_finding("oversized", tool, f"the schema has {size:,} characters, which every request pays for",
                    "offer the common fields and leave the rest to a second tool")  # fmt: skip
    elif len(tool.parameters) > MOST_PARAMETERS:
        yield make_finding("oversized", tool, f"{len(tool.parameters)} parameters; models lose track beyond "
                    f"{MOST_PARAMETERS}", "split it, or group what belongs together")  # fmt: skip
    elif depth > DEEPEST:
        yield make_finding("oversized", tool, f"arguments nested {depth} deep; models misplace inner fields",
                    "flatten it: one level of named parameters")  # fmt: skip


def _depth_of_schema(schema: JsonValue, level: int = 0) -> int:
    if not isinstance(schema, Mapping) or level > 30:
        return level
    inner = [schema.get("items"), *_values_of_properties(schema.get("properties"))]
    return max(
        (_depth_of_schema(each, level + 1) for each in inner if isinstance(each, Mapping)), default=level
    )


def _values_of_properties(properties: JsonValue) -> list[JsonValue]:
    return list(properties.values()) if isinstance(properties, Mapping) else []


def _find_collisions(tools: Sequence[SourceTool]) -> Iterator[LintFinding]:
    alike: dict[str, list[SourceTool]] = defaultdict(list)
    for tool in tools:
        words = [word.rstrip("s") for word in name_words(tool.called) if not word.isdigit()]
        alike["".join(words)].append(tool)
    for group in alike.values():
        for tool in group[1:]:
            reason = f"{tool.called!r} and {group[0].called!r} ({group[0].place}) differ only in spelling"
            yield make_finding(
                "colliding_names", tool, reason, "name what is different, e.g. by its object or scope"
            )


def _find_duplicates(
    source: ToolSource, meanings: Mapping[str, Meaning], likeness: Likeness
) -> Iterator[LintFinding]:
    known = {tool.name: tool for tool in source.tools}
    for value, first, second in likeness.pairs(likeness.threshold)[:200]:
        for name, other in ((first, second), (second, first)):
            tool, rival = known[name], known[other]
            reason = f"{value:.0%} like {other} ({rival.place.short}) to a reader of the descriptions"
            apart = difference_text(tool, rival, meanings) or f"{TO_FILL_IN} to use this and when {other}.]"
            text = _own_text(tool, meanings[name])
            yield make_finding("near_duplicate", tool, reason, f"{text.rstrip('. ')}. {apart}".lstrip(". "))


def _own_text(tool: SourceTool, meaning: Meaning) -> str:
    """The description, or one by rule where it does not even speak of the tool's own thing."""
    own = telling_stems(meaning.noun) <= telling_stems(tool.description)
    return tool.description if own or meaning.kind == "compute" else describe_tool(tool, meaning)


def _result_proposal(meaning: Meaning) -> str:
    noun = name_in_words(meaning.noun).replace(" ", "_") or "result"
    name, kind = {
        "list": (plural_noun(noun), "array"), "search": (plural_noun(noun), "array"), "delete": ("deleted", "boolean"),
        "compute": (plural_noun(noun) if meaning.many else noun, "string"),
    }.get(meaning.kind, (f"{noun}_id", "string"))  # fmt: skip
    return f'{{"type": "object", "properties": {{"{name}": {{"type": "{kind}"}}}}}}'


DESCRIPTIONS = ("missing_description", "vague_description", "contradiction", "near_duplicate")
PARAMETER_TEXTS = ("undescribed_parameter",)
PARAMETER_SCHEMAS = ("untyped_parameter", "hidden_enum")


def applicable_findings(review: ToolReview) -> tuple[LintFinding, ...]:
    """The findings whose proposals are texts to put in, one for each place, the worst first."""
    found: dict[tuple[str, ...], LintFinding] = {}
    for each in review.findings:
        written = each.proposal and TO_FILL_IN not in each.proposal
        if written and each.rule in (*DESCRIPTIONS, *PARAMETER_TEXTS, *PARAMETER_SCHEMAS):
            place = "" if each.rule in DESCRIPTIONS else each.rule
            found.setdefault((each.tool, each.parameter, place), each)
    return tuple(found.values())


def rewritten_documents(review: ToolReview) -> list[Record]:
    """The document of every tool as a model sees it, with all applicable proposals."""
    documents: dict[str, dict[str, Any]] = {
        tool.name: {"name": tool.name, "description": tool.description, "parameters": deepcopy(tool.schema)}
        for tool in review.source.tools
    }
    for finding in applicable_findings(review):
        document = documents[finding.tool]
        if finding.rule in DESCRIPTIONS:
            document["description"] = finding.proposal
            continue
        schema = document["parameters"]["properties"][finding.parameter]
        if finding.rule in PARAMETER_TEXTS:
            schema["description"] = finding.proposal
        else:
            schema |= json.loads("{" + finding.proposal + "}")
    return list(documents.values())
