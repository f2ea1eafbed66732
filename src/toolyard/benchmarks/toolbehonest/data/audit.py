"""Data rules that can be decided by reading: what a pair of its subtask must look like (Section 3.3, A.2).

Rules are numbered as in the folder's README: G1 tool list, G2 solvable plan, G3 alignment of the plans,
G4 needed tools listed, G5 no two names under one description, G6 itemised requirements, G7 no near-copies,
G8 distractors, and the shape of each subtask.
"""

import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from toolyard.benchmarks.toolbehonest.data.rows import Item, data_file, read_items
from toolyard.benchmarks.toolbehonest.data.sample import ToolBeHonestSample
from toolyard.benchmarks.toolbehonest.data.subtask_shapes import shape_findings
from toolyard.benchmarks.toolbehonest.data.tool_list import (
    FINISH,
    UNSOLVABLE_QUERY,
    listed_tools,
    official_tools,
    working_tools,
)
from toolyard.benchmarks.toolbehonest.scoring.baselines import oracle
from toolyard.benchmarks.toolbehonest.scoring.parse import parse
from toolyard.benchmarks.toolbehonest.scoring.score import score
from toolyard.core.benchmark import Finding
from toolyard.core.types import Completion, Transcript

MOST_SIMILAR = 0.8
_NAME = re.compile(r"[A-Za-z0-9_+\-](?:[A-Za-z0-9_+\- ]*[A-Za-z0-9_+\-])?")
# A requirement in a line of its own: its number, and the rest of the line.
NUMBERED = re.compile(r"^([^\S\n]*\d+[^\S\n]*[.)、．])(.*)", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z0-9]+|[\u3400-\u9fff]")


def audit(path: Path, samples: tuple[ToolBeHonestSample, ...]) -> tuple[Finding, ...]:
    """Every rule that the data break, and every gold answer that the released scorer marks down."""
    language = samples[0].input["language"] if samples else "en"
    items = read_items(data_file(path, language))
    findings = [Finding(item.cluster, what) for item in items for what in item_findings(item)]
    findings += [*_shared_descriptions(items), *_near_copy_findings(items), *_audit_distractors(items)]
    return (*findings, *_audit_readability(samples))


def item_findings(item: Item) -> Iterator[str]:
    """Every rule that one pair breaks by itself: G1 to G4, G6 and its shape."""
    yield from tool_list_findings("tools", item.tools)
    yield from tool_list_findings("unsolvable_tools", item.unsolvable_tools)
    if item.planning_tools[-1] != FINISH:
        yield "G2: planning_tools does not end with Finish"
    yield from plan_findings(item.plan("solvable"), item.tools)
    yield from _plan_pair_findings(item)
    yield from itemised_findings("task", item.task, item.subtask, len(item.plan("solvable")))
    yield from itemised_findings(
        "unsolvable_task", item.unsolvable_task, item.subtask, len(item.plan("solvable"))
    )
    yield from shape_findings(item)


def tool_list_findings(field: str, text: str) -> Iterator[str]:
    """G1 for one list."""
    tools = listed_tools(text)
    names = [tool.name for tool in tools]
    if len(tools) != len([line for line in text.splitlines() if line.strip()]):
        yield f"G1: not every line of {field} is 'number. Name: description'"
    if tuple(names) != tuple(tool.name for tool in official_tools(text)):
        yield f"G1: the released scorer reads other names out of {field}"
    if len(set(names)) != len(names):
        yield f"G1: {field} lists a name twice"
    for tool in tools:
        if not _NAME.fullmatch(tool.name):
            yield f"G1: {field} has the name {tool.name!r}, which level 3 cannot return"
        if not tool.description:
            yield f"G1: {field} does not describe {tool.name!r}"


def plan_findings(plan: Sequence[str], tools: str) -> Iterator[str]:
    """G2 for the steps of a solvable plan."""
    names = {tool.name for tool in listed_tools(tools)}
    for name in dict.fromkeys(plan):
        if name not in names:
            yield f"G2: the plan uses {name!r}, which is not listed"


def _plan_pair_findings(item: Item) -> Iterator[str]:
    names = {tool.name for tool in listed_tools(item.tools)}
    solvable, unsolvable = item.plan("solvable"), item.plan("unsolvable")
    if not _plans_are_aligned(solvable, unsolvable):
        yield "G3: the plans differ outside UnsolvableQuery and are not of the tool-limit form"
    shown = {tool.name for tool in listed_tools(item.unsolvable_tools)}
    for name in dict.fromkeys(unsolvable):
        if name not in shown | {UNSOLVABLE_QUERY}:
            yield f"G3: the unsolvable plan uses {name!r}, which its list does not hold"
    for name, step in zip(solvable, unsolvable, strict=False):
        if step == UNSOLVABLE_QUERY and name not in names:
            yield f"G4: the needed tool {name!r} is not listed"


def _plans_are_aligned(solvable: Sequence[str], unsolvable: Sequence[str]) -> bool:
    outside = all(step in (name, UNSOLVABLE_QUERY) for name, step in zip(solvable, unsolvable, strict=False))
    if len(unsolvable) == len(solvable):
        return outside
    limited = unsolvable[-1] == UNSOLVABLE_QUERY and unsolvable.count(UNSOLVABLE_QUERY) == 1
    return outside and limited and len(unsolvable) < len(solvable)


def itemised_findings(field: str, text: str, subtask: str, steps: int) -> Iterator[str]:
    """G6 for one task: two steps may share a line, and a line may need no step."""
    # Optimal selection has one step and states its constraints, in lines of their own or not.
    if subtask in ("single_step", "best"):
        return
    lines = len(numbered_lines(text))
    if lines < 2 or abs(lines - steps) > 1:
        yield f"G6: {field} has {lines} numbered requirements for {steps} steps"


def numbered_lines(text: str) -> list[str]:
    """The requirements that stand in lines of their own, without their numbers."""
    return [line.strip() for _, line in NUMBERED.findall(text)]


def _shared_descriptions(items: Sequence[Item]) -> Iterator[Finding]:
    for subtask in dict.fromkeys(item.subtask for item in items):
        names: dict[str, set[str]] = defaultdict(set)
        for item in items:
            if item.subtask == subtask:
                for tool in official_tools(item.tools):
                    names[tool.description].add(tool.name)
        for shared in names.values():
            if len(shared) > 1:
                yield Finding(subtask, f"G5: {', '.join(sorted(shared))} share one description")


def _near_copy_findings(items: Sequence[Item]) -> Iterator[Finding]:
    """G7 by words instead of embeddings: cosine of word counts, of the tasks and of the tools."""
    tasks = [_word_counts(item.task) for item in items]
    tools = [
        _word_counts("\n".join(f"{tool.name} {tool.description}" for tool in working_tools(item.tools)))
        for item in items
    ]
    for second in range(len(items)):
        for first in range(second):
            if items[first].subtask != items[second].subtask:
                continue
            if (
                min(word_cosine(tasks[first], tasks[second]), word_cosine(tools[first], tools[second]))
                > MOST_SIMILAR
            ):
                yield Finding(items[second].cluster, f"G7: nearly a copy of {items[first].cluster}")


def _word_counts(text: str) -> Counter[str]:
    return Counter(_WORD.findall(text.lower()))


def word_cosine(first: Counter[str], second: Counter[str]) -> float:
    """Cosine of two word counts; 0 where one is empty."""
    product = sum(count * second[word] for word, count in first.items())
    norms = math.sqrt(sum(count * count for count in first.values()) * sum(c * c for c in second.values()))
    return product / norms if norms else 0.0


def _audit_distractors(items: Sequence[Item]) -> Iterator[Finding]:
    for subtask in dict.fromkeys(item.subtask for item in items):
        spare = [
            len({tool.name for tool in working_tools(item.tools)} - set(item.planning_tools))
            for item in items
            if item.subtask == subtask
        ]
        if sum(spare) < len(spare):
            yield Finding(subtask, f"G8: {sum(spare)} distractors in {len(spare)} items; wanted is one each")


def _audit_readability(samples: Sequence[ToolBeHonestSample]) -> Iterator[Finding]:
    """Gold answers that lose points with the released scorer: names it cannot read, or a tie in retrieval."""
    for sample in samples:
        answer = Completion(oracle(sample, (), random.Random(0)))
        prediction = parse(sample, Transcript(sample.id, completions=(answer,)), "official")
        values = score(sample, prediction, {}, "official").values
        rates = [value for name, value in values.items() if name != "l3_ms"]
        if any(value != 1.0 for value in rates):
            what = "the released scorer does not read the gold answer as gold"
            yield Finding(sample.id, what, kind="official_unreadable")
        elif _is_ambiguous(sample):
            what = "another tool of the subtask has the needed tool's description"
            yield Finding(sample.id, what, kind="official_unreadable")


def _is_ambiguous(sample: ToolBeHonestSample) -> bool:
    database = sample.gold.database
    if database is None:
        return False
    return any(
        needed.row is None or database.names[database.descriptions.index(needed.description)] != needed.name
        for needed in sample.gold.needed
    )
