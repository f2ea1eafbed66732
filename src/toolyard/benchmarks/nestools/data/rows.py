"""NesTools rows, one JSON object per line of `test_data.jsonl`.

    {"test_id": 7,
     "api": [{"api_name": "find_ferry", "api_description": "Find the next ferry between two ports.",
              "parameters": {"origin": {"type": "str", "description": "port of departure"}, ...},
              "required": ["origin", "destination"],
              "responses": {"ferry_code": {"type": "str", "description": "code of the crossing"}}}, ...],
     "task": "Find the next ferry from Turku to Mariehamn and book two seats on it.",
     "call": [{"api_name": "find_ferry", "parameters": {"origin": "Turku", "destination": "Mariehamn"},
               "responses": ["API_call_0"]},
              {"api_name": "book_seats", "parameters": {"ferry_code": "API_call_0", "seats": 2},
               "responses": ["API_call_1"]}],
     "field": "Travel/Ferries",
     "alternatives": [{"call": 1, "parameter": "class", "values": ["economy"]}]}      # optional: what else is right

Beside it may lie `test_api_ids.jsonl` ({"test_id": 7, "api_ids": [311, 96]}, aligned with `api`),
`pool.jsonl` (one tool per line, with its `api_id`) and `distractors.jsonl`
({"test_id": 7, "distractors": [5, 618, ...]}, each the `api_id` of a tool in the pool, or a whole tool), and in a set
made from the world `execution.jsonl`. A row without `api` has the tools of the pool that its `api_ids` name.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from toolyard.benchmarks.alternatives import FIELD as ALTERNATIVES
from toolyard.benchmarks.alternatives import Alternatives, read_alternatives
from toolyard.benchmarks.errata import apply_errata
from toolyard.benchmarks.execution_verdict import executed_lines, world_row
from toolyard.benchmarks.nestools.data.sample import NestoolsCall, NestoolsGold, NestoolsSample, NestoolsTool
from toolyard.benchmarks.user_files import json_lines
from toolyard.core.errors import DataError
from toolyard.core.nesting import NestedCall, chain_structure, depth, edges
from toolyard.core.types import JsonValue, Options, Record, Sample

DATA_FILE = "test_data.jsonl"
IDS_FILE = "test_api_ids.jsonl"
POOL_FILE = "pool.jsonl"
ORIGIN = "origin"
DISTRACTORS_FILE = "distractors.jsonl"
DEEPEST_GROUP = 3

TOOL_FIELDS: Mapping[str, type] = {
    "api_name": str,
    "api_description": str,
    "parameters": dict,
    "required": list,
    "responses": dict,
}
CALL_FIELDS: Mapping[str, type] = {"api_name": str, "parameters": dict, "responses": list}
ROW_FIELDS: Mapping[str, type] = {"test_id": int, "api": list, "task": str, "call": list}
WANTED = "wanted one JSON object per line"
TYPE_NAMES = {str: "a string", list: "a list", dict: "an object", int: "an integer"}


@dataclass(frozen=True, slots=True)
class DataLine:
    """One row of a file, with where it stands."""

    where: str
    row: Record

    def problem(self, field: str, wanted: str) -> DataError:
        """The error that says which line and field is wrong, and what was wanted there."""
        return DataError(f"{self.where}: field {field}: wanted {wanted}; correct that line")


def read_lines(path: Path) -> Iterator[DataLine]:
    """The JSON objects of a file, one per line; blank lines are passed over."""
    if not path.exists():
        raise DataError(
            f"{path} does not exist; a folder of data holds {DATA_FILE} and, if wanted, {IDS_FILE} and {POOL_FILE}; the "
            "official ones come with: toolyard fetch nestools"
        )
    for where, row in json_lines(path, WANTED):
        if not isinstance(row, dict):
            raise DataError(f"{where}: found {type(row).__name__}; {WANTED}")
        yield DataLine(where, row)


def data_folder(path: Path) -> Path:
    """The folder that holds the files of a data set, whether it was named by folder or by file."""
    return path if path.is_dir() else path.parent


def data_file(path: Path) -> Path:
    """The file with the records."""
    return path / DATA_FILE if path.is_dir() else path


def load(path: Path, options: Options) -> tuple[NestoolsSample, ...]:
    """The records of a folder or of one `test_data.jsonl`, in file order."""
    return apply_errata(
        _load_samples(path), options, Path(__file__).parents[1], lambda sample: str(sample.input["query"])
    )


def _load_samples(path: Path) -> tuple[NestoolsSample, ...]:
    pool_file = data_folder(path) / POOL_FILE
    pool = {tool["api_id"]: tool for tool in _read_pool(pool_file)} if pool_file.exists() else {}
    lines = list(read_lines(data_file(path)))
    ids = _tool_ids(path, lines)
    lines = [_add_tools_of_pool(line, ids, pool) for line in lines]
    distractors = _read_distractors(path, pool)
    executed = executed_lines(data_folder(path))
    samples: dict[str, NestoolsSample] = {}
    for line in lines:
        sample = _make_sample(line, ids, executed)
        if sample.id in samples:
            raise line.problem("test_id", f"an id that occurs once; {sample.id} is repeated")
        samples[sample.id] = sample
    if not samples:
        raise DataError(f"{data_file(path)} has no records; wanted one JSON object per line")
    unknown = sorted(set(distractors) - set(samples))
    if unknown:
        raise DataError(
            f"{data_folder(path) / DISTRACTORS_FILE} names test_id {unknown[0]}, which has no record"
        )
    return tuple(
        sample.with_input({"distractors": distractors[name]}) if name in distractors else sample
        for name, sample in samples.items()
    )


def _add_tools_of_pool(
    line: DataLine, ids: Mapping[str, list[int | str]], pool: Mapping[int | str, NestoolsTool]
) -> DataLine:
    """The line with its tools from the pool, where it has none of its own."""
    wanted = ids.get(str(line.row.get("test_id")), [])
    if "api" in line.row or not wanted:
        return line
    if missing := [tool for tool in wanted if tool not in pool]:
        raise line.problem("api", f"the tools, or a {POOL_FILE} that has number {missing[0]}")
    return DataLine(line.where, {**line.row, "api": [pool[tool] for tool in wanted]})


def nested_calls(calls: Sequence[NestoolsCall]) -> tuple[NestedCall, ...]:
    """The gold calls as a chain of labels and arguments."""
    return tuple(NestedCall(call["parameters"], tuple(call["responses"])) for call in calls)


def accepted_alternatives(sample: NestoolsSample) -> Alternatives:
    """What is accepted besides the gold calls; empty where the row does not say."""
    return read_alternatives(sample.gold.get(ALTERNATIVES), len(sample.gold["calls"]), sample.id)


def offered_tools(sample: NestoolsSample) -> list[NestoolsTool]:
    """Every tool the prompt offers: the gold ones and the distractors."""
    return [*sample.input["tools"], *sample.input.get("distractors", ())]


def has_distractors(sample: NestoolsSample) -> bool:
    """Whether the list of offered tools is complete; saved predictions of the release come without it."""
    return "distractors" in sample.input


def _make_sample(
    line: DataLine, ids: Mapping[str, list[int | str]], executed: Mapping[str, Record]
) -> NestoolsSample:
    _check_fields(line, line.row, ROW_FIELDS, "")
    row = line.row
    for index, tool in enumerate(row["api"]):
        _check_fields(line, tool, TOOL_FIELDS, f"api[{index}].")
    for index, call in enumerate(row["call"]):
        _check_fields(line, call, CALL_FIELDS, f"call[{index}].")
    if not row["call"]:
        raise line.problem("call", "at least one call")
    test_id = str(row["test_id"])
    if len(ids[test_id]) != len(row["api"]):
        raise line.problem("api", f"as many tools as {IDS_FILE} has ids for test_id {test_id}")
    tools = [with_id(tool, tool_id) for tool, tool_id in zip(row["api"], ids[test_id], strict=True)]
    calls = _gold_calls(line, tools)
    gold: NestoolsGold = {"calls": calls}
    if ALTERNATIVES in row:
        read_alternatives(row[ALTERNATIVES], len(calls), line.where)
        gold["alternatives"] = row[ALTERNATIVES]
    if (found := world_row(executed.get(test_id), 0, len(calls))) is not None:
        gold["execution"] = found
    return Sample(
        id=test_id,
        input={"query": row["task"], "tools": tools},
        gold=gold,
        groups={
            **row_groups(calls, str(row.get("field", ""))),
            **({ORIGIN: str(row[ORIGIN])} if ORIGIN in row else {}),
        },
    )


def _gold_calls(line: DataLine, tools: Sequence[NestoolsTool]) -> list[NestoolsCall]:
    ids = {tool["api_name"]: tool["api_id"] for tool in tools}
    calls = []
    for index, call in enumerate(line.row["call"]):
        if call["api_name"] not in ids:
            raise line.problem(
                f"call[{index}].api_name", f"one of {', '.join(ids)}, found {call['api_name']}"
            )
        if not all(isinstance(name, str) for name in call["responses"]):
            raise line.problem(f"call[{index}].responses", "a list of labels such as API_call_0")
        calls.append(call_with_id(call, ids[call["api_name"]]))
    return calls


def row_groups(calls: Sequence[NestoolsCall], field: str) -> dict[str, str]:
    """Depth, structure and domain of a record, as figures are broken down."""
    chain = nested_calls(calls)
    links = edges(chain)
    levels = depth(len(chain), links)
    return {
        "depth": f"{DEEPEST_GROUP}+" if levels >= DEEPEST_GROUP else str(levels),
        "structure": chain_structure(len(chain), links),
        "domain": field.split("/", 1)[0],
    }


def with_id(tool: Record, tool_id: int | str) -> NestoolsTool:
    """The checked tool with its `api_id` right after its name, as the released prompts have it."""
    return cast(NestoolsTool, _put_tool_id(tool, tool_id))


def call_with_id(call: Record, tool_id: int | str) -> NestoolsCall:
    """The same for a checked call."""
    return cast(NestoolsCall, _put_tool_id(call, tool_id))


def _put_tool_id(item: Record, tool_id: int | str) -> dict[str, JsonValue]:
    rest = {key: value for key, value in item.items() if key not in ("api_name", "api_id")}
    return {"api_name": item["api_name"], "api_id": tool_id, **rest}


def _check_fields(line: DataLine, item: object, fields: Mapping[str, type], where: str) -> None:
    if not isinstance(item, Mapping):
        raise line.problem(where.rstrip("."), "an object")
    for field, kind in fields.items():
        value = item.get(field)
        if not isinstance(value, kind) or isinstance(value, bool):
            found = "nothing" if field not in item else type(value).__name__
            raise line.problem(where + field, f"{TYPE_NAMES[kind]}, found {found}")


def _tool_ids(path: Path, lines: list[DataLine]) -> dict[str, list[int | str]]:
    """Tool ids by record: from the ids file, or else numbered by first appearance of the tool."""
    source = data_folder(path) / IDS_FILE
    if source.exists():
        ids = {}
        for line in read_lines(source):
            _check_fields(line, line.row, {"test_id": int, "api_ids": list}, "")
            if not all(isinstance(tool_id, int | str) for tool_id in line.row["api_ids"]):
                raise line.problem("api_ids", "a list of integers")
            ids[str(line.row["test_id"])] = line.row["api_ids"]
        for line in lines:
            if str(line.row.get("test_id")) not in ids:
                raise line.problem("test_id", f"an id that {source} knows")
        return ids
    numbers: dict[str, int] = {}
    return {
        str(line.row.get("test_id")): [
            numbers.setdefault(tool_key(tool), len(numbers)) for tool in _read_tools(line)
        ]
        for line in lines
    }


def _read_tools(line: DataLine) -> list[object]:
    _check_fields(line, line.row, ROW_FIELDS, "")
    tools: list[object] = line.row["api"]
    return tools


def tool_key(tool: object) -> str:
    """A text that two tools share only when they are the same tool, whatever their ids."""
    if not isinstance(tool, Mapping):
        return repr(tool)
    return json.dumps({key: value for key, value in tool.items() if key != "api_id"}, sort_keys=True)


def _read_distractors(path: Path, pool: Mapping[int | str, NestoolsTool]) -> dict[str, list[NestoolsTool]]:
    source = data_folder(path) / DISTRACTORS_FILE
    if not source.exists():
        return {}
    found = {}
    for line in read_lines(source):
        _check_fields(line, line.row, {"test_id": int, "distractors": list}, "")
        tools = [
            _distractor_at(line, item, index, pool) for index, item in enumerate(line.row["distractors"])
        ]
        found[str(line.row["test_id"])] = tools
    return found


def _distractor_at(
    line: DataLine, item: object, index: int, pool: Mapping[int | str, NestoolsTool]
) -> NestoolsTool:
    where = f"distractors[{index}]"
    if isinstance(item, Mapping):
        _check_tool(line, item, f"{where}.")
        return with_id(item, item["api_id"])
    if not isinstance(item, int | str) or item not in pool:
        raise line.problem(where, f"a tool, or the api_id of one in {POOL_FILE}")
    return pool[item]


def _check_tool(line: DataLine, tool: Record, where: str) -> None:
    _check_fields(line, tool, TOOL_FIELDS, where)
    if not isinstance(tool.get("api_id"), int | str):
        raise line.problem(f"{where}api_id", "the tool's id")


def distractor_pool(path: Path) -> list[NestoolsTool]:
    """The tools that distractors are drawn from: `pool.jsonl`, or else all gold tools, each once."""
    source = data_folder(path) / POOL_FILE
    if not source.exists():
        # All records, not only those of a limited run: the offer must not depend on --limit.
        tools = [tool for sample in load(path, Options()) for tool in sample.input["tools"]]
        return list({tool_key(tool): tool for tool in reversed(tools)}.values())[::-1]
    return _read_pool(source)


def _read_pool(source: Path) -> list[NestoolsTool]:
    pool = []
    for line in read_lines(source):
        _check_tool(line, line.row, "")
        pool.append(with_id(line.row, line.row["api_id"]))
    return pool
