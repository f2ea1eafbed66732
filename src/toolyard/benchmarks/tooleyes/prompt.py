"""The prompts: our own wording, the official system prompts as they are, or native tool calling."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from toolyard.benchmarks.tooleyes.documents import documents_of
from toolyard.benchmarks.tooleyes.sample import ToolEyesSample
from toolyard.core.declared_world import DECLARATION
from toolyard.core.types import Message, Options, Record
from toolyard.text.templates import render

EXAMPLE, ZERO_SHOT, NATIVE = "example", "zero-shot", "native"
STYLES = (EXAMPLE, ZERO_SHOT, "five-shot", "verbatim", "verbatim-five-shot", NATIVE)
FOLDER = Path(__file__).parent / "templates"
TEMPLATES = {file.stem: file.read_text(encoding="utf-8") for file in sorted(FOLDER.glob("*.txt"))}
# What our own prompts declare; those of the papers are as they are.
_WORLD = {"world": DECLARATION}
_VERBATIM = {"verbatim": ZERO_SHOT, "verbatim-five-shot": "five-shot"}


def templates_of(options: Options) -> Mapping[str, str]:
    """The shipped texts with the user's own instead of some."""
    return {**TEMPLATES, **options.templates}


def prompt(sample: ToolEyesSample, options: Options) -> tuple[Message, ...]:
    """What the model sees before its first round; queries of our own have no verbatim prompt and get ours."""
    query = str(sample.input["query"])
    official = sample.input.get("system", {}).get(_VERBATIM.get(options.style, ""))
    if official is not None:
        return (Message("system", official), Message("user", query))
    texts = templates_of(options)
    if options.style == NATIVE:
        return (Message("system", render(texts["native"], _WORLD).strip()), Message("user", query))
    shown = EXAMPLE if options.style == EXAMPLE else "examples" if options.style.endswith("five-shot") else ""
    examples = render(texts[shown], {}).strip() if shown else ""
    fields = {
        "tools": "\n".join(json.dumps(document, ensure_ascii=False) for document in documents_of(sample)),
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
