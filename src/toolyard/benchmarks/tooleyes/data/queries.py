"""Our own queries, one JSON object a line: what the user wants, and how it is checked."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from toolyard.benchmarks.tooleyes.data.documents import is_document
from toolyard.benchmarks.tooleyes.data.references import ATTEMPT, PLACE, observed_calls, parse, references_in
from toolyard.benchmarks.tooleyes.data.sample import (
    DECIDED,
    ChangeOfMind,
    QueryGold,
    QueryStep,
    ToolEyesInput,
    ToolEyesSample,
)
from toolyard.benchmarks.tooleyes.scoring.checks.wanted_facts import (
    WantedDecision,
    WantedFact,
    WantedSample,
    read_decision,
    read_wanted_fact,
    read_wanted_sample,
)
from toolyard.benchmarks.user_files import json_lines
from toolyard.core.errors import DataError
from toolyard.core.state_checks import ANY, CHANGES, StateCheck
from toolyard.core.types import JsonValue, Record, Sample

FIELDS = frozenset({
    "id", "query", "path", "scenario", "slots", "change", "checks", "plan", "answer", "documents", "offers", "tags",
})  # fmt: skip
CHECKS = frozenset({"facts", "samples", "decisions", "absent", "state", "scratch", "derived"})
STEP = frozenset({"tool", "arguments", "thought", "optional"})
CHECK = frozenset({"store", "change", "key", "where", "count", "as_planned"})


@dataclass(frozen=True, slots=True)
class QueryLine:
    """One row and where it stands."""

    where: str
    row: Record

    def wrong(self, field: str, wanted: str) -> DataError:
        """The error that says which line and field, and what was wanted there."""
        name = self.row.get("id", self.row.get("key"))
        row = f" in the row {name}" if isinstance(name, str) else ""
        return DataError(f"{self.where}: field {field}: wanted {wanted}{row}; docs/synth.md shows examples")

    def text(self, field: str) -> str:
        """A field that must hold text."""
        value = self.row.get(field)
        if not isinstance(value, str) or not value.strip():
            raise self.wrong(field, "text")
        return value


def read_queries(path: Path) -> tuple[ToolEyesSample, ...]:
    """The queries of one file, in its order; the first mistake is named by line and field."""
    samples: dict[str, ToolEyesSample] = {}
    for line in _read_lines(path):
        sample = _sample_of_line(line)
        if sample.id in samples:
            raise line.wrong("id", f"an id of its own, {sample.id!r} is there already")
        samples[sample.id] = sample
    return tuple(samples.values())


def _read_lines(path: Path) -> Iterator[QueryLine]:
    for where, row in json_lines(path, "want one JSON object a line"):
        if not isinstance(row, dict):
            raise DataError(f"{where}: no object; want one object a line")
        yield QueryLine(where, row)


def _sample_of_line(line: QueryLine) -> ToolEyesSample:
    _refuse_unknown_fields(line, "row", line.row, FIELDS)
    group, scenario = line.text("path"), line.text("scenario")
    if group.count("/") != 1:
        raise line.wrong("path", "Category/Subcategory")
    shown: ToolEyesInput = {"query": line.text("query"), "path": group, "slots": _slots_of_line(line)}
    if "change" in line.row:
        shown["change"] = _change_of_mind(line)
    if "documents" in line.row:
        shown["documents"] = _own_documents(line)
    if "offers" in line.row:
        shown["offers"] = [str(part) for part in _require_list(line, line.row, "offers")]
    return Sample(
        id=line.text("id"),
        input=shown,
        gold=read_gold(line),
        groups={
            "scenario": scenario,
            "subcategory": group,
            "kind": "changed" if "change" in line.row else "asking" if line.row.get("slots") else "plain",
        },
    )


def _refuse_unknown_fields(
    line: QueryLine, field: str, found: Mapping[str, JsonValue], known: frozenset[str]
) -> None:
    unknown = sorted(set(found) - known)
    if unknown:
        raise line.wrong(field, f"only {', '.join(sorted(known))}, not {', '.join(unknown)}")


def _slots_of_line(line: QueryLine) -> dict[str, str]:
    slots = line.row.get("slots", {})
    if not isinstance(slots, dict) or not all(isinstance(value, str) for value in slots.values()):
        raise line.wrong(
            "slots", 'an object of texts, {"key words, comma separated": "what the user then says"}'
        )
    return dict(slots)


def _own_documents(line: QueryLine) -> list[Record]:
    """Documents that a row brings itself, for tools that are not the library's."""
    listed = _require_list(line, line.row, "documents")
    documents = [each for each in listed if is_document(each)]
    if not documents or len(documents) < len(listed):
        raise line.wrong("documents", "function schemas, each with a name and parameters")
    return documents


def _change_of_mind(line: QueryLine) -> ChangeOfMind:
    change = line.row["change"]
    good = isinstance(change, dict) and set(change) == {"after_round", "text"}
    if not good or not isinstance(change["text"], str) or not isinstance(change["after_round"], int):
        raise line.wrong("change", '{"after_round": 1, "text": "what the user now wants"}')
    if not 1 <= change["after_round"] <= 7:
        raise line.wrong("change.after_round", "a round from 1 to 7, so that there is time to react")
    return {"after_round": change["after_round"], "text": change["text"]}


def read_gold(line: QueryLine) -> QueryGold:
    """The checks, the plan and its answer of a row."""
    checks = line.row.get("checks")
    if not isinstance(checks, dict):
        raise line.wrong("checks", 'an object with "facts", "state" or both')
    _refuse_unknown_fields(line, "checks", checks, CHECKS)
    gold = QueryGold(
        facts=_wanted_facts(line, checks, "facts"),
        samples=_wanted_samples(line, checks),
        decisions=_wanted_decisions(line, checks),
        absent=_wanted_facts(line, checks, "absent"),
        state=tuple(_wanted_state(line, check) for check in _require_list(line, checks, "state")),
        scratch=tuple(str(item) for item in _require_list(line, checks, "scratch")),
        derived=tuple(str(item) for item in _require_list(line, checks, "derived")),
        plan=tuple(_gold_step(line, step) for step in _require_list(line, line.row, "plan")),
        answer=line.text("answer"),
    )
    if not gold.facts and not gold.samples and not gold.state and not gold.decisions:
        raise line.wrong("checks", "at least one fact or one state: without it any answer would pass")
    if not gold.plan:
        raise line.wrong("plan", "at least one call")
    _good_references(line, checks, gold)
    return gold


def _good_references(line: QueryLine, checks: Record, gold: QueryGold) -> None:
    """Names the first reference that is none, or that needs a call which comes later or never."""
    for place, step in enumerate(gold.plan):
        for written in references_in(dict(step.arguments)):
            _good_reference(line, f"plan[{place}].arguments", written, place)
    for written in references_in(checks):
        _good_reference(line, "checks", written, len(gold.plan))
    said = [decision.said for decision in gold.decisions] + [decision.denied for decision in gold.decisions]
    for field, text in [("answer", gold.answer), *(("checks.decisions", text) for text in said)]:
        for attempt in ATTEMPT.finditer(text):
            found = PLACE.match(text, attempt.start())
            end = text.find("}", attempt.start()) + 1 or len(text)
            written = found[1] if found else text[attempt.start() : end]
            _good_reference(line, field, written, len(gold.plan))
    for place in DECIDED.findall(gold.answer):
        if int(place or 0) >= len(gold.decisions) or not gold.decisions[int(place or 0)].said:
            raise line.wrong("answer", "a decision with said and denied for each {decision}")


def _good_reference(line: QueryLine, field: str, written: str, calls: int) -> None:
    if parse(written) is None:
        raise line.wrong(field, f"a reference such as 0.items[name=Kraken].id, not {written}")
    late = [place for place in observed_calls(written) if place >= calls]
    if late:
        raise line.wrong(field, f"the result of an earlier call, not {written} (there are {calls} before it)")


def _require_list(line: QueryLine, holder: Record, field: str) -> list[JsonValue]:
    found = holder.get(field, [])
    if not isinstance(found, list):
        raise line.wrong(field, "a list")
    return found


def _wanted_samples(line: QueryLine, checks: Record) -> tuple[WantedSample, ...]:
    samples = []
    for written in _require_list(line, checks, "samples"):
        sample = read_wanted_sample(written)
        if sample is None:
            raise line.wrong("checks.samples", '{"from": ["tool items[].title"], "count": 3}')
        samples.append(sample)
    return tuple(samples)


def _wanted_decisions(line: QueryLine, checks: Record) -> tuple[WantedDecision, ...]:
    decisions = []
    for written in _require_list(line, checks, "decisions"):
        decision = read_decision(written)
        if decision is None:
            raise line.wrong(
                "checks.decisions",
                '{"decide": true, "yes": [...], "no": [...]} or {"choose": "a", "among": ["b"], "more": [...]}',
            )
        decisions.append(decision)
    return tuple(decisions)


def _wanted_facts(line: QueryLine, checks: Record, field: str) -> tuple[WantedFact, ...]:
    facts = []
    for written in _require_list(line, checks, field):
        fact = read_wanted_fact(written)
        if fact is None:
            raise line.wrong(
                f"checks.{field}",
                '{"value": ..., "of": "subject"} or alternatives: text, number, {"number": 3.2}, '
                '{"date": "2024-05-15"}, {"$": "0.field"} or {"tool": "name", "path": "field"}',
            )
        facts.append(fact)
    return tuple(facts)


def _wanted_state(line: QueryLine, check: JsonValue) -> StateCheck:
    example = '{"store": "mailbox", "change": "added", "where": {...}, "count": 1}'
    if not isinstance(check, dict) or not isinstance(check.get("store"), str):
        raise line.wrong("checks.state", example)
    _refuse_unknown_fields(line, "checks.state", check, CHECK)
    change, where, count = check.get("change", "added"), check.get("where", {}), check.get("count", 1)
    if (
        change not in CHANGES
        or not isinstance(where, dict)
        or not (count in (None, "any") or isinstance(count, int))
    ):
        raise line.wrong("checks.state", example)
    key = check.get("key")
    if not _is_key(key):
        raise line.wrong("checks.state", 'a key as text, {"contains": "text"} or {"any_of": ["text", ...]}')
    count = ANY if count == "any" else count
    return StateCheck(check["store"], change, where, count, key, bool(check.get("as_planned", False)))


def _is_key(key: JsonValue) -> bool:
    if isinstance(key, dict) and set(key) == {"any_of"}:
        return (
            isinstance(key["any_of"], list) and all(map(_is_key, key["any_of"])) and None not in key["any_of"]
        )
    if isinstance(key, dict):
        return set(key) == {"contains"} and isinstance(key["contains"], str)
    return key is None or isinstance(key, str)


def _gold_step(line: QueryLine, step: JsonValue) -> QueryStep:
    if not isinstance(step, dict) or not isinstance(step.get("tool"), str):
        raise line.wrong("plan", '{"tool": "name", "arguments": {...}}')
    _refuse_unknown_fields(line, "plan", step, STEP)
    if not isinstance(step.get("arguments", {}), dict):
        raise line.wrong("plan.arguments", "an object")
    return QueryStep(
        step["tool"],
        step.get("arguments", {}),
        str(step.get("thought", "")),
        bool(step.get("optional", False)),
    )
