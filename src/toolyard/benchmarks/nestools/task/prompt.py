"""Prompts under the paper's output contract (appendix B.2), in our own words."""

import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path

import orjson

from toolyard.benchmarks.nestools.data.rows import offered_tools
from toolyard.benchmarks.nestools.data.sample import NestoolsSample
from toolyard.benchmarks.nestools.task.conjunctions import without_conjunctions
from toolyard.benchmarks.nestools.task.official_prompt import AFTER, BEFORE, BETWEEN
from toolyard.core.benchmark import Choice, SeenResults
from toolyard.core.cache_by_object import PerObject
from toolyard.core.episodes import MCP
from toolyard.core.errors import UsageError
from toolyard.core.perturbations import Perturbation, sample_perturbation
from toolyard.core.programs import CODE
from toolyard.core.tool_search import SEARCH
from toolyard.core.types import JsonValue, Message, Options, Record, derived_seed
from toolyard.core.variations import read_templates
from toolyard.text.documents import from_nestools, to_openai
from toolyard.text.json_values import mapping
from toolyard.text.templates import render
from toolyard.text.tool_calling import python_names, python_stub

BASE, NO_TYPES, NO_CONJUNCTIONS = "base", "no-types", "no-conjunctions"
VARIANT = Choice(
    "variant",
    "the paper's robustness settings: return values without types, or the query without linking words (section 5.4)",
    BASE,
    (BASE, NO_TYPES, NO_CONJUNCTIONS),
    word="robustness",
)
FOLDER = Path(__file__).parents[1] / "templates"
TEMPLATES = {
    name: (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    for name in ("default", "example", "native", "rewrite")
}
NATIVE, VERBATIM = "native", "verbatim"
PARALLEL = "native-parallel"
# Styles whose tools stand beside the prompt.
BESIDE = (NATIVE, PARALLEL, SEARCH, MCP)
WAYS = read_templates(FOLDER / "ways")
STYLES = ("default", "example", VERBATIM, *BESIDE, CODE)


def prompt(sample: NestoolsSample, options: Options) -> tuple[Message, ...]:
    """One user message: instruction, tools in a shuffled order, query."""
    variant = wanted_variant(options)
    if options.style in BESIDE or options.style == CODE:
        fields = {"query": _query_of_variant(sample, variant)}
        if options.style == CODE:
            fields["functions"] = "\n\n".join(
                tool_stubs(prompt_tools(sample, options), sample_perturbation(sample)).values()
            )
        text = {**TEMPLATES, **WAYS, **options.templates}[NATIVE if options.style == MCP else options.style]
        return (Message("user", render(text, fields)),)
    if options.style == VERBATIM:
        before, between, after = (options.templates[name] for name in (BEFORE, BETWEEN, AFTER))
        # The release writes the list of tools as Python does.
        text = f"{before}{prompt_tools(sample, options)}{between}{_query_of_variant(sample, variant)}{after}"
        return (Message("user", text),)
    template = options.templates.get("default", TEMPLATES["default"])
    example = options.templates.get("example", TEMPLATES["example"]) if options.style == "example" else ""
    fields = {
        "example": f"\n{example}" if example else "",
        "tools": f"[{', '.join(map(_written, prompt_tools(sample, options)))}]",
        "query": _query_of_variant(sample, variant),
    }
    return (Message("user", render(template, fields)),)


# Distractors come back in many prompts, read from many rows, and all tools in every trial.
_texts: dict[bytes, str] = {}
MOST_TEXTS = 8192


def _write_tool(tool: JsonValue) -> str:
    """The tool as the released prompts write it; known by what orjson writes of it, which takes a tenth of the time."""
    try:
        key = orjson.dumps(tool)
    except TypeError:
        return json.dumps(tool, ensure_ascii=False)
    # What is written as null may have been no number.
    if b"null" in key:
        return json.dumps(tool, ensure_ascii=False)
    text = _texts.get(key)
    if text is None:
        if len(_texts) >= MOST_TEXTS:
            _texts.clear()
        text = _texts[key] = json.dumps(tool, ensure_ascii=False)
    return text


# Records share the very objects of their distractors.
_written: PerObject[JsonValue, str] = PerObject(_write_tool)


def tool_stubs(tools: Sequence[Record], perturbation: Perturbation | None = None) -> dict[str, str]:
    """The tools as Python functions, by their names."""
    names = python_names([tool["api_name"] for tool in tools])
    return {
        name: python_stub(name, tool_function(tool, name, perturbation))
        for name, tool in zip(names, tools, strict=True)
    }


def tool_function(tool: Record, name: str, perturbation: Perturbation | None = None) -> Record:
    """The tool's document as an endpoint's function, with what it returns in its description."""
    function: Record = mapping(to_openai(from_nestools(tool), wrapped=True)["function"])
    returned = ", ".join(f"{key} ({_entry_description(entry)})" for key, entry in tool["responses"].items())
    if perturbation is not None:
        function = perturbation.document({**function, "name": tool["api_name"]})
    described = function.get("description")
    return {
        **function,
        "name": name,
        "description": f"{described or ''} Returns {returned}." if returned else described,
    }


def _returned_fields(sample: NestoolsSample) -> dict[str, list[str]]:
    return {tool["api_name"]: list(tool["responses"]) for tool in offered_tools(sample)}


# The way through the server is a check of the protocol: its results come as the server gives them.
EXECUTED = tuple(style for style in (*BESIDE, CODE) if style != MCP)
RESULTS = SeenResults(EXECUTED, _returned_fields, entries=True)


def _entry_description(entry: JsonValue) -> str:
    return str(entry.get("description") or "") if isinstance(entry, Mapping) else str(entry)


def wanted_variant(options: Options) -> str:
    """The robustness variant that the options ask for."""
    variant = options.values.get(VARIANT.name, VARIANT.default)
    if variant not in VARIANT.choices:
        raise UsageError(f"--{VARIANT.flag} {variant} does not exist; choose {', '.join(VARIANT.choices)}")
    return variant


def prompt_tools(sample: NestoolsSample, options: Options) -> Sequence[Record]:
    """The offered tools in the order of the prompt, which depends on seed and sample only."""
    tools = offered_tools(sample)
    random.Random(derived_seed(options.seed, sample.id, 0)).shuffle(tools)
    return [_without_types(tool) for tool in tools] if wanted_variant(options) == NO_TYPES else tools


def _without_types(tool: Record) -> Record:
    responses = {
        name: {key: value for key, value in entry.items() if key != "type"}
        for name, entry in tool["responses"].items()
    }
    return {**tool, "responses": responses}


def _query_of_variant(sample: NestoolsSample, variant: str) -> str:
    query: str = sample.input["query"]
    if variant != NO_CONJUNCTIONS:
        return query
    # A model's rewriting, checked by accept_rewrite, takes the place of the rule where there is one.
    return str(sample.input.get("rewritten_query", "")) or without_conjunctions(query)
