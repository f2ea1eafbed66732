"""Samples of a case file.

    tools: python:shop                  # SOURCE of all cases, as for `toolyard mirror`; a case may name its own
    cases:
      - id: refund-late-order
        request: Order 17 came too late. Refund what I paid.
        expect:
          calls:                        # in this order; further calls that only read are allowed
            - get_order: {order_id: 17}
            - refund: {order_id: 17, amount: {$: 0.total}}
          facts: [{$: 0.total}]         # what the answer must say
        forbid: [delete_*]              # one such call scores 0

`{$: 0.total}` is the field `total` of what the first expected call returned. `{any_of: [a, b]}` accepts either value,
`{any: true}` every value. `conversation` (a list of `user:` and `assistant:` lines) may stand in place of `request`.
`live` names the real source of `--live` where `tools` is a mirror, `rewritten` other documents of the tools for
`--documents rewritten`. `results` of an expectation are what its calls return, for answers that are given without a call.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import NoReturn, TypeAlias, TypedDict

from toolyard.benchmarks.tooleyes.scoring.checks.wanted_facts import WantedFact, read_wanted_fact
from toolyard.core.errors import DataError, UsageError
from toolyard.core.types import JsonValue, Options, Record, Sample
from toolyard.lines import whole_text, write_whole
from toolyard.owntools.cases.case_tools import MountedTools, mount_tools
from toolyard.owntools.sources.text_lines import Lines, line_map, read_text

FORM = "a file with `tools` and a list of `cases`; `toolyard new cases.yaml` writes an example"
FILE_KEYS = ("tools", "live", "system", "rewritten", "draft", "cases")
CASE_KEYS = ("id", "tag", "tools", "request", "conversation", "expect", "forbid")
EXPECT_KEYS = ("calls", "facts", "order", "results")
# Which documents of the tools the model sees.
OWN, NONE, REWRITTEN = "own", "none", "rewritten"
ORDERS = ("listed", "any")
SPEAKERS = ("user", "assistant")


class CaseInput(TypedDict):
    """What a prompt may show, and what the episode may call."""

    system: str
    query: str
    conversation: list[Mapping[str, str]]
    path: str
    documents: list[Record]
    forbid: list[str]
    live: bool


@dataclass(frozen=True, slots=True)
class ExpectedCall:
    """A call that has to be made."""

    tool: str
    arguments: Record


@dataclass(frozen=True, slots=True)
class CaseGold:
    """What has to happen; `calls` is None where the case says nothing about calls.

    `results` are what the expected calls return, where the file says so.
    """

    calls: tuple[ExpectedCall, ...] | None
    facts: tuple[WantedFact, ...]
    ordered: bool
    changing: frozenset[str]
    defaults: Mapping[str, Record]
    results: tuple[JsonValue, ...] = ()


CaseSample: TypeAlias = "Sample[CaseInput, CaseGold]"


@dataclass(frozen=True, slots=True)
class CaseReader:
    """One part of a file, for errors that name its line."""

    path: Path
    lines: Lines
    place: tuple[str | int, ...]
    value: Mapping[str, JsonValue]

    def fail(self, key: str, wanted: str) -> NoReturn:
        """Raises what is wrong with a key, and on which line."""
        line = self.lines.line_at((*self.place, key)) or self.lines.line_at(self.place) or 1
        found = self.value.get(key)
        shown = "is missing" if key not in self.value else f"is {found!r:.60}"
        raise DataError(f"{self.path}:{line}: {key!r} {shown}; wanted {wanted}")

    def refuse_unknown(self, known: tuple[str, ...]) -> None:
        """A key that means nothing is a mistake."""
        for key in self.value:
            if key not in known:
                self.fail(key, f"one of {', '.join(known)}")

    def text(self, key: str, default: str | None = None) -> str:
        """The text of a key."""
        found = self.value.get(key, default)
        if not isinstance(found, str) or (not found.strip() and default is None):
            self.fail(key, "a text")
        return found

    def items(self, key: str) -> list[JsonValue]:
        """The list of a key; empty where it is missing."""
        found = self.value.get(key, [])
        if not isinstance(found, list):
            self.fail(key, "a list")
        return found

    def inner(self, key: str | int, value: JsonValue, wanted: str) -> "CaseReader":
        """A reader of an object within this one."""
        if not isinstance(value, Mapping):
            line = self.lines.line_at((*self.place, key)) or 1
            raise DataError(f"{self.path}:{line}: {str(key)!r} is {value!r:.60}; wanted {wanted}")
        return CaseReader(self.path, self.lines, (*self.place, key), value)


def load(path: Path, options: Options, source: str = "") -> tuple[CaseSample, ...]:
    """The samples of a case file, their tools ready to be called; those of a `source` in place of the file's own."""
    text = whole_text(path, f"wanted {FORM}")
    value = read_text(text, str(path))
    if not isinstance(value, Mapping):
        raise DataError(f"{path} is not an object; wanted {FORM}")
    file = CaseReader(path, line_map(text), (), value)
    file.refuse_unknown(FILE_KEYS)
    if "draft" in value:
        file.fail(
            "draft", "expectations that a person has corrected; correct the cases, then remove this line"
        )
    if not file.items("cases"):
        file.fail("cases", "a list of cases")
    return tuple(_read_samples(file, options, source))


def _read_samples(file: CaseReader, options: Options, given: str) -> Iterator[CaseSample]:
    live, trust = (options.values.get(name) == "yes" for name in ("live", "trust"))
    documents = _read_documents(file, options.values.get("documents", OWN))
    seen: set[str] = set()
    mounted: dict[str, MountedTools] = {}
    listed = CaseReader(file.path, file.lines, ("cases",), {})
    for number, written in enumerate(file.items("cases")):
        case = listed.inner(number, written, "a case: an object with id, request and expect")
        case.refuse_unknown(CASE_KEYS)
        name = case.text("id", f"case-{number + 1}")
        if name in seen:
            case.fail("id", "an id that no other case has")
        seen.add(name)
        source = given or case.text("tools", file.text("tools", ""))
        if not source:
            case.fail(
                "tools",
                "a source of tools here or for the whole file, e.g. mcp:COMMAND, python:MODULE, openapi.yaml",
            )
        if source not in mounted:
            mounted[source] = mount_tools(
                source, file.path, live=live, trust=trust, real=file.text("live", "")
            )
        shown = mounted[source].documents if documents is None else documents
        yield _read_sample(case, name, mounted[source], file.text("system", ""), shown)


def _read_documents(file: CaseReader, wanted: str) -> tuple[Record, ...] | None:
    """The documents that the model sees; None for those of the tools themselves."""
    if wanted != REWRITTEN:
        return () if wanted == NONE else None
    found = file.items("rewritten")
    if not found:
        file.fail(
            "rewritten", "the documents for --documents rewritten: a list of {name, description, parameters}"
        )
    readers = [file.inner("rewritten", each, "a list of {name, description, parameters}") for each in found]
    for each in readers:
        if not isinstance(each.value.get("parameters"), Mapping):
            each.fail("parameters", "the JSON schema of the arguments")
    return tuple(
        {
            "name": each.text("name"),
            "description": each.text("description", ""),
            "parameters": each.value["parameters"],
        }
        for each in readers
    )


def _read_sample(
    case: CaseReader, name: str, tools: MountedTools, system: str, documents: Sequence[Record]
) -> CaseSample:
    conversation = list(_read_conversation(case))
    shown = CaseInput(
        system=system,
        query=conversation[-1]["user"],
        conversation=conversation,
        path=tools.group,
        documents=list(documents),
        forbid=[_read_pattern(case, each) for each in case.items("forbid")],
        live=tools.live,
    )
    return Sample(name, shown, _read_gold(case, tools), groups={"tag": case.text("tag", "all")})


def _read_conversation(case: CaseReader) -> Iterator[Mapping[str, str]]:
    if ("request" in case.value) == ("conversation" in case.value):
        case.fail("request", "either a request or a conversation")
    if "request" in case.value:
        yield {"user": case.text("request")}
        return
    turns = case.items("conversation")
    for turn in turns:
        if not isinstance(turn, Mapping) or len(turn) != 1 or not set(turn) <= set(SPEAKERS):
            case.fail("conversation", "a list of {user: text} and {assistant: text}")
        yield {speaker: str(said) for speaker, said in turn.items()}
    last = turns[-1] if turns else {}
    if not isinstance(last, Mapping) or "user" not in last:
        case.fail("conversation", "at least one turn, the last one by the user")


def _read_pattern(case: CaseReader, written: JsonValue) -> str:
    if not isinstance(written, str) or not written.strip():
        case.fail("forbid", "a list of tool names or patterns such as delete_*")
    return written


def _read_gold(case: CaseReader, tools: MountedTools) -> CaseGold:
    expect = case.inner("expect", case.value.get("expect", {}), "an object with calls, facts or both")
    expect.refuse_unknown(EXPECT_KEYS)
    order = expect.text("order", ORDERS[0])
    if order not in ORDERS:
        expect.fail("order", " or ".join(ORDERS))
    calls = tuple(_read_expected_call(expect, item, tools) for item in expect.items("calls"))
    facts = tuple(_read_fact(expect, item) for item in expect.items("facts"))
    if "calls" not in expect.value and not facts and not case.items("forbid"):
        case.fail("expect", "calls, facts or forbidden calls: without them every answer would pass")
    wanted = calls if "calls" in expect.value else None
    results = tuple(expect.items("results"))
    if results and len(results) != len(calls):
        expect.fail("results", "one result of each of the calls")
    return CaseGold(wanted, facts, order == ORDERS[0], tools.changing, tools.defaults, results)


def _read_expected_call(expect: CaseReader, written: JsonValue, tools: MountedTools) -> ExpectedCall:
    if isinstance(written, str):
        written = {written: {}}
    if not isinstance(written, Mapping) or len(written) != 1:
        expect.fail("calls", "a list of {tool_name: {argument: value}}")
    name, arguments = next(iter(written.items()))
    if name not in tools.names:
        expect.fail(
            "calls", f"a tool of {tools.source} ({', '.join(sorted(tools.names)[:12])}); {name!r} is none"
        )
    if arguments is None:
        arguments = {}
    if not isinstance(arguments, Mapping):
        expect.fail("calls", f"the arguments of {name} as an object")
    _require_callable(expect, name, arguments, tools)
    return ExpectedCall(name, arguments)


def _require_callable(expect: CaseReader, name: str, arguments: Record, tools: MountedTools) -> None:
    """Refuses an expected call that the tool itself would refuse: no model could pass the case."""
    schema = next(each["parameters"] for each in tools.documents if each["name"] == name)
    known = list(schema.get("properties", {}))
    unknown = [] if schema.get("additionalProperties") else [key for key in arguments if key not in known]
    if unknown:
        expect.fail("calls", f"arguments of {name} ({', '.join(known)}); {unknown[0]!r} is none")
    missing = [key for key in schema.get("required", ()) if key not in arguments]
    if missing:
        expect.fail("calls", f"a call of {name} with {', '.join(missing)}, which it requires")


def _read_fact(expect: CaseReader, written: JsonValue) -> WantedFact:
    fact = read_wanted_fact(written)
    if fact is None:
        expect.fail("facts", "texts, numbers, {value: ..., of: subject} or {$: 0.field}")
    return fact


TOOLS = "tools.json"


def write_example(path: Path) -> Path:
    """The case file and its tools, written beside each other; nothing that exists is overwritten."""
    example = files("toolyard.owntools.cases") / "example"
    for target, name in ((path, "cases.yaml"), (path.parent / TOOLS, TOOLS)):
        if target.exists():
            raise UsageError(f"{target} exists; choose another name or --into folder")
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, (example / name).read_bytes())
    return path
