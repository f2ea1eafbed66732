"""The prompts: our own wording, the official system prompts as they are, or native tool calling."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from toolyard.benchmarks.tooleyes.documents import documents_of
from toolyard.core.errors import UsageError
from toolyard.core.templates import render
from toolyard.core.types import Json, Message, Options, Sample

STYLES = ("zero-shot", "five-shot", "verbatim", "verbatim-five-shot", "native")
FOLDER = Path(__file__).parent / "templates"
TEMPLATES = {file.stem: file.read_text(encoding="utf-8") for file in sorted(FOLDER.glob("*.txt"))}
_VERBATIM = {"verbatim": "zero-shot", "verbatim-five-shot": "five-shot"}


def templates_of(options: Options) -> Mapping[str, str]:
    """The shipped texts with the user's own instead of some."""
    return {**TEMPLATES, **options.templates}


def prompt(sample: Sample, options: Options) -> tuple[Message, ...]:
    """What the model sees before its first round."""
    query = str(sample.input["query"])
    if options.style in _VERBATIM:
        return (Message("system", _official_prompt(sample, options)), Message("user", query))
    texts = templates_of(options)
    if options.style == "native":
        return (Message("system", render(texts["native"], {}).strip()), Message("user", query))
    examples = render(texts["examples"], {}).strip() if options.style == "five-shot" else ""
    fields = {
        "tools": "\n".join(json.dumps(document, ensure_ascii=False) for document in documents_of(sample)),
        "examples": f"\n{examples}\n" if examples else "",
    }
    return (Message("system", render(texts["system"], fields).strip()), Message("user", query))


def _official_prompt(sample: Sample, options: Options) -> str:
    """The system prompt inside the official files; queries of our own, which have none, get ours."""
    texts: Mapping[str, str] = sample.input.get("system", {})
    wanted = _VERBATIM[options.style]
    if wanted in texts:
        return texts[wanted]
    if texts or "official_id" in sample.input:
        raise UsageError(
            f"--style {options.style} needs the official scenario_data_{wanted.split('-')[0]}_processed.json; "
            "give the folder that holds it, or take --style zero-shot"
        )
    raise UsageError(
        f"--style {options.style} is for the official data, which hold their prompts; take --style zero-shot"
    )


def function_schemas(sample: Sample) -> tuple[Mapping[str, Json], ...]:
    """The documents as an endpoint's `tools` wants them."""
    return tuple({"type": "function", "function": dict(document)} for document in documents_of(sample))
