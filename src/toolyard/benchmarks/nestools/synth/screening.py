"""Model text that speaks to a model instead of describing a tool or a task ends its row.

Such text is shown to other models, by later stages and by every run on the data. What is found here is what
gives itself away; the prompts also mark all foreign text as data.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from toolyard.benchmarks.nestools.synth.refusal import Refused
from toolyard.core.nesting import texts
from toolyard.core.templates import PLACE
from toolyard.core.types import Json
from toolyard.synth.stages import Context, Each, Kept, Outcome, Rejected, Row

LONGEST_TASK = 3000
LONGEST_DESCRIPTION = 600
_ADDRESSING = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass) (?:all |any |every )?(?:of )?(?:the |your |my |these |those )?"
    r"(?:previous|prior|above|earlier|preceding|system|other) (?:instruction|prompt|message|rule|text|direction|and|task)"
    r"|\b(?:ignore|disregard|forget) (?:all |any )?(?:your |the )?(?:instructions|rules|guidelines)\b"
    r"|\b(?:previous|prior|new|above|hidden|secret) instructions\b"
    r"|\b(?:system|developer) (?:prompt|message)\b"
    r"|\byou are (?:now )?(?:an? )?(?:ai|assistant|language model|large language model|chatbot)\b"
    r"|\b(?:output|print|respond|reply|answer|say|write)(?: with)? (?:only|just|nothing but|exactly)\b"
    r"|\bjailbreak\b|\bas an ai\b"
)
_MARKERS = ("```", "<|", "|>", "[inst]", "[/inst]", "<<sys>>", "<</sys>>", "### instruction", "### response")
_TAGS = re.compile(r"</?(?:field|example|tools|calls|values|task|query|system|user|assistant|think)>")
_TURN = re.compile(r"^[ \t]*(?:system|assistant|human)[ \t]*:", re.MULTILINE)
_LABEL = re.compile(r"api_call", re.IGNORECASE)


def addresses_model(text: str) -> bool:
    """Whether a text gives orders to its reader, or carries marks of a prompt."""
    plain = unicodedata.normalize("NFKC", text).lower()
    # Characters that nobody sees would split the words that are looked for.
    plain = "".join(character for character in plain if unicodedata.category(character) != "Cf")
    if PLACE.search(plain) or _TAGS.search(plain) or _TURN.search(plain):
        return True
    if any(marker in plain for marker in _MARKERS):
        return True
    return _ADDRESSING.search(" ".join(plain.replace("_", " ").split())) is not None


def check_text(text: str) -> Rejected | None:
    """Why a task cannot be used, whoever wrote it."""
    if addresses_model(text):
        return Refused("injected_instruction", text).rejected
    if _LABEL.search(text):
        return Refused("label_in_text", text).rejected
    if len(text) > LONGEST_TASK:
        return Rejected("too_long", f"a task of {len(text)} characters")
    return None


def _descriptions(tools: Json) -> Iterator[str]:
    for tool in tools:
        yield tool["api_name"]
        yield tool["api_description"]
        for entries in (tool["parameters"], tool["responses"]):
            for name, entry in entries.items():
                yield name
                yield entry["description"]


def screen(row: Row, context: Context) -> Outcome:  # noqa: ARG001
    """Passes rows whose descriptions, task and values are what they should be."""
    for text in _descriptions(row["api"]):
        if len(text) > LONGEST_DESCRIPTION:
            return Rejected("too_long", f"a description of {len(text)} characters")
        found = check_text(text)
        if found is not None:
            return found
    for call in row["call"]:
        for text in texts(call["parameters"]):
            if addresses_model(text):
                return Refused("injected_instruction", text).rejected
    return check_text(row["task"]) or Kept()


SCREEN = Each("screen", 1, ("api", "call", "task"), (), screen)
