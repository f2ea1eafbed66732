"""The unsolvable twin of a row: a tool taken away, surroundings that tempt, or a requirement that no tool meets.

`form` says how a row is broken: removal, tempted (removal and surroundings), limit (fewer calls than steps),
function (a requirement that the tool does not offer), stricter (one more constraint). `missing` are the places of
the plan that become UnsolvableQuery.
"""

import random
import re
from collections.abc import Sequence
from itertools import groupby

from toolyard.benchmarks.toolbehonest.data.audit import NUMBERED, numbered_lines
from toolyard.benchmarks.toolbehonest.data.subtask_shapes import double_tools, has_surroundings
from toolyard.benchmarks.toolbehonest.data.tool_list import UNSOLVABLE_QUERY
from toolyard.benchmarks.toolbehonest.synth.data_files import SOLVABLE_FIELDS, TWIN_FIELDS, numbered_tools
from toolyard.benchmarks.toolbehonest.synth.drafting import LONGEST, TEMPLATES
from toolyard.benchmarks.toolbehonest.synth.row_rules import pair_fault, untrusted_fault
from toolyard.core.types import Message, derived_seed
from toolyard.synth.stages import Ask, Context, Each, Kept, Outcome, Rejected, Row
from toolyard.text.counted_nouns import ONES
from toolyard.text.parsing import excerpt, strip_thinking
from toolyard.text.templates import render

REMOVED = ("removal", "tempted")
WRITTEN = ("tempted", "function", "stricter")
TEMPLATE_OF = {"os": "tempt_os", "web": "tempt_web", "iter": "tighten_iter", "best": "tighten_best"}
LONGEST_ADDITION = 400
# The share of iterative tasks that a limit on calls makes unsolvable.
LIMITED = 0.25
COUNTS = ("no", *ONES[1:], "ten")
LIMITS = (
    "No more than {} tool calls may be made for all of this.",
    "The budget covers at most {} tool calls in all.",
    "Please keep to a maximum of {} tool calls altogether.",
    "Only {} tool calls are allowed today.",
)
_ADDITION = re.compile(r"<addition>([^<]*)</addition>", re.IGNORECASE)
_VERDICT = re.compile(r"\W{0,6}(\d{1,3})\W{1,4}(?:\S.{0,80}\W)?(yes|no)\W{0,3}", re.IGNORECASE)


def break_plan(row: Row, context: Context) -> Outcome:
    """How the row becomes unsolvable: the places that nothing can do, and all of the twin but written text."""
    rng = random.Random(derived_seed(context.seed, f"break_plan/{row['id']}", 0))
    form, missing = _choose_break(row, rng)
    if not missing:
        return Rejected("no_removable_tool", ", ".join(row["plan"]))
    plan = [UNSOLVABLE_QUERY if place in missing else name for place, name in enumerate(row["plan"])]
    removed = {row["plan"][place] for place in missing} if form in REMOVED else set()
    task = _state_call_limit(row["task"], missing[0], rng) if form == "limit" else row["task"]
    asks = form in ("function", "stricter") or (form in REMOVED and context.options["other-tools"] == "yes")
    return Kept(
        {
            "form": form,
            "missing": missing,
            "unsolvable_task": task,
            "unsolvable_tools": [tool for tool in row["tools"] if tool[0] not in removed],
            "unsolvable_plan": plan[: missing[0] + 1] if form == "limit" else plan,
            "verify": asks,
        }
    )


def _choose_break(row: Row, rng: random.Random) -> tuple[str, list[int]]:
    plan: list[str] = row["plan"]
    if row["subtask"] == "best":
        return "stricter", [0]
    if row["subtask"] == "iter":
        return _cut_inside_run(plan, rng)
    form = "tempted" if row["subtask"] in ("os", "web") else "removal"
    if row["subtask"] == "multi_step_w_rep":
        return form, [place for place, name in enumerate(plan) if name in double_tools(plan)]
    once = [place for place, name in enumerate(plan) if plan.count(name) == 1]
    return form, [rng.choice(once)] if once else []


def _cut_inside_run(plan: Sequence[str], rng: random.Random) -> tuple[str, list[int]]:
    """A place inside a run; a limit leaves at least one call, and is told in words up to ten."""
    places = _indices_in_runs(plan)
    limits = [place for place in places if 1 <= place < len(COUNTS)]
    if limits and rng.random() < LIMITED:
        return "limit", [rng.choice(limits)]
    return "function", [rng.choice(places)]


def _indices_in_runs(plan: Sequence[str]) -> list[int]:
    """The places at which a tool is called at least three times in a row."""
    runs = [list(steps) for _, steps in groupby(range(len(plan)), key=plan.__getitem__)]
    return [place for places in runs if len(places) >= 3 for place in places]


def _state_call_limit(task: str, calls: int, rng: random.Random) -> str:
    sentence = rng.choice(LIMITS).format(COUNTS[calls])
    return _put_in_front(sentence.replace("calls", "call") if calls == 1 else sentence, task)


def _put_in_front(sentence: str, task: str) -> str:
    """The task behind a sentence; a requirement that opens it keeps its own line."""
    return f"{sentence}\n{task}" if NUMBERED.match(task) else f"{sentence} {task}"


def is_written(row: Row) -> bool:
    """Whether the model has to write a part of the twin."""
    return row["form"] in WRITTEN


def ask_for_addition(row: Row, _context: Context) -> tuple[Message, ...]:
    """The request for surroundings, for a requirement written anew, or for one more constraint."""
    place = row["missing"][0]
    name = row["plan"][place]
    described = dict(row["tools"])
    requirements = numbered_lines(row["task"])
    fields = {
        "task": row["task"],
        "names": ", ".join(tool for tool, _ in row["tools"]),
        "tools": numbered_tools(row["tools"]),
        "tool": f"{name}: {described[name]}",
        "requirement": requirements[place] if place < len(requirements) else "",
    }
    return (Message("user", render(TEMPLATES[TEMPLATE_OF[row["subtask"]]], fields)),)


def take_addition(row: Row, text: str, _context: Context) -> Outcome:
    """The twin's task with what the model wrote, if that is one harmless line of the kind asked for."""
    spoken = strip_thinking(text) or ""
    found = _ADDITION.findall(spoken) if len(spoken) <= LONGEST else []
    if not found or not found[-1].strip():
        return Rejected("no_addition", excerpt(text))
    addition = found[-1].strip()
    fault = _addition_fault(row, addition)
    return fault or Kept({"unsolvable_task": _append_requirement(row, addition)})


def _addition_fault(row: Row, addition: str) -> Rejected | None:
    if len(addition.splitlines()) > 1 or len(addition) > LONGEST_ADDITION:
        return Rejected("addition_not_one_line", excerpt(addition))
    if fault := untrusted_fault((addition,)):
        return fault
    if row["form"] == "tempted":
        return _surroundings_fault(row, addition)
    known = {line.casefold() for line in numbered_lines(row["task"])}
    if not addition.strip() or addition.casefold() in known or NUMBERED.match(addition):
        return Rejected("requirement_unchanged", excerpt(addition))
    return None


def _surroundings_fault(row: Row, addition: str) -> Rejected | None:
    named = [name for name, _ in row["tools"] if name.casefold() in addition.casefold()]
    if named:
        return Rejected("names_a_tool", named[0])
    if not has_surroundings(row["subtask"], addition):
        return Rejected("no_surroundings", excerpt(addition))
    return None


def _append_requirement(row: Row, addition: str) -> str:
    task: str = row["task"]
    if row["form"] == "tempted":
        return _put_in_front(addition, task)
    lines = list(NUMBERED.finditer(task))
    if row["form"] == "function":
        old = lines[row["missing"][0]]
        return f"{task[: old.start(2)]} {addition}{task[old.end(2) :]}"
    last = lines[-1]
    return f"{task[: last.end()]}\n{len(lines) + 1}. {addition}{task[last.end() :]}"


def check_pair(row: Row, _context: Context) -> Outcome:
    """The pair, if it breaks no rule and the twin's requirements are those of the row but for what was meant."""
    return pair_fault(row) or requirements_fault(row) or Kept()


def requirements_fault(row: Row) -> Rejected | None:
    """A requirement that the twin lost, changed or gained against its form."""
    before, after = numbered_lines(row["task"]), numbered_lines(row["unsolvable_task"])
    changed = [place for place, (old, new) in enumerate(zip(before, after, strict=False)) if old != new]
    wanted = row["missing"] if row["form"] == "function" else []
    more = len(after) - len(before)
    if changed != wanted or more != (row["form"] == "stricter"):
        return Rejected("requirements_changed", f"changed {changed}, {more} more")
    return None


def is_verified(row: Row) -> bool:
    """Whether the model is asked if some tool can do it after all."""
    return bool(row["verify"])


def ask_what_fits(row: Row, _context: Context) -> tuple[Message, ...]:
    """The twin, tool by tool: can any of them do what is missing?"""
    if row["subtask"] in ("single_step", "best"):
        return _whole_task(row["unsolvable_task"], row["unsolvable_tools"])
    requirements = numbered_lines(row["unsolvable_task"])
    need = "\n".join(f"- {requirements[place]}" for place in row["missing"])
    # Without the surroundings: what they offer is no tool.
    task = row["task"] if row["form"] == "tempted" else row["unsolvable_task"]
    fields = {"task": task, "tools": numbered_tools(row["unsolvable_tools"]), "need": need}
    return (Message("user", render(TEMPLATES["fits_step"], fields)),)


def _whole_task(task: str, tools: Sequence[Sequence[str]]) -> tuple[Message, ...]:
    fields = {"task": task, "tools": numbered_tools(tools)}
    return (Message("user", render(TEMPLATES["fits_task"], fields)),)


def take_what_fits(row: Row, text: str, _context: Context) -> Outcome:
    """Kept only where the answer to every tool is no."""
    fitting = read_verdicts(text, [name for name, _ in row["unsolvable_tools"]])
    if isinstance(fitting, Rejected):
        return fitting
    if fitting:
        return Rejected("other_tool_fits" if row["form"] in REMOVED else "still_solvable", ", ".join(fitting))
    return Kept()


def is_choice(row: Row) -> bool:
    """Whether exactly one tool must meet all constraints."""
    return bool(row["subtask"] == "best")


def ask_which_fits(row: Row, _context: Context) -> tuple[Message, ...]:
    """The solvable task, tool by tool."""
    return _whole_task(row["task"], row["tools"])


def take_which_fits(row: Row, text: str, _context: Context) -> Outcome:
    """Kept only where the planned tool fits and no other."""
    fitting = read_verdicts(text, [name for name, _ in row["tools"]])
    if isinstance(fitting, Rejected):
        return fitting
    if row["plan"][0] not in fitting:
        return Rejected("plan_does_not_fit", row["plan"][0])
    return Kept() if len(fitting) == 1 else Rejected("several_tools_fit", ", ".join(fitting))


def read_verdicts(text: str, names: Sequence[str]) -> list[str] | Rejected:
    """The names that got a yes; every one must have got exactly one line."""
    verdicts: dict[int, str] = {}
    for line in (strip_thinking(text) or "").splitlines():
        found = _VERDICT.fullmatch(line.strip()[:200])
        if found and int(found.group(1)) in verdicts:
            return Rejected("verdicts_unreadable", f"two lines for tool {found.group(1)}")
        if found:
            verdicts[int(found.group(1))] = found.group(2).lower()
    if sorted(verdicts) != list(range(1, len(names) + 1)):
        return Rejected("verdicts_unreadable", excerpt(text))
    return [name for number, name in enumerate(names, 1) if verdicts[number] == "yes"]


_BROKEN = ("form", "missing", "verify")
_PAIR: tuple[str, ...] = (*SOLVABLE_FIELDS, *TWIN_FIELDS, "form", "missing")
STAGES: tuple[Ask | Each, ...] = (
    Ask("one_fits", 1, SOLVABLE_FIELDS, (), ask_which_fits, take_which_fits, applies=is_choice),
    Each("break_plan", 1, SOLVABLE_FIELDS, (*_BROKEN, *TWIN_FIELDS), break_plan, ("other-tools",)),
    Ask(
        "write_twin",
        1,
        _PAIR,
        ("unsolvable_task",),
        ask_for_addition,
        take_addition,
        attempts=2,
        applies=is_written,
    ),
    Each("check_pair", 1, _PAIR, (), check_pair),
    Ask("none_fits", 1, (*_PAIR, "verify"), (), ask_what_fits, take_what_fits, applies=is_verified),
)
