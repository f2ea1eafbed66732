"""Tool lists like those of the evaluation: how many tools stand in one, and in which form they are written.

Sizes and forms follow the counts of the released files by setting; nothing else of those files is used.

    names          names alone, of optional parameters with their default: ["city"], {"day": "dontcare"}, ["rain"]
    named_results  parameters with type and description, results by name
    full           parameters and results with type and description
    untyped        parameters and results by name and description
"""

import random
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolyard.benchmarks.mtu.synth.instruct.corpus_rows import Document
from toolyard.benchmarks.mtu.synth.instruct.tool_library import SECTIONS
from toolyard.core.types import JsonValue, Record
from toolyard.text.documents import from_nestools, to_mtu

NAMES, NAMED_RESULTS, FULL, UNTYPED = "names", "named_results", "full", "untyped"
DESCRIBED = (NAMED_RESULTS, FULL, UNTYPED)
SHARES: Record = tomllib.loads(Path(__file__).with_name("turn_shares.toml").read_text("utf-8"))
SIZES: Mapping[str, Mapping[str, int]] = SHARES["sizes"]
FORMS: Mapping[str, Mapping[str, int]] = SHARES["forms"]


@dataclass(frozen=True, slots=True)
class KnownTool:
    """A tool that a list may hold; a list never holds two tools with the same name in the source."""

    document: Document
    originals: frozenset[str]
    topics: frozenset[str]


def from_flat(tool: Record) -> dict[str, JsonValue]:
    """A tool that is documented flat, as NesTools and Seal-Tools do, in the form of MTU-Bench."""
    return to_mtu(from_nestools(tool))


def draw_key(odds: Mapping[Any, int], rng: random.Random) -> Any:
    """One of the keys, as often as its number says."""
    return rng.choices(list(odds), weights=list(odds.values()))[0]


def written_as(document: Document, form: str) -> dict[str, JsonValue]:
    """The document in one of the forms."""
    sections = {key: list(document[key]) for key in SECTIONS}
    if form == UNTYPED:
        for key, parameters in sections.items():
            sections[key] = [
                {name: value for name, value in each.items() if name != "type"} for each in parameters
            ]
    shown: dict[str, Any] = {"name": document["name"], "description": document["description"], **sections}
    if form in (NAMES, NAMED_RESULTS):
        shown["result_parameters"] = [each["name"] for each in document["result_parameters"]]
    if form == NAMES:
        shown["required_parameters"] = [each["name"] for each in document["required_parameters"]]
        optional = document["optional_parameters"]
        shown["optional_parameters"] = {each["name"]: each.get("default", "dontcare") for each in optional}
    return shown
