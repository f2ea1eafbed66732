"""Tools that behave as real ones do (`--perturb NAME=LEVEL`): what a model sees of a call's result, and how it is undone.

    noise    irrelevant fields, from level 2 in every item of a list, at level 3 a long text, too
    paging   the longest list of a result comes in 2, 3 or 5 pages; `result_page` asks for the next one
    faults   one call in five, two or four in five time out, are refused, or return a part; made again, they succeed
    drift    result fields have other names, from level 2 other units; documents say so, at level 3 no longer

Everything follows from the run's seed and the sample. Scoring reads results as the tool wrote them, as far as they were
shown (`SeenResult.record`); each changed result is noted in the transcript.
"""

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, TypeAlias

from toolyard.core.types import AnySample, Effects, JsonValue, Observation, Record, derived_seed
from toolyard.core.untrusted.json_safe import json_safe

NOISE, PAGING, FAULTS, DRIFT = "noise", "paging", "faults", "drift"
NAMES = (NOISE, PAGING, FAULTS, DRIFT)
LEVELS = (0, 1, 2, 3)
# Where a sample's input keeps its perturbation, and a transcript what it changed.
INPUT, NOTE = "perturb", "perturbed"
PAGES = (1, 2, 3, 5)
FAULT_RATES = (0.0, 0.2, 0.4, 0.8)
# Of the fields of a result, so many have another name.
DRIFT_SHARES = (0.0, 0.34, 0.67, 0.67)
UNITS_FROM, UNANNOUNCED_FROM = 2, 3
# Errors that pass: the same call succeeds when it is made again.
PARTIAL = "partial"
MOMENTARY = ("rate_limited", "timeout", PARTIAL)
AGAIN = "make the same call again"
PAGE, PAGE_COUNT, PAGED, ITEMS = "result_page", "result_pages", "paged", "page_items"
PAGE_MARKS = (PAGED, PAGE, PAGE_COUNT, "page_note")
# The last word of a field's name, what it becomes in another unit, and by what its value is multiplied.
UNITS = {
    "km": ("m", 1000),
    "kg": ("g", 1000),
    "g": ("mg", 1000),
    "hours": ("minutes", 60),
    "minutes": ("seconds", 60),
}
NO_LIST = frozenset({"cut"})
_PAGE_SCHEMA: Record = {
    "type": "integer",
    "description": "Long results come in pages: the number of the page, from 1, the default.",
}
_NOISE: Mapping[str, Sequence[JsonValue]] = {
    "request_id": ("c2f1-77ae", "9b04-e1d3", "51aa-0cf8"),
    "api_version": ("3.2", "3.2.1", "4-beta"),
    "served_by": ("edge-eu-2", "edge-us-1", "core-7"),
    "cache_status": ("hit", "miss", "stale"),
    "support": ({"contact": "help desk", "plan": "standard"}, {"contact": "forum", "plan": "free"}),
    "etag": ("w/8fa1", "w/20cd", "w/b7e0"),
    "schema_ref": ("#/definitions/reply", "#/definitions/record"),
    "flags": ([], ["beta"], ["beta", "mirrored"]),
}
_LEGAL = (
    "This response was generated automatically and may be cached by intermediate systems. ",
    "Fields that are not documented may change without notice. ",
    "Use of the service is subject to the terms that your organisation has accepted. ",
    "Bulk extraction is not permitted without a separate agreement. ",
    "Support requests should quote the identifier of the request. ",
    "The provider does not warrant that the service is free of interruption. ",
)

Path: TypeAlias = tuple[str, ...]
MakeCall: TypeAlias = Callable[[Mapping[str, JsonValue]], Effects[Observation]]


@dataclass(frozen=True, slots=True)
class Perturbation:
    """One perturbation of one sample; `renames` holds the drift of each tool's fields, old name to new.

    `entries`: a result without a list is cut by its entries, where these are what a tool returns.
    """

    name: str
    level: int
    seed: int = 0
    renames: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    entries: bool = False

    def draw(self, *what: object) -> random.Random:
        """Chance that follows from the seed and from what it decides."""
        return random.Random(
            derived_seed(self.seed, json.dumps(json_safe([self.name, *what]), sort_keys=True), 0)
        )

    def document(self, function: Record) -> Record:
        """A tool's document as the perturbed tool has it: its page parameter, or the new names of its fields."""
        if self.name == PAGING:
            schema: Record = function.get("parameters") or {"type": "object"}
            properties = {**(schema.get("properties") or {}), PAGE: _PAGE_SCHEMA}
            return {**function, "parameters": {**schema, "properties": properties}}
        renamed = self.new_names(str(function.get("name"))) if self.name == DRIFT else {}
        if not renamed or self.level >= UNANNOUNCED_FROM:
            return function
        told = ", ".join(f"{old} is now {new}" for old, new in renamed.items())
        described = str(function.get("description") or "").strip()
        return {
            **function,
            "description": f"{described} Changed in results since the last version: {told}.".strip(),
        }

    def new_names(self, tool: str) -> Mapping[str, str]:
        """The fields of a tool that have another name."""
        return self.renames.get(tool) or self.renames.get(tool.rpartition("/")[2]) or {}


def sample_perturbation(sample: AnySample) -> Perturbation | None:
    """The perturbation that a run gave the sample; None in most runs."""
    given = sample.input.get(INPUT)
    return Perturbation(**given) if given else None


def perturb_sample(sample: AnySample, perturbation: Perturbation) -> AnySample:
    """The sample under a perturbation, with the documents that it brings along."""
    documents = sample.input.get("documents")
    more = {"documents": [perturbation.document(each) for each in documents]} if documents else {}
    return sample.with_input({**more, INPUT: asdict(perturbation)})


def draw_drifted_names(perturbation: Perturbation, tool: str, fields: Mapping[str, bool]) -> dict[str, str]:
    """New names for some of a tool's fields, at least for one; those of numbers may get another unit."""
    rng, renamed = perturbation.draw("names", tool), dict[str, str]()
    order = rng.sample(sorted(fields), len(fields))
    for old in order[: max(1, round(DRIFT_SHARES[perturbation.level] * len(order)))]:
        stem, _, unit = old.rpartition("_")
        head, *rest = old.split("_")
        new = head + "".join(part.capitalize() for part in rest) if rest else f"{old}_value"
        if stem and fields[old] and unit in UNITS and perturbation.level >= UNITS_FROM:
            new = f"{stem}_{UNITS[unit][0]}"
        if new not in fields and new not in renamed.values():
            renamed[old] = new
    return renamed


@dataclass(frozen=True, slots=True)
class SeenResult:
    """A result as the model sees it, and as much of it in the tool's own words as was shown (`record`)."""

    text: str
    value: JsonValue
    record: str
    error: str | None = None


@dataclass(slots=True)
class PerturbedCalls:
    """The calls of one episode under a perturbation, or under none."""

    perturbation: Perturbation | None = None
    log: list[dict[str, JsonValue]] = field(default_factory=list)
    # rounds that a failure or a further page takes, and the characters that results have more
    extra: int = 0
    added: int = 0
    calls: int = 0
    _results: dict[str, Observation] = field(default_factory=dict)
    _failed: set[str] = field(default_factory=set)
    _pages: dict[str, set[int]] = field(default_factory=dict)

    def notes(self) -> dict[str, JsonValue]:
        """What the transcript says of changed results."""
        return {NOTE: list(self.log)} if self.perturbation else {}

    def perform(self, tool: str, arguments: Mapping[str, JsonValue], make: MakeCall) -> Effects[SeenResult]:
        """What the model sees of a call; it is made once, however often a part of its result is asked for."""
        self.calls += 1
        if self.perturbation is None:
            return _unchanged_result((yield from make(arguments)))
        given, page = dict(arguments), None
        if self.perturbation.name == PAGING:
            page = given.pop(PAGE, None)
        key = json.dumps(json_safe([tool, given]), sort_keys=True)
        fault = self._fault_of_call(key)
        if fault in ("timeout", "rate_limited"):
            return self._refuse_call(tool, fault)
        if key not in self._results:
            self._results[key] = yield from make(given)
        found = self._results[key]
        if found.error:
            del self._results[key]
            return _unchanged_result(found)
        seen = self._change_result(tool, key, found, 1 if page is None else page, fault)
        parts = PAGES[self.perturbation.level] if self.perturbation.name == PAGING else 1
        self.added += max(0, len(seen.text) - len(found.text) // parts)
        return seen

    def _fault_of_call(self, key: str) -> str:
        """The failure that a call meets when it is made for the first time; empty where it meets none."""
        assert self.perturbation is not None
        rng = self.perturbation.draw(key)
        if self.perturbation.name != FAULTS or key in self._failed:
            return ""
        if rng.random() >= FAULT_RATES[self.perturbation.level]:
            return ""
        self._failed.add(key)
        return rng.choice(MOMENTARY)

    def _refuse_call(self, tool: str, kind: str) -> SeenResult:
        reason = "too many requests" if kind == "rate_limited" else "the service did not answer in time"
        value: JsonValue = {"error": {"kind": kind, "message": f"{reason}; {AGAIN}"}}
        self._note_change(tool, kind, extra=True)
        text = json.dumps(value)
        self.added += len(text)
        return SeenResult(text, value, text, kind)

    def _change_result(self, tool: str, key: str, found: Observation, page: object, fault: str) -> SeenResult:
        """The result as this perturbation shows it."""
        given = self.perturbation
        assert given is not None
        if given.name == PAGING:
            return self._show_page(tool, key, found, page)
        value, what, record, error = found.value, "", found.text, None
        if fault == PARTIAL:
            path = path_of_longest_list(value, entries=given.entries)
            if path is None:
                return self._refuse_call(tool, "timeout")
            kept = keep_items(value, path, range(list_length_at(value, path) // 2))
            shown = kept if isinstance(kept, Mapping) else {ITEMS: kept}
            value = {**shown, "incomplete": True, "note": f"the service returned only a part; {AGAIN}"}
            what, record, error = PARTIAL, _json_text(kept), PARTIAL
        elif given.name == NOISE:
            value, count = add_noise(value, given.level, given.draw(key))
            what = f"{count} further fields" if count else ""
        elif given.name == DRIFT:
            value = rename_fields(
                value, {old: (new, _unit_factor(old, new)) for old, new in given.new_names(tool).items()}
            )
            what = "other field names" if value != found.value else ""
        if not what:
            return _unchanged_result(found)
        self._note_change(tool, what, extra=bool(error))
        return SeenResult(_json_text(value), value, record, error)

    def _show_page(self, tool: str, key: str, found: Observation, page: object) -> SeenResult:
        assert self.perturbation is not None
        path = path_of_longest_list(found.value, entries=self.perturbation.entries)
        length = 0 if path is None else list_length_at(found.value, path)
        size = max(1, -(-length // PAGES[self.perturbation.level]))
        pages = max(1, -(-length // size))
        if isinstance(page, bool) or not isinstance(page, int) or not 1 <= page <= pages:
            value: JsonValue = {
                "error": {"kind": "no_such_page", "message": f"{PAGE} goes from 1 to {pages}"}
            }
            return SeenResult(_json_text(value), value, _json_text(value), "no_such_page")
        if path is None or pages == 1:
            return _unchanged_result(found)
        known = self._pages.setdefault(key, set())
        known.add(page)
        seen = [place for each in sorted(known) for place in range(length)[(each - 1) * size : each * size]]
        shown = keep_items(found.value, path, range(length)[(page - 1) * size : page * size])
        where = ".".join(path) or ("" if isinstance(found.value, Mapping) else ITEMS)
        marks: dict[str, JsonValue] = {PAGED: where, PAGE: page, PAGE_COUNT: pages}
        if page < pages:
            marks["page_note"] = f"make the call with {PAGE}={page + 1} for what follows"
        value = {**(shown if isinstance(shown, Mapping) else {ITEMS: shown}), **marks}
        self._note_change(tool, f"page {page} of {pages}", extra=page > 1)
        return SeenResult(_json_text(value), value, _json_text(keep_items(found.value, path, seen)))

    def _note_change(self, tool: str, what: str, *, extra: bool) -> None:
        self.extra += extra
        self.log.append({"call": self.calls, "tool": tool, "what": what})


def _json_text(value: JsonValue) -> str:
    return json.dumps(json_safe(value), ensure_ascii=False)


def _unchanged_result(found: Observation) -> SeenResult:
    return SeenResult(found.text, found.value, found.text, found.error)


def path_of_longest_list(value: JsonValue, *, entries: bool = False) -> Path | None:
    """Where a result has its longest list of two items or more; with `entries` the result itself stands for one."""
    found: list[tuple[int, Path]] = []

    def walk(item: JsonValue, path: Path) -> None:
        if isinstance(item, list) and len(item) > 1:
            found.append((len(item), path))
        elif isinstance(item, Mapping):
            for key, inner in item.items():
                # A path is written with dots.
                if key not in NO_LIST and "." not in key:
                    walk(inner, (*path, key))

    walk(value, ())
    if found:
        return max(found, key=lambda each: each[0])[1]
    return () if entries and isinstance(value, Mapping) and len(value) > 1 else None


def list_length_at(value: JsonValue, path: Path) -> int:
    """How many items stand there."""
    for key in path:
        value = value[key] if isinstance(value, Mapping) else None
    return len(value) if isinstance(value, list | Mapping) else 0


def keep_items(value: JsonValue, path: Path, places: Sequence[int]) -> JsonValue:
    """The same result with these items of the list alone."""
    if path:
        assert isinstance(value, Mapping)
        return {
            key: keep_items(item, path[1:], places) if key == path[0] else item for key, item in value.items()
        }
    if isinstance(value, Mapping):
        known = list(value.items())
        return dict(known[place] for place in places)
    assert isinstance(value, list)
    return [value[place] for place in places]


def add_noise(value: JsonValue, level: int, rng: random.Random) -> tuple[JsonValue, int]:
    """The result with fields that nobody asked for, and how many; its own fields stay as they are."""
    count = 0

    def add(item: Record, most: int) -> dict[str, JsonValue]:
        nonlocal count
        names = [name for name in rng.sample(sorted(_NOISE), most) if name not in item]
        count += len(names)
        return {**item, **{name: rng.choice(_NOISE[name]) for name in names}}

    def walk(item: JsonValue) -> JsonValue:
        if isinstance(item, list):
            return [add(each, level) if isinstance(each, Mapping) else each for each in item]
        return {key: walk(each) for key, each in item.items()} if isinstance(item, Mapping) else item

    changed = walk(value) if level > 1 else value
    if isinstance(changed, Mapping):
        changed = add(changed, 2 * level)
        if level == LEVELS[-1] and "legal_notice" not in changed:
            changed, count = (
                {**changed, "legal_notice": "".join(rng.sample(_LEGAL, len(_LEGAL)) * 2)},
                count + 1,
            )
    return changed, count


def rename_fields(value: JsonValue, names: Mapping[str, tuple[str, float]]) -> JsonValue:
    """The result with other names for these fields at any depth, and their numbers in other units."""
    if isinstance(value, list):
        return [rename_fields(item, names) for item in value]
    if not isinstance(value, Mapping):
        return value
    found: dict[str, JsonValue] = {}
    for key, item in value.items():
        new, factor = names.get(key, (key, 1))
        inner = rename_fields(item, names)
        if new in value:
            new, factor = key, 1
        found[new] = _scale_numbers(inner, factor) if factor != 1 else inner
    return found


def _scale_numbers(value: JsonValue, factor: float) -> JsonValue:
    if isinstance(value, list):
        return [_scale_numbers(item, factor) for item in value]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    scaled = round(value * factor, 9)
    return int(scaled) if scaled == int(scaled) else scaled


def _unit_factor(old: str, new: str) -> float:
    unit = old.rpartition("_")[2]
    return UNITS[unit][1] if unit in UNITS and new == f"{old[: -len(unit)]}{UNITS[unit][0]}" else 1


def read_results(
    seen: Sequence[tuple[str, JsonValue]], perturbation: Perturbation | None
) -> tuple[list[JsonValue], int]:
    """Whole results as the tools wrote them, from (tool, what was seen); and which page is wanted next, 0 for none.

    This is what an agent does that handles the perturbation: it passes over failures, joins pages and reads new names.
    """
    if perturbation is None:
        return [value for _, value in seen], 0
    done: list[JsonValue] = []
    pages: list[Record] = []
    for tool, value in seen:
        if is_momentary(value):
            continue
        if isinstance(value, Mapping) and PAGE_COUNT in value:
            pages.append(value)
            if len(pages) == value[PAGE_COUNT]:
                done.append(join_pages(pages))
                pages = []
            continue
        names = {new: (old, 1 / _unit_factor(old, new)) for old, new in perturbation.new_names(tool).items()}
        done.append(rename_fields(value, names))
    return done, len(pages) + 1 if pages else 0


def is_momentary(value: JsonValue) -> bool:
    """Whether a result asks to make the call again."""
    if not isinstance(value, Mapping):
        return False
    error = value.get("error")
    return bool(value.get("incomplete")) or (isinstance(error, Mapping) and error.get("kind") in MOMENTARY)


def join_pages(pages: Sequence[Record]) -> JsonValue:
    """One result from all its pages."""
    where = str(pages[0][PAGED])
    plain = [{key: item for key, item in page.items() if key not in PAGE_MARKS} for page in pages]
    if not where:
        return {key: item for page in plain for key, item in page.items()}
    if where == ITEMS:
        return [item for page in plain for item in page[ITEMS]]
    path = tuple(where.split("."))

    def join(parts: Sequence[Any], rest: Path) -> JsonValue:
        if not rest:
            return [item for part in parts for item in part]
        return {**parts[0], rest[0]: join([part[rest[0]] for part in parts], rest[1:])}

    return join(plain, path)


# The same for programs: gold programs make each call through `handled`, with the new names of its fields.
HANDLED = """
def undone(value, names):
    if isinstance(value, list):
        return [undone(item, names) for item in value]
    if not isinstance(value, dict):
        return value
    found = {}
    for key, item in value.items():
        inner = undone(item, names)
        if key in names and names[key][0] not in value:
            key, factor = names[key]
            if factor != 1 and isinstance(inner, (int, float)) and not isinstance(inner, bool):
                inner = round(inner * factor, 9)
                inner = int(inner) if inner == int(inner) else inner
        found[key] = inner
    return found

def join(parts, path):
    if not path:
        return [item for part in parts for item in part]
    return {**parts[0], path[0]: join([part[path[0]] for part in parts], path[1:])}

def joined(pages):
    where = pages[0]["paged"]
    marks = ("paged", "result_page", "result_pages", "page_note")
    plain = [{k: v for k, v in page.items() if k not in marks} for page in pages]
    if not where:
        return {k: v for page in plain for k, v in page.items()}
    return join([p["page_items"] for p in plain], []) if where == "page_items" else join(plain, where.split("."))

def attempt(call, page):
    for _ in range(2):
        try:
            value = call(page)
            if not (isinstance(value, dict) and value.get("incomplete")):
                return value
        except Exception as error:
            if "make the same call again" not in str(error):
                raise error
    return call(page)

def handled(call, names):
    value = attempt(call, {})
    if isinstance(value, dict) and "result_pages" in value:
        pages = [value]
        for number in range(2, value["result_pages"] + 1):
            pages.append(attempt(call, {"result_page": number}))
        value = joined(pages)
    return undone(value, names)
"""


def call_with_handling(call: str, tool: str, perturbation: Perturbation | None) -> str:
    """A call of a gold program, `name(a=1)`, that handles the perturbation."""
    if perturbation is None:
        return call
    names = {new: (old, 1 / _unit_factor(old, new)) for old, new in perturbation.new_names(tool).items()}
    head, arguments = call[:-1].split("(", 1)
    return f"handled(lambda page: {head}({f'{arguments}, ' if arguments else ''}**page), {names!r})"
