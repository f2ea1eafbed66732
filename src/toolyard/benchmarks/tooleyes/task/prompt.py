"""The prompts: our own wording, the official system prompts as they are, or native tool calling."""

from collections.abc import Mapping
from pathlib import Path

from toolyard.benchmarks.tooleyes.data.documents import documents_of
from toolyard.benchmarks.tooleyes.data.sample import ToolEyesSample
from toolyard.core.declared_world import DECLARATION
from toolyard.core.episodes import MCP
from toolyard.core.programs import CODE
from toolyard.core.tool_search import SEARCH
from toolyard.core.types import Message, Options, Record
from toolyard.core.variations import read_templates
from toolyard.text.json_values import json_per_line
from toolyard.text.templates import render
from toolyard.text.tool_calling import python_names, python_stub

EXAMPLE, ZERO_SHOT, NATIVE = "example", "zero-shot", "native"
PARALLEL = "native-parallel"
# Styles whose calls are native: the tools stand beside the prompt.
BESIDE = (NATIVE, PARALLEL, SEARCH, MCP)
STYLES = (EXAMPLE, ZERO_SHOT, "five-shot", "verbatim", "verbatim-five-shot", *BESIDE, CODE)
# Whose documents are ours to change: those of the official prompts are part of their text.
EXECUTED = (EXAMPLE, ZERO_SHOT, "five-shot", *(way for way in BESIDE if way != MCP), CODE)
FOLDER = Path(__file__).parents[1] / "templates"
TEMPLATES = {file.stem: file.read_text(encoding="utf-8") for file in sorted(FOLDER.glob("*.txt"))}
WAYS = read_templates(FOLDER / "ways")
# What our own prompts declare; those of the papers are as they are.
_WORLD = {"world": DECLARATION}
_VERBATIM = {"verbatim": ZERO_SHOT, "verbatim-five-shot": "five-shot"}


def effective_templates(options: Options) -> Mapping[str, str]:
    """The shipped texts with the user's own instead of some."""
    return {**TEMPLATES, **WAYS, **options.templates}


def prompt(sample: ToolEyesSample, options: Options) -> tuple[Message, ...]:
    """What the model sees before its first round; queries of our own have no verbatim prompt and get ours."""
    query = str(sample.input["query"])
    official = sample.input.get("system", {}).get(_VERBATIM.get(options.style, ""))
    if official is not None:
        return (Message("system", official), Message("user", query))
    texts = effective_templates(options)
    if options.style in BESIDE or options.style == CODE:
        functions = [python_stub(name, document) for name, document in python_documents(sample).items()]
        fields = {"functions": "\n\n".join(functions), **_WORLD} if options.style == CODE else _WORLD
        text = texts[NATIVE if options.style == MCP else options.style]
        return (Message("system", render(text, fields).strip()), Message("user", query))
    shown = EXAMPLE if options.style == EXAMPLE else "examples" if options.style.endswith("five-shot") else ""
    examples = render(texts[shown], {}).strip() if shown else ""
    fields = {
        "tools": json_per_line(documents_of(sample)),
        "examples": f"{examples}\n\n" if examples else "",
        **_WORLD,
    }
    return (Message("system", render(texts["system"], fields).strip()), Message("user", query))


def missing_prompt(sample: ToolEyesSample, options: Options) -> str:
    """The official file that a style needs and the data lack; empty where nothing is missing."""
    wanted = _VERBATIM.get(options.style)
    if wanted is None or "official_id" not in sample.input or wanted in sample.input.get("system", {}):
        return ""
    return f"scenario_data_{wanted.split('-')[0]}_processed.json"


def function_schemas(sample: ToolEyesSample) -> tuple[Record, ...]:
    """The documents as an endpoint's `tools` wants them."""
    return tuple({"type": "function", "function": dict(document)} for document in documents_of(sample))


def python_documents(sample: ToolEyesSample) -> dict[str, Record]:
    """The documents by the name that a program calls each tool by."""
    documents = documents_of(sample)
    return dict(zip(python_names([str(each["name"]) for each in documents]), documents, strict=True))
