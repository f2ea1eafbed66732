"""The official documents resolved to our tools, their known defects mapped.

{"name": "current_weather", "description": "...", "parameters": {"type": "object",
 "properties": {"q": {"type": "string", "description": "..."}}, "required": ["q"]}}
"""

import functools
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from toolyard.core.errors import DataError
from toolyard.core.types import Observation, Record
from toolyard.world.kernel.executor import call
from toolyard.world.kernel.registry import library
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import read_table

SPECIAL = ("ask_to_user", "finish")


@dataclass(frozen=True, slots=True)
class Defect:
    """A place where an official document and its released function disagree, and the name we took."""

    tool: str
    documented: str
    ours: str
    defect: str


@dataclass(frozen=True, slots=True)
class Resolution:
    """An official document and the tool that executes it."""

    id: str
    document: Record
    renames: Mapping[str, str]
    problem: str | None

    def call(self, world: World, arguments: Record) -> Observation:
        """Executes a call that follows the official document."""
        return call(world, self.id, arguments, compatibility=True, renames=self.renames)


@functools.cache
def known_defects() -> tuple[Defect, ...]:
    """The known defects, in the order of the file."""
    return tuple(Defect(**row) for row in read_table("defects.tsv"))


def renamed_parameters(tool_id: str) -> Mapping[str, str]:
    """Documented name -> our name, where they differ."""
    found = (defect for defect in known_defects() if defect.tool == tool_id)
    return {defect.documented: defect.ours for defect in found if defect.documented != defect.ours}


def resolve_documents(root: Path) -> tuple[Resolution, ...]:
    """Every tool document under an official Tool_Library folder, resolved."""
    files = sorted(root.glob("*/*/config_gpt4.json"))
    if not files:
        raise DataError(f"{root} has no */*/config_gpt4.json; want the official Tool_Library folder")
    return tuple(resolution for path in files for resolution in _resolve_file(path))


def resolve_subcategory(group: str, documents: list[Record]) -> tuple[Resolution, ...]:
    """The documents of one Category/Subcategory, resolved; the second of equal names is numbered."""
    seen: Counter[str] = Counter()
    found = []
    for document in documents:
        if document["name"] in SPECIAL:
            continue
        seen[document["name"]] += 1
        number = seen[document["name"]]
        tool_id = f"{group}/{document['name']}" + (f"_{number}" if number > 1 else "")
        renames = renamed_parameters(tool_id)
        found.append(Resolution(tool_id, document, renames, _document_problem(tool_id, document, renames)))
    return tuple(found)


def _resolve_file(path: Path) -> tuple[Resolution, ...]:
    try:
        documents = json.loads(path.read_text("utf-8"))
        return resolve_subcategory(f"{path.parent.parent.name}/{path.parent.name}", documents)
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(f"{path}: {error!r}; want a list of official tool documents") from None


def _document_problem(tool_id: str, document: Record, renames: Mapping[str, str]) -> str | None:
    """Why the document cannot be followed with our tool; None when it can."""
    tool = library().get(tool_id)
    if tool is None:
        return f"no tool {tool_id}"
    official = {renames.get(name, name) for name in document["parameters"]["properties"]}
    wanted = {name for name in official if not tool.is_credential(name)}
    ours = {parameter.name for parameter in tool.document.parameters}
    if wanted != ours:
        return f"parameters differ: {', '.join(sorted(wanted ^ ours))}"
    required = {renames.get(name, name) for name in document["parameters"]["required"]} & wanted
    needed = {parameter.name for parameter in tool.document.parameters if parameter.required}
    return None if required == needed else f"required differs: {', '.join(sorted(required ^ needed))}"
