"""What an answer says whatever its form, and whether that is right; the form is a fault of its own.

Tags may be missing or not closed, plans numbered, quoted, on one line with arrows or commas, as JSON, as a table or in a
sentence that denies nothing, names followed by a remark and spelled in their letters ("Sun Mapper", `sun_mapper`). A
verdict may say that the task can or cannot be done, or that the tools are or are not enough. Of several blocks the last
counts, unless they contradict each other with nothing between: the prompt's two example lines are no verdict. A verdict
without tags must not be contradicted by another in the same text. In a plan without tags only lines that look like steps
count, and a step that names no listed tool stays one.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from toolyard.benchmarks.toolbehonest.data.rows import shown_names
from toolyard.benchmarks.toolbehonest.data.sample import Gold, OtherPlan, ToolBeHonestSample
from toolyard.benchmarks.toolbehonest.data.tool_list import FINISH
from toolyard.benchmarks.toolbehonest.scoring.described_steps import (
    is_described,
    nearness_question,
    nearness_question_id,
)
from toolyard.benchmarks.toolbehonest.scoring.paper import (
    answer_body,
    bare_name,
    paper_verdict,
    planned_steps,
)
from toolyard.benchmarks.toolbehonest.scoring.plan_progress import PlanStep, without_finish_step
from toolyard.benchmarks.toolbehonest.scoring.stated_verdict import VERDICTS, stated_verdict
from toolyard.core.types import Evidence, Failure, Question
from toolyard.text.names import letters_of_name
from toolyard.text.parsing import read_json, strip_thinking

# No pattern that is searched for begins with white space, and none has it twice in a row: a run of n would cost n * n.
_TAG = re.compile(r"<\s*(/\s*)?answer\s*>", re.IGNORECASE)
_NUMBERED = re.compile(r"\s*(?:[-*•>]\s+|(?:(?:step|subgoal)\s*)?\d{1,3}\s*[.):、-]\s*)", re.IGNORECASE)
# What may stand before a name: signs, numbers, letters that number, and the words of a label.
_LABEL = re.compile(
    r"(?:[^a-z]|(?<![a-z])(?:step|subgoal|(?:planned )?tool|call|use|then|first|second|third|fourth|fifth|next|finally"
    r"|last|[a-z]|[ivx]{2,5})(?![a-z]))*",
    re.IGNORECASE,
)
_REMARK = re.compile(r"[:：(\[{–—]| - |#|//| (?:for|with|to|on|in|of|from|by|at|again)\b")
_WITHDRAWN = re.compile(
    r"\b(?:not (?:needed|necessary|required|used)|unnecessary|skip(?:ped)?|optional)\b", re.IGNORECASE
)
_BETWEEN = re.compile(r"(?:->|→|=>|,|;|\||>|\bthen\b)\s*")
_MARKUP = re.compile(r"</?[a-z]{1,9}\s?/?>", re.IGNORECASE)
_FENCE = re.compile(r"[ \t]*`{3}\w*[ \t]*")
_RULE = frozenset("|-: \t")
_EITHER = re.compile(r"</answer>\W*\bor\b\W*<answer>", re.IGNORECASE)
_ONE_SUBGOAL = re.compile(r"\W*(?:subgoal|step)\s*(\d{1,3})\b(?!.*\bsubgoal\s*\d)", re.IGNORECASE | re.DOTALL)
_CELL = re.compile(r"(?:\||\s[-–—]+\s|->|→|:)\s*")
_TOLD = re.compile(r"\b(?:use|call|run|start with|begin with)\b", re.IGNORECASE)
_DENIED = re.compile(r"\b(?:not|no|without|instead|skip|never|unless|except)\b|n't\b", re.IGNORECASE)
_PLANNED = re.compile(r"(?:Planned tool|Tool|计划工具)\s{0,4}(?:\*\*)?[:：]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FreeReading:
    """What an answer says, and whether it says it in the form that was asked for."""

    verdict: str = ""
    steps: tuple[PlanStep, ...] = field(default=())
    in_form: bool = False

    @property
    def tools(self) -> tuple[str, ...]:
        """The planned tool names in order."""
        return tuple(step.tool for step in self.steps)


def read_freely(sample: ToolBeHonestSample, text: str) -> FreeReading:
    """The verdict or the plan of an answer, in whatever form."""
    visible = strip_thinking(text)
    if visible is None:
        return FreeReading()
    blocks = _answer_blocks(visible)
    strict = answer_body(text)
    tidy = len(blocks) == 1 and not isinstance(strict, Failure)
    if sample.input["level"] == 1:
        said = _verdict_in_blocks(visible, blocks)
        return FreeReading(
            said, in_form=tidy and not isinstance(strict, Failure) and paper_verdict(strict) in VERDICTS
        )
    known = shown_names(sample)
    body = _strip_frame(_whole_plan(blocks) if blocks else visible).replace("\\n", "\n")
    if _EITHER.search(visible):
        return FreeReading()
    read = _named_steps if sample.input["level"] == 2 else _steps_by_subgoal
    steps = without_finish_step(tuple(read(body, known, bool(blocks))))
    return FreeReading(steps=steps, in_form=tidy and bool(steps))


def _answer_blocks(text: str) -> list[str]:
    """What stands in answer tags, the last pair perhaps not closed; empty ones aside."""
    found, opened = [], None
    for tag in _TAG.finditer(text):
        if not tag.group(1):
            opened = tag.end()
        elif opened is not None:
            found.append(text[opened : tag.start()].strip())
            opened = None
    if opened is not None:
        found.append(text[opened:].strip())
    return [block for block in found if block]


def _strip_frame(text: str) -> str:
    """The text without code fences, and without the head of a table and the rule below it."""
    lines = text.split("\n")
    rules = {n for n, line in enumerate(lines) if {"|", "-"} <= set(line) <= _RULE}
    frame = rules | {n - 1 for n in rules if n and "|" in lines[n - 1]}
    return "\n".join("" if n in frame or _FENCE.fullmatch(line) else line for n, line in enumerate(lines))


def _whole_plan(blocks: list[str]) -> str:
    """The last block; all of them where each holds one subgoal and they are numbered from 1 on."""
    numbers = [int(found[1]) for block in blocks if (found := _ONE_SUBGOAL.match(block))]
    rest = [block for block in blocks if not _ONE_SUBGOAL.match(block)]
    counted = len(numbers) > 1 and numbers == list(range(1, len(numbers) + 1))
    ended = not rest or (rest == blocks[-1:] and FINISH.lower() in rest[0].lower())
    return "\n".join(blocks) if counted and ended else blocks[-1]


def _verdict_in_blocks(text: str, blocks: list[str]) -> str:
    read = [bare_name(block).lower() for block in blocks]
    said = [word for word in read if word in VERDICTS]
    if said and len(said) == len(read):
        adjacent = re.search(r"</answer>\s*<answer>", text, re.IGNORECASE) is not None
        return "" if len(set(said)) > 1 and adjacent else said[-1]
    return stated_verdict(blocks[-1] if blocks else text)


def _named_steps(body: str, known: Collection[str], tagged: bool) -> Iterator[PlanStep]:
    lines = _MARKUP.sub("\n", body).splitlines()
    if any(line.rstrip(" *").endswith(":") and _DENIED.search(line) for line in lines):
        return
    steps = _steps_of_json(body, known) or [
        step for line in lines for step in _steps_on_line(line, known, tagged)
    ]
    if tagged or any(step.tool in known for step in steps):
        yield from steps
    else:
        yield from (PlanStep("", name) for name in _tools_in_sentences(body, known))


def _steps_on_line(line: str, known: Collection[str], tagged: bool) -> Iterator[PlanStep]:
    parts = [part for part in _BETWEEN.split(line) if not part.strip(" *").isdecimal() and part.strip(" -*")]
    listed = [_tool_in_part(part, known) for part in parts] if line.strip() not in known else []
    if len(parts) > 1 and all(name in known or name.lower() == FINISH.lower() for name in listed):
        yield from (PlanStep("", name) for name in listed)
    elif line.strip():
        name = _tool_in_part(parts[0] if len(parts) == 1 else line, known)
        heading = line.rstrip(" *").endswith(":") and name not in known
        looks_like_a_step = tagged or name in known or _NUMBERED.match(line) or len(name.split()) == 1
        if looks_like_a_step and not heading:
            yield PlanStep("", name)


def _steps_of_json(body: str, known: Collection[str]) -> list[PlanStep]:
    """The steps of a JSON list of names, or of objects that hold a subgoal and a listed tool."""
    found = read_json(body[body.find("[") : body.rfind("]") + 1]) if "[" in body else None
    steps = []
    for each in found if isinstance(found, list) else ():
        texts = list(each.values()) if isinstance(each, dict) else [each]
        names = [_tool_in_part(text, known) for text in texts if isinstance(text, str)]
        tools = [name for name in names if name in known]
        if len(tools) > 1 or not names:
            return []
        goal = " ".join(name for name in names if name not in known)
        steps.append(PlanStep(goal, tools[0]) if tools else PlanStep("", names[-1]))
    return steps


def _tools_in_sentences(body: str, known: Collection[str]) -> list[str]:
    """The listed tools in the order in which sentences name them; none where something is denied or named again."""
    named = re.compile("|".join(rf"\b{re.escape(name)}\b" for name in sorted(known, key=len, reverse=True)))
    states_it = _TOLD.search(body) is not None and not _DENIED.search(body)
    found = named.findall(body) if states_it else []
    return found if len(set(found)) == len(found) else []


def _tool_in_part(part: str, known: Collection[str]) -> str:
    """The tool that a piece of a plan names: bare, numbered, labelled, quoted, or before a remark that keeps it."""
    plain = bare_name(part)
    if plain in known:
        return plain
    label = _LABEL.match(plain)
    for start in (label.end() if label else 0, 0):
        name = bare_name(plain[start:])
        remark = _REMARK.search(name)
        left = name[remark.start() :] if remark else ""
        name = bare_name(name[: remark.start()]) if remark else name
        found = next((each for each in known if letters_of_name(each) == letters_of_name(name)), "")
        if found:
            return plain if _WITHDRAWN.search(left) or _offers_another(left, known) else found
    return name


def _offers_another(remark: str, known: Collection[str]) -> bool:
    """Whether a remark names another listed tool that would do as well: "(or FindRegions)"."""
    _, either, rest = f" {remark.strip('( ')}".partition(" or ")
    return bool(either) and any(each in rest for each in known)


def _steps_by_subgoal(body: str, known: Collection[str], tagged: bool) -> Iterator[PlanStep]:  # noqa: ARG001 - as _names
    steps = planned_steps(body, known)
    if any(step.tool for step in steps):
        yield from (PlanStep(step.subgoal, _tool_in_part(step.tool, known)) for step in steps)
        return
    steps = tuple(_steps_of_json(body, known))
    yield from steps or (step for line in body.splitlines() for step in _goal_on_line(line, known))


def _goal_on_line(line: str, known: Collection[str]) -> Iterator[PlanStep]:
    """A subgoal and its tool on one line: after a label, a dash or in the cell of a table."""
    planned = _PLANNED.search(line)
    if planned is not None:
        yield PlanStep(_strip_number(line[: planned.start()]), _tool_in_part(line[planned.end() :], known))
        return
    cells = [cell.rstrip() for cell in _CELL.split(line.strip(" |")) if cell.strip()]
    tool = _tool_in_part(cells[-1], known) if cells else ""
    if len(cells) > 1 and tool in known:
        goals = [cell for cell in cells[:-1] if not cell.strip().isdigit()]
        yield PlanStep(_strip_number(" ".join(goals)), tool)


def _strip_number(text: str) -> str:
    number = _NUMBERED.match(text)
    return text[number.end() :].strip() if number else text.strip()


def followed_plan(sample: ToolBeHonestSample, reading: FreeReading) -> OtherPlan | None:
    """The gold plan or the accepted other that the answer is; None where it is none."""
    gold: Gold = sample.gold
    plans = [OtherPlan(gold.plan, gold.needed), *gold.others]
    return next((other for other in plans if other.plan == reading.tools), None)


def is_right(
    sample: ToolBeHonestSample, reading: FreeReading, evidence: Mapping[str, Evidence] = MappingProxyType({})
) -> bool:
    """Whether verdict or plan is the gold one or an accepted other; at level 3 every missing tool is described."""
    if sample.input["level"] == 1:
        return reading.verdict == sample.gold.verdict
    followed = followed_plan(sample, reading)
    if followed is None or sample.input["level"] == 2:
        return followed is not None
    return all(
        is_described(
            sample, reading.steps[needed.position].subgoal, needed, evidence.get(nearness_question_id(needed))
        )
        for needed in followed.needed
    )


def missing_questions(sample: ToolBeHonestSample, text: str) -> tuple[Question, ...]:
    """What an embedder must say about the missing tools that a right plan describes."""
    reading = read_freely(sample, text)
    followed = followed_plan(sample, reading) if sample.input["level"] == 3 else None
    return tuple(
        nearness_question(sample, reading.steps[needed.position].subgoal, needed)
        for needed in (followed.needed if followed else ())
    )
