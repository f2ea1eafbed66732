"""Samples as a model is shown them and as it writes them (Appendix A.3).

==== Sample Start ====
// Raw Input //
Task:
Tell me which of the twelve greenhouse beds is too dry this morning.
Tools:
1. HarvestDiary: Records the weight of every harvest by bed.
// Raw Output //
1. SoilMoistureProbe
==== Sample End ====
"""

import re
from dataclasses import dataclass
from pathlib import Path

from toolyard.benchmarks.toolbehonest.data.tool_list import FINISH, SPECIAL_TOOLS, listed_tools
from toolyard.benchmarks.toolbehonest.synth.data_files import numbered_tools
from toolyard.core.variations import read_templates
from toolyard.synth.stages import Kept, Outcome, Rejected, Row, read_spoken
from toolyard.text.parsing import excerpt

TEMPLATES = read_templates(Path(__file__).parent / "templates")
# Several times what a sample needs; it also keeps every pattern below quick on hostile text.
LONGEST = 12_000
_MARKER = re.compile(r"== ?sample (start|end) ?==", re.IGNORECASE)
_RAW = re.compile(r"\W{0,6}raw (input|output)\W{0,6}", re.IGNORECASE)
_HEADING = re.compile(r"[#* ]{0,6}(task|tools)[* ]{0,3}:[* ]{0,3}(.*)", re.IGNORECASE)
_STEP = re.compile(r"(?:\d{1,3}\s?[.)]|[-*])?\s*([^:：]*)")
_ORDER = ("", "task", "tools", "plan")


@dataclass(frozen=True, slots=True)
class Sections:
    """The lines of a sample's three parts, blank ones left out of tools and plan."""

    task: str
    tools: tuple[str, ...]
    plan: tuple[str, ...]


def sample_text(row: Row) -> str:
    """A row in the form in which the model is to write."""
    lines = ["// Raw Input //", "Task:", row["task"], "Tools:", numbered_tools(row["tools"])]
    plan = [f"{number}. {name}" for number, name in enumerate(row["plan"], 1)]
    return "\n".join([*lines, "// Raw Output //", *plan])


def read_sample(text: str) -> Outcome:
    """Task, tools and plan of the last sample in an answer, or why there is none."""
    body = _sample_body(text)
    if isinstance(body, Rejected):
        return body
    sections = _split_sections(body)
    for name, part in (("task", sections.task), ("tools", sections.tools), ("plan", sections.plan)):
        if not part:
            return Rejected(f"no_{name}", excerpt(body))
    tools = [[tool.name, tool.description] for tool in listed_tools("\n".join(sections.tools))]
    if len(tools) != len(sections.tools):
        return Rejected("bad_tool_list", "not every line is 'number. Name: description'")
    working = [tool for tool in tools if tool[0] not in SPECIAL_TOOLS]
    plan = [_tool_on_line(line) for line in sections.plan]
    steps = plan[:-1] if plan[-1].lower() == FINISH.lower() else plan
    if not steps:
        return Rejected("no_plan", excerpt(body))
    repairs = {
        "closing_tools_dropped": len(working) < len(tools),
        "finish_dropped": len(steps) < len(plan),
        "prose_dropped": len(body) + 60 < len(text.strip()),
    }
    fields = {"task": sections.task, "tools": working, "plan": steps}
    return Kept(fields, tuple(name for name, needed in repairs.items() if needed))


def _sample_body(text: str) -> str | Rejected:
    spoken = read_spoken(text, LONGEST, "empty_text")
    if isinstance(spoken, Rejected):
        return spoken
    markers = list(_MARKER.finditer(spoken))
    kinds = [marker.group(1).lower() for marker in markers]
    for place in range(len(markers) - 2, -1, -1):
        if kinds[place : place + 2] == ["start", "end"]:
            return spoken[markers[place].end() : markers[place + 1].start()]
    return Rejected("no_sample_markers", excerpt(spoken))


def _split_sections(body: str) -> Sections:
    """The parts in their order: a heading that comes again, or too early, is text."""
    lines: dict[str, list[str]] = {name: [] for name in _ORDER}
    part = ""
    for line in body.replace("\r\n", "\n").strip("= \n").split("\n"):
        raw, heading = _RAW.fullmatch(line.strip()), _HEADING.fullmatch(line.strip())
        wanted = "plan" if raw and raw.group(1).lower() == "output" else heading and heading.group(1).lower()
        if wanted and _ORDER.index(wanted) > _ORDER.index(part):
            part = wanted
            lines[part].append(heading.group(2) if heading else "")
        elif not raw:
            lines[part].append(line.rstrip())
    shown = {name: tuple(line.strip() for line in lines[name] if line.strip()) for name in ("tools", "plan")}
    return Sections("\n".join(lines["task"]).strip(), shown["tools"], shown["plan"])


def _tool_on_line(line: str) -> str:
    """The tool that a line of the plan names; what follows a colon is explanation."""
    found = _STEP.match(line)
    return found.group(1).strip(" *`") if found else ""
