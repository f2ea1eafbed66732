"""What is wrong or remarkable in a data set."""

import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from toolyard.benchmarks.nestools.data.rows import nested_calls
from toolyard.benchmarks.nestools.data.sample import NestoolsCall, NestoolsSample
from toolyard.benchmarks.nestools.scoring.baselines import oracle
from toolyard.benchmarks.nestools.scoring.parse import parse_official
from toolyard.core.benchmark import Finding
from toolyard.core.nesting import dangling_references, label_of_number, label_producers, labels_in
from toolyard.core.types import Failure, JsonValue
from toolyard.text.canonical_values import to_canonical

UNREADABLE = "official_unreadable"
PYTHON_TYPES: Mapping[str, tuple[type, ...]] = {
    "str": (str,),
    "int": (int,),
    "float": (float, int),
    "bool": (bool,),
    "list": (list,),
    "dict": (dict,),
}


def audit(path: Path, samples: tuple[NestoolsSample, ...]) -> tuple[Finding, ...]:  # noqa: ARG001
    """Defects that make a record unfair or unscorable, and notes on what a reader should know."""
    findings = [finding for sample in samples for finding in _audit_record(sample)]
    return (*findings, *_shared_ids(samples))


def _audit_record(sample: NestoolsSample) -> Iterator[Finding]:
    where = f"test_id {sample.id}"
    chain = nested_calls(sample.gold["calls"])
    for index, argument, name in dangling_references(chain):
        yield Finding(
            f"{where} call {index}",
            f"{argument} refers to {name}, which no earlier call returns",
            kind="dangling",
        )
    given = [name for call in chain for name in call.labels]
    if given != [label_of_number(number) for number in range(len(given))]:
        yield Finding(where, "labels do not count from API_call_0 upwards", "note", "labels")
    names = Counter(tool["api_name"] for tool in sample.input["tools"])
    for name in (name for name, count in names.items() if count > 1):
        yield Finding(where, f"two gold tools are named {name}", kind="repeated_tool")
    for index, call in enumerate(sample.gold["calls"]):
        yield from _audit_call(sample, call, f"{where} call {index} {call['api_name']}")
    if not _officially_readable(sample):
        yield Finding(
            sample.id, "the official parser does not read the gold answer as it is", "note", UNREADABLE
        )


def _officially_readable(sample: NestoolsSample) -> bool:
    read = parse_official(oracle(sample, (), random.Random(0)))
    if isinstance(read, Failure):
        return False
    return [call.parameters for call in read] == [call["parameters"] for call in sample.gold["calls"]]


def _audit_call(sample: NestoolsSample, call: NestoolsCall, where: str) -> Iterator[Finding]:
    tool = next(tool for tool in sample.input["tools"] if tool["api_name"] == call["api_name"])
    if len(call["responses"]) != len(tool["responses"]):
        yield Finding(
            where,
            f"{len(call['responses'])} labels for {len(tool['responses'])} return values",
            kind="labels",
        )
    for name in tool["required"]:
        if name not in call["parameters"]:
            yield Finding(where, f"required parameter {name} is missing", kind="missing_required")
    for name, value in call["parameters"].items():
        declared = tool["parameters"].get(name)
        if not isinstance(declared, Mapping):
            yield Finding(where, f"parameter {name} is not declared", kind="undeclared")
            continue
        yield from _audit_value(sample, name, value, declared.get("type"), where)


def _audit_value(
    sample: NestoolsSample, name: str, value: JsonValue, kind: JsonValue, where: str
) -> Iterator[Finding]:
    wanted = PYTHON_TYPES.get(kind) if isinstance(kind, str) else None
    found = labels_in(value)
    if found == (value,):
        produced = _produced_type(sample, found[0])
        if produced is not None and kind is not None and produced != kind:
            yield Finding(where, f"{name} is declared {kind} and takes {value}, a {produced}", kind="type")
        return
    if wanted is not None and (not isinstance(value, wanted) or isinstance(value, bool) != (kind == "bool")):
        yield Finding(where, f"{name} is declared {kind}, found {type(value).__name__}", kind="type")
    if not found and not is_spelled_out(value, lower_case_with_digits(sample.input["query"])):
        shown = json.dumps(value, ensure_ascii=False)
        yield Finding(where, f"the query does not spell out {name} = {shown}", "note", "not_in_query")


def _produced_type(sample: NestoolsSample, name: str) -> JsonValue:
    place = label_producers(nested_calls(sample.gold["calls"])).get(name)
    if place is None:
        return None
    producer = sample.gold["calls"][place.call]["api_name"]
    tool = next(tool for tool in sample.input["tools"] if tool["api_name"] == producer)
    returns = list(tool["responses"].values())
    entry = returns[place.position] if place.position < len(returns) else None
    return entry.get("type") if isinstance(entry, Mapping) else None


def lower_case_with_digits(query: str) -> str:
    """The query in lower case, and once more with its number words as digits: "four" stands there for 4."""
    return f"{query.lower()}\n{to_canonical(query)[-1]}"


def is_spelled_out(value: JsonValue, query: str) -> bool:
    """Whether the query has the value word for word, part by part; a truth value is never spelled out."""
    if value is None or isinstance(value, bool):
        return True
    if isinstance(value, list | dict):
        return all(
            is_spelled_out(part, query) for part in (value.values() if isinstance(value, dict) else value)
        )
    if isinstance(value, float) and value.is_integer() and str(int(value)) in query:
        return True
    return str(value).lower() in query


def _shared_ids(samples: tuple[NestoolsSample, ...]) -> Iterator[Finding]:
    """Different tools under one id: the official scorer, which goes by id, would take one for the other."""
    names: dict[JsonValue, str] = {}
    for sample in samples:
        for tool in sample.input["tools"]:
            name, first = tool["api_name"], names.setdefault(tool["api_id"], tool["api_name"])
            if first != name:
                yield Finding(
                    f"test_id {sample.id}",
                    f"api_id {tool['api_id']} stands for {first} and {name}",
                    kind="shared_id",
                )
