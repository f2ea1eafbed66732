"""The ToolBeHonest part of a mixture: tasks with all their tools, and their twins that lack one, at all three levels.

A task is one goal of the book, or a list of single requests; the plan is known from where it comes from. Its twin
lacks a tool, allows too few calls, or offers in words what no tool of the list can do.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from toolyard.benchmarks.nestools.synth.similar_tools import names, pool
from toolyard.benchmarks.toolbehonest.data.rows import items_to_samples
from toolyard.benchmarks.toolbehonest.data.sample import ToolBeHonestSample
from toolyard.benchmarks.toolbehonest.data.tool_list import UNSOLVABLE_QUERY
from toolyard.benchmarks.toolbehonest.scoring.baselines import write_answer
from toolyard.benchmarks.toolbehonest.scoring.parse import parse
from toolyard.benchmarks.toolbehonest.scoring.plan_progress import PlanStep
from toolyard.benchmarks.toolbehonest.synth.data_files import row_to_item
from toolyard.benchmarks.toolbehonest.task.prompt import EXAMPLE, ZERO_SHOT, prompt
from toolyard.core.types import Failure, JsonValue, Options, Record, Transcript, derived_seed
from toolyard.synth.mixture import seal_tools
from toolyard.synth.mixture.goal_requests import SOURCE, draft_filling, goal_drafts
from toolyard.synth.mixture.held_out import is_held_out
from toolyard.synth.mixture.mixture_settings import MixtureSettings
from toolyard.synth.mixture.nonsense import nonsense_words
from toolyard.synth.mixture.rows import TrainingRow
from toolyard.synth.stages import Context, Rows
from toolyard.text.names import name_words
from toolyard.world.kernel.registry import library

FEWEST_OTHERS, MOST_OTHERS = 2, 5
# How often a task is a list of requests, and of these how often one request that asks for several things.
LISTED, WHOLE = 0.6, 0.35
LENGTHS = (1, 2, 2, 3, 3, 4)
LEVELS = (1, 1, 2, 3)
OPENINGS = (
    "Please take care of the following:", "A few things for today:", "Do these for me, one after the other:",
    "I need this done:", "Here is my list:", "Help me with some errands:",
)  # fmt: skip
LIMITS = (
    "At most {calls} tool calls are allowed in all.",
    "You may call tools no more than {calls} times altogether.",
    "The budget allows {calls} tool calls, not one more.",
)
COUNTED = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
SURROUNDED, LIMITED = 0.2, 0.2
SURROUNDINGS = (
    "A terminal with Python is open on the desk.",
    "The browser shows a search engine in its first tab.",
    "There is a shell in which any command can be typed.",
    "The developer tools of the browser are open.",
    "A spreadsheet program is running in the background.",
)


@dataclass(frozen=True, slots=True)
class Requirement:
    """One thing to be done: its words, and the tools (name, description) that it takes in order."""

    text: str
    tools: tuple[tuple[str, str], ...]


class Drawn(NamedTuple):
    """What a task is made of, tools that it does not take, and where it comes from."""

    parts: Sequence[Requirement]
    others: Sequence[tuple[str, str]]
    origin: str


@dataclass(frozen=True, slots=True)
class TaskPair:
    """A task and its twin, in the fields of the benchmark's rows."""

    row: Record
    source: str


def drafts(rows: Rows, count: int, context: Context) -> Iterator[dict[str, JsonValue]]:  # noqa: ARG001
    """Half as many pairs as rows are wanted: both twins at one level."""
    sources = context.folders.get("sources")
    has_seal = sources is not None and seal_tools.is_here(sources)
    for number, goal in enumerate(goal_drafts(count // 2, context.seed)):
        rng = random.Random(derived_seed(context.seed, "toolbehonest", number))
        listed = has_seal and rng.random() < LISTED
        parts, others, origin = (
            _draw_request_list(sources or Path(), rng) if listed else _goal_parts(goal, rng)
        )
        if len({tool for part in parts for tool, _ in part.tools}) < sum(len(part.tools) for part in parts):
            parts, others, origin = _goal_parts(goal, rng)
            listed = False
        source = seal_tools.NAME if listed else SOURCE
        pair = make_task_pair(str(number), source, parts, others, rng)
        yield {
            "id": str(number),
            "origin": origin,
            "source": source,
            "level": rng.choice(LEVELS),
            "row": pair.row,
        }


def _goal_parts(draft: Record, rng: random.Random) -> Drawn:
    filling = draft_filling(draft)
    tools = tuple(_world_tool(step.tool) for step in filling.plan)
    others = [_world_tool(tool) for tool in rng.sample(pool(), 4 * MOST_OTHERS) if not is_held_out(tool)]
    return Drawn([Requirement(filling.text, tools)], others, draft["origin"])


def _draw_request_list(sources: Path, rng: random.Random) -> Drawn:
    """Some single requests as a list, or one that asks for several things."""
    requests = seal_tools.seal_requests(sources)
    if rng.random() < WHOLE:
        chosen = [rng.choice([request for request in requests if len(request.calling) > 1])]
    else:
        chosen = rng.sample(
            [request for request in requests if len(request.calling) == 1], rng.choice(LENGTHS)
        )
    parts = [Requirement(request.query, tuple(map(_seal_tool, request.tools))) for request in chosen]
    known = seal_tools.seal_tools_by_name(sources)
    others = [_seal_tool(known[name]) for name in rng.sample(sorted(known), 4 * MOST_OTHERS)]
    return Drawn(parts, others, chosen[0].id)


def _world_tool(tool: str) -> tuple[str, str]:
    return listed_name(names()[tool]), library()[tool].document.description


def _seal_tool(tool: Record) -> tuple[str, str]:
    return listed_name(tool["api_name"]), f"{tool['api_description'].rstrip('.')}."


def rows(draft: Record, settings: MixtureSettings) -> Iterator[TrainingRow | Failure]:
    """The rows of both twins."""
    rng = random.Random(derived_seed(settings.seed, f"toolbehonest/{draft['id']}", 0))
    pair = TaskPair(draft["row"], draft["source"])
    renamed = rng.random() < settings.renamed
    options = settings.asked(f"toolbehonest/{draft['id']}", EXAMPLE, ZERO_SHOT)
    pair = rename_to_nonsense(pair, rng) if renamed else pair
    for row in training_rows(pair, draft["level"], options, renamed=renamed):
        too_long = isinstance(row, TrainingRow) and row.tokens > settings.most_tokens
        yield Failure("too_long", draft["id"]) if too_long else row


def listed_name(name: str) -> str:
    """A tool's name as the lists of the benchmark write it: `get_weather` is GetWeather."""
    return "".join(word.capitalize() for word in name_words(name)) or name


def make_task_pair(
    name: str,
    source: str,
    parts: Sequence[Requirement],
    others: Sequence[tuple[str, str]],
    rng: random.Random,
) -> TaskPair:
    """The task of the parts with its twin; `others` are tools that none of them takes."""
    plan = [tool for part in parts for tool, _ in part.tools]
    own = dict(tool for part in parts for tool in part.tools)
    spare = [tool for tool in dict(others).items() if tool[0] not in own]
    tools = [*own.items(), *rng.sample(spare, min(len(spare), rng.randint(FEWEST_OTHERS, MOST_OTHERS)))]
    rng.shuffle(tools)
    task = _task_text(parts, rng)
    if rng.random() < SURROUNDED:
        # On both twins: words about surroundings decide nothing.
        task = f"{rng.choice(SURROUNDINGS)} {task}"
    twin, left = task, tools
    if len(plan) > 2 and rng.random() < LIMITED:
        calls = rng.randint(1, len(plan) - 1)
        sentence = rng.choice(LIMITS)
        twin = f"{sentence.format(calls=COUNTED[calls])} {task}"
        task = f"{sentence.format(calls=COUNTED[len(plan) + rng.randint(0, 2)])} {task}"
        broken = [*plan[:calls], UNSOLVABLE_QUERY]
    else:
        gone = rng.choice(plan)
        left = [tool for tool in tools if tool[0] != gone]
        broken = [UNSOLVABLE_QUERY if tool == gone else tool for tool in plan]
    subtask = "single_step" if len(plan) == 1 else "multi_step_wo_rep"
    row = {
        "id": name, "subtask": subtask, "task": task, "tools": tools, "plan": plan,
        "unsolvable_task": twin, "unsolvable_tools": left, "unsolvable_plan": broken,
    }  # fmt: skip
    return TaskPair(row, source)


def _task_text(parts: Sequence[Requirement], rng: random.Random) -> str:
    if len(parts) == 1:
        return parts[0].text
    lines = "\n".join(f"{number}. {part.text}" for number, part in enumerate(parts, 1))
    return f"{rng.choice(OPENINGS)}\n{lines}"


def rename_to_nonsense(pair: TaskPair, rng: random.Random) -> TaskPair:
    """The pair with tools under words that mean nothing."""
    words = nonsense_words(rng)
    row = pair.row
    names = {name: next(words).capitalize() for name, _ in row["tools"]} | {
        UNSOLVABLE_QUERY: UNSOLVABLE_QUERY
    }
    lists = {key: [[names[name], text] for name, text in row[key]] for key in ("tools", "unsolvable_tools")}
    plans = {key: [names[name] for name in row[key]] for key in ("plan", "unsolvable_plan")}
    return TaskPair({**row, **lists, **plans, "id": f"{row['id']}#renamed"}, pair.source)


def training_rows(
    pair: TaskPair, level: int, options: Options, *, renamed: bool = False
) -> Iterator[TrainingRow | Failure]:
    """The rows of both twins at that level, asked in one style."""
    item = row_to_item(pair.row)
    texts = dict(tuple(tool) for tool in pair.row["tools"])
    for sample in items_to_samples((item,), "en"):
        if sample.input["level"] != level:
            continue
        answer = tagged_answer(sample, texts)
        variant = sample.groups["variant"]
        if not _reads_back(sample, answer):
            yield Failure("wrong_answer", item.name)
            continue
        yield TrainingRow(
            f"toolbehonest/{item.name}/{variant}/{level}",
            "toolbehonest",
            f"toolbehonest level {level} {variant}{' zero-shot' if options.style == ZERO_SHOT else ''}",
            pair.source,
            prompt(sample, options),
            answer,
            renamed,
        )


def tagged_answer(sample: ToolBeHonestSample, texts: Mapping[str, str]) -> str:
    """The verdict or the plan in its tags; a missing tool is told by what it would do."""
    gold = sample.gold
    needed = {place.position: place.description for place in gold.needed}
    steps = [
        PlanStep(_subgoal_text(needed.get(position), texts.get(tool, "")), tool)
        for position, tool in enumerate(gold.plan)
    ]
    return write_answer(sample, gold.verdict, steps)


def _subgoal_text(missing: str | None, text: str) -> str:
    said = missing if missing is not None else text
    first = said.split(". ")[0].rstrip(".")
    return f"a tool that gives: {first}" if missing is not None else first


def _reads_back(sample: ToolBeHonestSample, answer: str) -> bool:
    """Whether both profiles read the answer as what gold says."""
    transcript = Transcript.answered(sample.id, answer)
    for profile in ("paper", "official"):
        read = parse(sample, transcript, profile)
        if sample.input["level"] == 1:
            if read.verdict != sample.gold.verdict:
                return False
        elif tuple(step.tool for step in read.steps if step.tool.lower() != "finish") != tuple(
            sample.gold.plan
        ):
            return False
    return True
