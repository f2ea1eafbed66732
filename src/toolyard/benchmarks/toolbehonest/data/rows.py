"""ToolBeHonest rows: one record is a solvable task and its unsolvable twin.

    {"id": 3, "subtask": "single_step",
     "task": "Find out how much rain fell in the vineyard last night.",
     "tools": "1. RainGauge: Reads ...\\n2. FrostAlarm: Rings ...\\n3. Finish: ...\\n4. UnsolvableQuery: ...",
     "unsolvable_task": "Find out how much rain fell in the vineyard last night.",
     "unsolvable_tools": "1. FrostAlarm: Rings ...\\n2. Finish: ...\\n3. UnsolvableQuery: ...",
     "planning_tools": ["RainGauge", "Finish"],
     "planning_tools_unsolvable": ["UnsolvableQuery", "Finish"],
     "alternatives": [{"planning_tools": ["WeatherStation", "Finish"]}],      # optional: what else is right
     "tags": ["chain-7", "near-miss-limit", "trace-files"]}                   # optional: what makes it hard

An alternative has `planning_tools`, `planning_tools_unsolvable` or both: other right plans; an UnsolvableQuery in it
stands for the tool at the same index of its own `planning_tools`, or of the record's where it has none. `paper` and
`outcome` take the plan that the answer follows furthest, `official` never looks.

Every record becomes six samples, `<subtask>/<id>/<solvable|unsolvable>/<level>`, which share a cluster.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolyard.benchmarks.execution_verdict import executed_lines
from toolyard.benchmarks.toolbehonest.data.executed_order import with_order
from toolyard.benchmarks.toolbehonest.data.sample import (
    Gold,
    Needed,
    OtherPlan,
    ToolBeHonestSample,
    ToolDatabase,
)
from toolyard.benchmarks.toolbehonest.data.tool_list import (
    UNSOLVABLE_QUERY,
    ListedTool,
    listed_tools,
    official_tools,
    without_final_finish,
)
from toolyard.benchmarks.user_files import read_json
from toolyard.core.errors import DataError
from toolyard.core.types import Options, Record, Sample

SCENARIO_OF: Mapping[str, str] = {
    "single_step": "MNT",
    "multi_step_wo_rep": "MNT",
    "multi_step_w_rep": "MNT",
    "os": "PT",
    "web": "PT",
    "iter": "LFT",
    "best": "LFT",
}
SUBTASKS = tuple(SCENARIO_OF)
SCENARIOS = ("MNT", "PT", "LFT")
LEVELS = (1, 2, 3)
VARIANTS = ("solvable", "unsolvable")
TEXT_FIELDS = ("subtask", "task", "tools", "unsolvable_task", "unsolvable_tools")
PLAN_FIELDS = ("planning_tools", "planning_tools_unsolvable")
# An English item may quote a few Chinese words, a Chinese one names its tools in Latin letters.
MOST_CJK_IN_ENGLISH = 0.3
LEAST_CJK_IN_CHINESE = 0.1


@dataclass(frozen=True, slots=True)
class PlanPair:
    """Plans of the two twins, index by index, without their closing Finish; empty where one is not given."""

    solvable: tuple[str, ...]
    unsolvable: tuple[str, ...]

    def plan(self, variant: str) -> tuple[str, ...]:
        """The plan of one twin."""
        return self.solvable if variant == "solvable" else self.unsolvable


@dataclass(frozen=True, slots=True)
class Item:
    """One record: a task that the tools can do, and its twin that they cannot."""

    name: str
    subtask: str
    index: int
    task: str
    tools: str
    unsolvable_task: str
    unsolvable_tools: str
    planning_tools: tuple[str, ...]
    planning_tools_unsolvable: tuple[str, ...]
    alternatives: tuple[PlanPair, ...] = ()
    tags: tuple[str, ...] = ()

    @property
    def cluster(self) -> str:
        """The name that its six samples share."""
        return f"{self.subtask}/{self.name}"

    def task_and_tools(self, variant: str) -> tuple[str, str]:
        """Task and tool list of one twin."""
        if variant == "solvable":
            return self.task, self.tools
        return self.unsolvable_task, self.unsolvable_tools

    def plan(self, variant: str) -> tuple[str, ...]:
        """The gold plan of one twin, without its closing Finish."""
        return without_final_finish(
            self.planning_tools if variant == "solvable" else self.planning_tools_unsolvable
        )


def load(path: Path, options: Options) -> tuple[ToolBeHonestSample, ...]:
    """All samples of a file in the official form, or of the folder's `test_<language>.json`."""
    language = options.values.get("language", "en")
    file = data_file(path, language)
    items, executed = read_items(file), executed_lines(file.parent)
    for item in items:
        _require_language(path, item, language)
    samples = items_to_samples(items, language)
    return tuple(with_order(each, executed.get(each.id.split("/")[1])) for each in samples)


def items_to_samples(items: Sequence[Item], language: str) -> tuple[ToolBeHonestSample, ...]:
    """The six samples of every item."""
    databases, first_rows = _databases_of_subtasks(items)
    return tuple(
        _make_sample(item, variant, level, language, databases[item.subtask], first_rows[item.cluster])
        for item in items
        for variant in VARIANTS
        for level in LEVELS
    )


def data_file(path: Path, language: str) -> Path:
    """The file itself, or the one in the folder that holds the language."""
    if not path.is_dir():
        return path
    file = path / f"test_{language}.json"
    if not file.is_file():
        raise DataError(f"{path} has no {file.name}; give a file in the official form, or another --language")
    return file


def read_items(path: Path) -> tuple[Item, ...]:
    """The checked records of a file, in order."""
    rows = read_json(path, "wanted is one array of records in the official form")
    if not isinstance(rows, list):
        raise DataError(f"{path} holds a {type(rows).__name__}; wanted is one array of records")
    seen: Counter[str] = Counter()
    items = []
    for number, row in enumerate(rows):
        item = _read_item(path, number, row, seen)
        seen[item.subtask] += 1
        items.append(item)
    _require_unique(path, items)
    return tuple(items)


def _read_item(path: Path, number: int, row: object, seen: Mapping[str, int]) -> Item:
    if not isinstance(row, dict):
        raise DataError(f"{path}, record {number}: found a {type(row).__name__}, wanted an object")
    where = f"{path}, item {row.get('id', number)!r} (record {number})"
    for field in TEXT_FIELDS:
        if not isinstance(row.get(field), str):
            raise DataError(f"{where}: field {field!r} is {_require_type(row, field)}; wanted is a text")
    for field in PLAN_FIELDS:
        plan = row.get(field)
        if not isinstance(plan, list) or not plan or not all(isinstance(step, str) for step in plan):
            raise DataError(
                f"{where}: field {field!r} is {_require_plan(row, field)}; wanted is a list of tool names"
            )
    if row["subtask"] not in SCENARIO_OF:
        raise DataError(
            f"{where}: subtask {row['subtask']!r} is unknown; wanted is one of {', '.join(SUBTASKS)}"
        )
    item = Item(
        name=str(row.get("id", number)),
        index=seen.get(row["subtask"], 0),
        planning_tools=tuple(row["planning_tools"]),
        planning_tools_unsolvable=tuple(row["planning_tools_unsolvable"]),
        alternatives=_read_alternatives(where, row),
        tags=_read_tags(where, row),
        **{field: row[field] for field in TEXT_FIELDS},
    )
    _require_plans(where, item)
    return item


def _read_alternatives(where: str, row: Record) -> tuple[PlanPair, ...]:
    entries = row.get("alternatives", [])
    if not isinstance(entries, list):
        raise DataError(
            f"{where}: field 'alternatives' is {_require_type(row, 'alternatives')}; wanted is a list"
        )
    pairs = []
    for number, entry in enumerate(entries):
        plans: list[Any] = [entry.get(each, []) for each in PLAN_FIELDS] if isinstance(entry, dict) else [0]
        fine = all(isinstance(plan, list) and all(isinstance(step, str) for step in plan) for plan in plans)
        if not fine or not any(plans):
            raise DataError(
                f"{where}: alternatives[{number}] is not a plan; wanted is {' or '.join(PLAN_FIELDS)}, "
                "each a list of tool names"
            )
        pairs.append(PlanPair(*(without_final_finish(tuple(plan)) for plan in plans)))
    return tuple(pairs)


def _read_tags(where: str, row: Record) -> tuple[str, ...]:
    tags = row.get("tags", [])
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise DataError(f"{where}: field 'tags' is {_require_type(row, 'tags')}; wanted is a list of texts")
    return tuple(tags)


def _require_type(row: Record, field: str) -> str:
    return f"a {type(row[field]).__name__}" if field in row else "missing"


def _require_plan(row: Record, field: str) -> str:
    plan = row.get(field)
    if not isinstance(plan, list):
        return _require_type(row, field)
    odd = [type(step).__name__ for step in plan if not isinstance(step, str)]
    return f"a list with a {odd[0]}" if odd else "an empty list"


def _require_plans(where: str, item: Item) -> None:
    solvable, unsolvable = item.plan("solvable"), item.plan("unsolvable")
    if not solvable:
        raise DataError(f"{where}: planning_tools has no step before Finish; wanted is at least one tool")
    positions = [index for index, name in enumerate(unsolvable) if name == UNSOLVABLE_QUERY]
    if not positions:
        raise DataError(
            f"{where}: planning_tools_unsolvable has no {UNSOLVABLE_QUERY}; wanted is at least one"
        )
    if positions[-1] >= len(solvable):
        raise DataError(
            f"{where}: {UNSOLVABLE_QUERY} stands at index {positions[-1]} of planning_tools_unsolvable, but "
            f"planning_tools has only {len(solvable)} steps; the two plans must be aligned"
        )


def _require_unique(path: Path, items: Iterable[Item]) -> None:
    for cluster, count in Counter(item.cluster for item in items).items():
        if count > 1:
            raise DataError(f"{path}: the id of item {cluster!r} occurs {count} times; ids must be unique")


def cjk_share(text: str) -> float:
    """Chinese characters among all letters of the text."""
    chinese = sum("\u3400" <= character <= "\u9fff" for character in text)
    letters = sum(character.isalpha() for character in text)
    return chinese / letters if letters else 0.0


def _require_language(path: Path, item: Item, language: str) -> None:
    share = cjk_share(item.task + item.unsolvable_task)
    where = f"{path}, item {item.name!r}: {share:.0%} of the task's letters are Chinese characters"
    if language == "en" and share > MOST_CJK_IN_ENGLISH:
        raise DataError(f"{where}, but the language is en; use --language zh")
    if language == "zh" and share < LEAST_CJK_IN_CHINESE:
        raise DataError(f"{where}, but the language is zh; use --language en")


def _databases_of_subtasks(items: Iterable[Item]) -> tuple[dict[str, ToolDatabase], dict[str, int]]:
    """The database of each subtask, and at which row each item's own tools begin."""
    tools: dict[str, list[ListedTool]] = {}
    first_rows: dict[str, int] = {}
    for item in items:
        rows = tools.setdefault(item.subtask, [])
        first_rows[item.cluster] = len(rows)
        rows.extend(official_tools(item.tools))
    databases = {
        subtask: ToolDatabase(tuple(tool.name for tool in rows), tuple(tool.description for tool in rows))
        for subtask, rows in tools.items()
    }
    return databases, first_rows


def _make_sample(
    item: Item, variant: str, level: int, language: str, database: ToolDatabase, first_row: int
) -> ToolBeHonestSample:
    task, tools = item.task_and_tools(variant)
    missing_tool_analysis = variant == "unsolvable" and level == 3
    groups = {
        "scenario": SCENARIO_OF[item.subtask],
        "subtask": item.subtask,
        "level": f"level_{level}",
        "variant": variant,
    }
    if variant == "solvable":
        groups["solvable"] = f"level_{level}"
    if item.tags:
        groups["trace"] = "left" if any(tag.startswith("trace-") for tag in item.tags) else "none"
    return Sample(
        id=f"{item.cluster}/{variant}/{level}",
        input={"task": task, "tools": tools, "level": level, "language": language},
        gold=Gold(
            verdict=variant,
            plan=item.plan(variant),
            known=tuple(tool.name for tool in official_tools(item.tools)),
            index=item.index,
            needed=_needed_tools(item, item.plan(variant), item.plan("solvable"), first_row),
            database=database if missing_tool_analysis else None,
            others=tuple(_other_plans(item, variant, first_row)),
        ),
        cluster=item.cluster,
        groups=groups,
    )


def _other_plans(item: Item, variant: str, first_row: int) -> Iterator[OtherPlan]:
    for pair in item.alternatives:
        plan = pair.plan(variant)
        if plan:
            solvable = pair.solvable or item.plan("solvable")
            yield OtherPlan(plan, _needed_tools(item, plan, solvable, first_row))


def _needed_tools(
    item: Item, plan: tuple[str, ...], solvable: tuple[str, ...], first_row: int
) -> tuple[Needed, ...]:
    """What the UnsolvableQuery steps of a plan would need; a solvable plan has none."""
    return tuple(
        _needed_tool_at(position, solvable[position], official_tools(item.tools), first_row)
        for position, name in enumerate(plan)
        if name == UNSOLVABLE_QUERY and position < len(solvable)
    )


def _needed_tool_at(position: int, name: str, tools: tuple[ListedTool, ...], first_row: int) -> Needed:
    # A name listed twice keeps its last description, as in the released scorer's dictionary.
    rows = [row for row, tool in enumerate(tools) if tool.name == name]
    rows = rows or [row for row, tool in enumerate(tools) if tool.name.strip() == name.strip()]
    if not rows:
        return Needed(position, name, "", None)
    return Needed(position, name, tools[rows[-1]].description, first_row + rows[-1])


def shown_names(sample: ToolBeHonestSample) -> frozenset[str]:
    """The tool names of the list that the model was shown, and UnsolvableQuery."""
    return frozenset({UNSOLVABLE_QUERY, *(tool.name for tool in listed_tools(sample.input["tools"]))})
