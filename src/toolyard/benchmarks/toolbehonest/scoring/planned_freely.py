"""The steps that an answer plans, whatever its form: one reading of plans for `outcome`.

A plan is `Subgoal 1: ... Planned tool: NAME`, JSON, a line of names with arrows or commas, a list, or sentences that name
tools in order. A step of a list is a line, or a line and those below it, that names one listed tool: alone, labelled, in a
cell, in brackets or behind an arrow, before a remark, or as the only one. A step that names none stays one. Where a text
without tags has a list or a line that ends in Finish, the rest are remarks; of several lists the last counts. Two plans
to choose from are none.
"""

import re
from collections.abc import Iterator, Sequence, Set

from toolyard.benchmarks.toolbehonest.data.tool_list import FINISH, UNSOLVABLE_QUERY
from toolyard.benchmarks.toolbehonest.scoring.paper import bare_name, planned_steps
from toolyard.benchmarks.toolbehonest.scoring.plan_progress import PlanStep, without_finish_step
from toolyard.text.names import letters_of_name
from toolyard.text.parsing import read_json

# No pattern that is searched for begins with white space, and none has it twice in a row: a run of n would cost n * n.
_COUNTED = re.compile(
    r"[^\w`]{0,9}(?:(?:step|subgoal)\s?)?(?:(\d{1,3})\s?[.):、-]|(\d{1,3})\W{0,3}(?=\()|[a-z][.)]|[ivx]{2,5}[.)])",
    re.IGNORECASE,
)
_BULLET = re.compile(r"[-*•>]\s")
_WITHDRAWN = re.compile(
    r"\b(?:not (?:needed|necessary|required|used)|unnecessary|skip(?:ped)?|optional)\b", re.IGNORECASE
)
_BETWEEN = re.compile(r"(?:->|→|=>|,|;|\||>|\s\d{1,2}[.)]|\bthen\b)\s*")
_BROKEN_CHAIN = re.compile(r"(?<=\S)[ \t]*\n\s*(?=->|→|=>)|(?<=->|=>)[ \t]*\n|(?<=→)[ \t]*\n")
_MARKUP = re.compile(r"</?[a-z]{1,9}\s?/?>", re.IGNORECASE)
_CELL = re.compile(r"\||#|//|(?<=\s)[-–—]+\s|->|→|=>|[:：(\[{`]|(?<=\s)\*+|\b(?:using|via|with)\s")
_REMARK = r"(?=\W+(?:for|with|to|on|in|of|from|by|at|again)\b)"
_TOOL_LABEL = re.compile(r"[*([{–—-]{0,9}\b(?:planned tool|tool|计划工具)\W{0,9}$", re.IGNORECASE)
_DENIED = re.compile(r"\b(?:not|no|none|neither|nor|without|never|except|cannot)\b|n't\b", re.IGNORECASE)
_REFUSED = re.compile(r"\b(?:not|never|avoid|wrong)\b|(?<!ca)n't\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[,.;!?\n()]|\b(?:and|but|so|because|since|which)\b", re.IGNORECASE)
_BELOW = " | "
_OTHER_WAY = re.compile(r"^\W{0,9}(?:or\b|alternatively|option\b|variant\b|either\b|plan b\b)", re.I | re.M)
_TOLD = re.compile(r"\b(?:use|call|run|begin|start|with|via|using|first|then|finally|next)\b", re.IGNORECASE)
_OPEN = re.compile(r"\b(?:or|if|unless|either|instead|alternatively|twice|each|every)\b", re.IGNORECASE)
_REVERSED = re.compile(r"\b(?:before|after|once)\W+(?:\w+ing\W+)?$", re.IGNORECASE)
_NAMED = re.compile(r"\b(?:then|call|use|next|finally)\W+([A-Z]\w*[a-z][A-Z]\w*)")
_AGAIN = re.compile(r"\b(?:then|next|finally|again|once more|another|second|third)\b", re.IGNORECASE)
_PASSING = re.compile(r"\b(?:of|from|by|that|what|than|like|as)\W+$", re.IGNORECASE)


def read_steps(body: str, known: Set[str], level: int, tagged: bool) -> tuple[PlanStep, ...]:
    """The planned steps without a closing Finish; at level 3 something must be said of them."""
    lines = _MARKUP.sub("\n", _BROKEN_CHAIN.sub(" ", body)).splitlines()
    if _OTHER_WAY.search(body) or any(_refuses_what_follows(line) for line in lines):
        return ()
    labelled = planned_steps(body, known)
    if any(step.tool for step in labelled):
        return tuple(PlanStep(step.subgoal, _step_on_line(step.tool, known, True).tool) for step in labelled)
    steps = _steps_of_json(body, known) or _steps_on_lines(lines, known, level, tagged)
    if not any(step.tool in known for step in steps):
        steps = _steps_in_sentences(body, known) or (steps if tagged else [])
    return without_finish_step(tuple(steps)) if level == 2 or any(step.subgoal for step in steps) else ()


def _refuses_what_follows(line: str) -> bool:
    """Whether a line such as "Do not use this plan:" takes back what stands below it."""
    heading = line.rstrip(" *")
    return heading.endswith(":") and _REFUSED.search(_CLAUSE.split(heading[:-1])[-1]) is not None


def _steps_of_json(body: str, known: Set[str]) -> list[PlanStep]:
    """The steps of a JSON list of names, or of objects that hold a subgoal and a listed tool."""
    opening = re.search(r"[\[{]", body)
    found = read_json(body[opening.start() : max(map(body.rfind, "]}")) + 1]) if opening else None
    if isinstance(found, dict):
        found = next((each for each in found.values() if isinstance(each, list)), list(found.values()))
    steps = []
    for each in found if isinstance(found, list) else ():
        texts = [
            text for text in (each.values() if isinstance(each, dict) else [each]) if isinstance(text, str)
        ]
        tools = [text for text in texts if _tool_of_text(text, known)] or texts[-1:]
        if len(tools) != 1:
            return []
        goal = " ".join(text for text in texts if text not in tools)
        steps.append(PlanStep(goal, _step_on_line(tools[0], known, True).tool))
    return steps


def _steps_on_lines(lines: Sequence[str], known: Set[str], level: int, tagged: bool) -> list[PlanStep]:
    chains = {line: _tools_in_chain(line, known) for line in lines if level == 2}
    whole = [chain for chain in chains.values() if chain and chain[-1] == FINISH]
    if whole and not tagged:
        return [PlanStep("", name) for name in whole[-1]]
    heads = _lines_that_count(lines)
    steps: list[PlanStep] = []
    for line in _join_lines(lines, heads, known):
        head = line.partition(_BELOW)[0] in heads
        step = _step_on_line(line, known, head or tagged)
        if head and not tagged and (counted := _COUNTED.match(line)) and "1" in counted.groups():
            steps.clear()
        # Without tags a name alone counts, of a listed tool or of another; in tags all but headings do.
        alone = len(line.split()) == 1 and bool(steps or not heads)
        if chain := chains.get(line):
            steps += [PlanStep("", name) for name in chain]
        elif step.tool in known and (head or tagged or not heads or not step.subgoal):
            steps.append(step)
        elif step.tool and (head or ((tagged or alone) and not line.rstrip(" *").endswith(":"))):
            steps.append(PlanStep("", step.tool))
    return steps


def _lines_that_count(lines: Sequence[str]) -> dict[str, None]:
    """The lines that begin a step of a list: those with a number, else those with a bullet, as far out as the first."""
    for mark in (_COUNTED, _BULLET):
        found = [line for line in lines if mark.match(line.lstrip())]
        if len(found) > 1:
            return dict.fromkeys(line for line in found if _depth(line) <= _depth(found[0]))
    return {}


def _join_lines(lines: Sequence[str], heads: dict[str, None], known: Set[str]) -> list[str]:
    """The lines, each of a list with those that stand further in, and with those below it until it names a tool."""
    joined: list[str] = []
    outside, complete = max(map(_depth, heads), default=0), False
    for line in filter(str.strip, lines):
        named = _step_on_line(line, known, True).tool in known
        if heads and joined and line not in heads and (not complete or _depth(line) > outside):
            joined[-1] += _BELOW + line.strip()
            complete = complete or named
        else:
            joined.append(line)
            complete = named
    return joined


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _tools_in_chain(line: str, known: Set[str]) -> list[str]:
    """The tools of a line of names with arrows or commas between; before the first may stand what it is."""
    parts = [part for part in _BETWEEN.split(line) if not part.strip(" *").isdecimal() and part.strip(" -*")]
    if len(parts) == 1 or line.strip() in known:
        return []
    names = [_step_on_line(part, known, loosely=False).tool for part in parts]
    first = [
        next((each[0] for each in _mentions(part, known)), name)
        for part, name in zip(parts, names, strict=True)
    ]
    return names if names == first and all(name in known for name in names) else []


def _step_on_line(line: str, known: Set[str], loosely: bool) -> PlanStep:
    """The one listed tool that a line names and what else it says; the line itself where there is none, or a choice."""
    text = _strip_number(line)
    ends = [0, *(end for cell in _CELL.finditer(text) for end in cell.span()), len(text)]
    cells = (
        (start, end, _tool_of_text(text[start:end], known))
        for start, end in zip(ends[::2], ends[1::2], strict=True)
    )
    named = [cell for cell in cells if cell[2]]
    if not named:
        found = [
            each for each in _mentions(text, known) if each[0] == UNSOLVABLE_QUERY or not _DENIED.search(text)
        ]
        first = [each for each in _mentions(text, known, _REMARK) if not each.start()]
        named = [(*each.span(), each[0]) for each in (first or (found if loosely else ()))]
    left = text[named[0][1] :].strip(" `*)]}|.:-–—") if named else ""
    if len(named) != 1 or _WITHDRAWN.search(left) or _offers_another(left, known):
        return PlanStep("", text if named else bare_name(text))
    before = _TOOL_LABEL.sub("", text[: named[0][0]]).strip(" `*([{|:=>→-–—")
    return PlanStep(f"{before} {left}".strip(), named[0][2])


def _steps_in_sentences(body: str, known: Set[str]) -> list[PlanStep]:
    """The tools in the order in which sentences tell to call them; none where that leaves a choice."""
    if not _TOLD.search(body) or _OPEN.search(body) or not known >= set(_NAMED.findall(body)):
        return []
    steps: list[PlanStep] = []
    last = 0
    for found in _mentions(body, known):
        before, name = body[last : found.start()], found[0]
        clause = _CLAUSE.split(before)[-1]
        rest = _CLAUSE.split(body[found.end() :], maxsplit=1)[0]
        if _REVERSED.search(before):
            return []
        if name in (step.tool for step in steps) and not _AGAIN.search(f"{clause} {rest}"):
            if not _PASSING.search(clause):
                return []
        elif not _WITHDRAWN.search(rest) and (
            name == UNSOLVABLE_QUERY or not _DENIED.search(f"{clause} {rest}")
        ):
            steps.append(PlanStep(f"{before.strip()} {rest.strip()}".strip(), name))
        last = found.end()
    return steps


def _mentions(text: str, known: Set[str], then: str = "") -> Iterator[re.Match[str]]:
    """Where a text names listed tools letter by letter."""
    names = "|".join(re.escape(name) for name in sorted(known, key=len, reverse=True))
    return re.finditer(rf"(?<!\w)(?:{names})(?!\w){then}", text)


def _tool_of_text(text: str, known: Set[str]) -> str:
    """The listed tool that a text is, however it is spelled; empty where it is none."""
    said = letters_of_name(text)
    return next((name for name in known if letters_of_name(name) == said), "") if said else ""


def _offers_another(remark: str, known: Set[str]) -> bool:
    """Whether a remark names another listed tool that would do as well: "(or FindRegions)"."""
    _, either, rest = f" {remark.strip('( ')}".partition(" or ")
    return bool(either) and any(each in rest for each in known)


def _strip_number(text: str) -> str:
    text = text.strip()
    counted = _COUNTED.match(text) or _BULLET.match(text)
    return text[counted.end() :].strip() if counted else text
