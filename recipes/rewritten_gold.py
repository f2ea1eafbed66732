"""Gold of NesTools and MTU-Bench rewritten, one argument at a time, and what `outcome` says of each answer.

    python recipes/rewritten_gold.py [FOLDER ...]        # default: the starter sets; prints one line per class

Right classes say the same in another way: they must pass where the call returns what gold's returns under three seeds,
and fail where it returns something else. Wrong classes leave a wish out or state another one: they must fail, whatever the
call returns. The truth comes from plain calls of the tools, not from the plans that the runner executes.
"""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from toolyard.benchmarks import load_benchmark
from toolyard.benchmarks.execution_verdict import EXECUTION_FILE
from toolyard.benchmarks.mtu.scoring.baselines import answer_text
from toolyard.benchmarks.mtu.scoring.calls import Call
from toolyard.benchmarks.mtu.scoring.prompted_turn import turn_of
from toolyard.benchmarks.nestools.scoring.baselines import oracle
from toolyard.core.benchmark import RunSetup
from toolyard.core.nesting import labels_in
from toolyard.core.types import JsonValue, Options, Record, Sample, Transcript
from toolyard.lines import read_lines
from toolyard.run.grade.checking import MutationClass
from toolyard.run.grade.evidence import executed_book
from toolyard.run.grade.grading import EvidenceBook, grade_all
from toolyard.synth.chains.chain import says_nothing
from toolyard.synth.chains.execution import output_digest
from toolyard.text.names import name_words
from toolyard.text.paraphrase import STOP_WORDS
from toolyard.world import World, call, library

VERBOSE = "-v"
NAMES = ("nestools", "mtu")
SEEDS = (0, 1, 2)
DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
STATED_DEFAULT = re.compile(r"(\d+)\D{0,12}\b(?:unless|by default|if left out)", re.IGNORECASE)
OTHER_CODES = {
    "spa": "es", "fra": "fr", "de": "German", "es": "Spanish", "fr": "French", "GB": "UK", "US": "USA",
    "EUR": "euro", "USD": "US dollar", "GBP": "pound sterling", "JPY": "yen", "grams": "g", "km": "kilometres",
    "New York": "New York City", "Germany": "DE", "France": "FR", "Spain": "ES", "Portugal": "PT", "DE": "Germany",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class GoldCall:
    """A gold call: its tool in the world, its arguments as written and as executed, and its parameters' documents."""

    tool: str
    arguments: Mapping[str, JsonValue]
    resolved: Mapping[str, JsonValue]
    documents: Mapping[str, Record]


@dataclass(frozen=True, slots=True)
class Rewriting:
    """One changed call: what was done to it, whether that can be right, and its arguments now."""

    kind: str
    can_be_right: bool
    place: int
    arguments: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class RewrittenAnswer:
    """A gold answer with one call rewritten."""

    sample: Sample
    transcript: Transcript
    changed: Rewriting
    gold: GoldCall


def gold_calls(name: str, sample: Sample, line: Record) -> list[GoldCall]:
    """The gold calls of a row with what the set keeps of their execution."""
    before = sum(len(turn["calls"]) for turn in sample.input.get("history", ()))
    if name == "nestools":
        tools = {tool["api_name"]: tool["parameters"] for tool in sample.input["tools"]}
        pairs = [(each["parameters"], tools[each["api_name"]]) for each in sample.gold["calls"]]
    else:
        turn = turn_of(sample)
        pairs = [(each["arguments"], turn.parameters(each["name"])) for each in sample.gold["calls"]]
    done = line["calls"][before : before + len(pairs)]
    return [
        GoldCall(each["tool"], arguments, each["arguments"], documents)
        for (arguments, documents), each in zip(pairs, done, strict=True)
    ]


def rewritings(calls: Sequence[GoldCall]) -> Iterator[Rewriting]:
    """Every rewriting of every argument."""
    for place, gold in enumerate(calls):
        for name, value in gold.arguments.items():
            rest = {key: each for key, each in gold.arguments.items() if key != name}
            for kind, right, other in _other_values(name, value, gold):
                yield Rewriting(kind, right, place, {**gold.arguments, name: other})
            is_default = _is_default(gold, name) and name not in _required(gold)
            yield Rewriting(
                "default left out" if is_default else "argument left out", is_default, place, rest
            )
            if isinstance(value, str) and not _refers(value, gold, name):
                for other in _text_parameters(gold):
                    yield Rewriting("another parameter", True, place, {**rest, other: value})
        for name, default in _defaults(gold):
            yield Rewriting("default stated", True, place, {**gold.arguments, name: default})


def _other_values(name: str, value: JsonValue, gold: GoldCall) -> Iterator[tuple[str, bool, JsonValue]]:
    if _refers(value, gold, name):
        if isinstance(value, str):
            yield "result as a literal", False, gold.resolved[name]
        return
    if isinstance(value, int | float) and not isinstance(value, bool):
        yield "another number", False, value + 1
    if not isinstance(value, str):
        return
    if DAY.fullmatch(value):
        day = date.fromisoformat(value)
        yield "day as a moment", True, f"{value}T00:00:00"
        yield "day in words", True, f"{day.day} {day:%B %Y}"
        yield "another day", False, str(day + timedelta(days=1))
        return
    yield from _other_words(name, value)
    if value in OTHER_CODES:
        yield "another name of it", True, OTHER_CODES[value]
    listed = gold.documents.get(name, {}).get("choices") or _schema(gold, name).get("enum") or ()
    for choice in [each for each in listed if str(each).casefold() != value.casefold()][:2]:
        yield "another choice", False, choice


def _other_words(name: str, value: str) -> Iterator[tuple[str, bool, JsonValue]]:
    words = value.split()
    if value.replace(" ", "").isalpha() and len(words) > 1:
        yield "other word order", True, " ".join([*words[1:], words[0]])
        if words[0].casefold() not in {*name_words(name), *STOP_WORDS}:
            yield "word left out", False, " ".join(words[1:])
    if value.isalpha() and value.islower():
        yield "singular or plural", True, value.removesuffix("s") if value.endswith("s") else f"{value}s"


def _refers(value: JsonValue, gold: GoldCall, name: str) -> bool:
    """Whether the row takes the value from an earlier call: it is not what was executed."""
    return bool(labels_in(value)) or (
        isinstance(value, str) and "." in value and gold.resolved.get(name) != value
    )


def _schema(gold: GoldCall, name: str) -> Mapping[str, Any]:
    found = [item.schema for item in library()[gold.tool].document.parameters if item.name == name]
    return found[0] if found else {}


def _required(gold: GoldCall) -> set[str]:
    return {item.name for item in library()[gold.tool].document.parameters if item.required}


def _is_default(gold: GoldCall, name: str) -> bool:
    """Whether gold states what is taken anyway: by the tool's own default, or as the description says."""
    value, schema = gold.arguments[name], _schema(gold, name)
    word = re.escape(str(value))
    stated = rf"\b{word}\b[^;,.]{{0,15}}\b(?:unless|by default|if left out)|default[^;,.]{{0,12}}\b{word}\b"
    return schema.get("default") == value or re.search(stated, str(schema.get("description", ""))) is not None


def _text_parameters(gold: GoldCall) -> list[str]:
    """Documented parameters that take a text and that gold leaves out."""
    return [
        name
        for name in gold.documents
        if name not in gold.arguments
        and _schema(gold, name).get("type") == "string"
        and "enum" not in _schema(gold, name)
    ]


def _defaults(gold: GoldCall) -> Iterator[tuple[str, JsonValue]]:
    """Documented parameters that gold leaves out, with the default that their description states."""
    for name in gold.documents:
        schema = _schema(gold, name)
        said = STATED_DEFAULT.search(str(schema.get("description", "")))
        if name not in gold.arguments and schema.get("default") not in (None, "", []):
            yield name, schema["default"]
        elif name not in gold.arguments and said and schema.get("type") in ("integer", "number"):
            yield name, int(said.group(1))


def answer(name: str, sample: Sample, changed: Rewriting) -> Transcript:
    """The gold answer with one call rewritten."""
    if name == "nestools":
        calls = deepcopy(sample.gold["calls"])
        calls[changed.place]["parameters"] = dict(changed.arguments)
        text = oracle(Sample(sample.id, sample.input, {"calls": calls}), (), random.Random(0))
        return Transcript.answered(sample.id, text)
    calls = [Call(each["name"], each["arguments"]) for each in sample.gold["calls"]]
    calls[changed.place] = Call(calls[changed.place].name, changed.arguments)
    return Transcript.answered(sample.id, answer_text(calls))


def returns_the_same(gold: GoldCall, changed: Rewriting) -> bool | None:
    """Whether the rewritten call returns and leaves what gold's does, wherever gold's succeeds.

    None where gold's fails on its own, as it needs what an earlier call left, or returns nothing that could be compared.
    """
    given = {
        name: gold.resolved[name] if gold.arguments.get(name) == value and name in gold.resolved else value
        for name, value in changed.arguments.items()
    }
    for seed in SEEDS:
        first, second = World.fresh(seed), World.fresh(seed)
        wanted, found = call(first, gold.tool, gold.resolved), call(second, gold.tool, given)
        if seed == SEEDS[0] and (wanted.error is not None or says_nothing(wanted.value)):
            return None
        if wanted.error is None and (
            found.error is not None
            or output_digest(found.value) != output_digest(wanted.value)
            or first.diff() != second.diff()
        ):
            return False
    return True


def rewritten_answers(
    name: str, folder: Path, rows: int | None = None, seed: int = 0
) -> Iterator[RewrittenAnswer]:
    """Every rewriting of every row whose gold was executed in today's world, or of so many rows drawn by the seed."""
    benchmark = load_benchmark(name)
    samples = benchmark.data.load(folder, Options(benchmark.task.styles[0]))
    lines = {str(line["id"]): line for line in read_lines(folder / EXECUTION_FILE)}
    made = [sample for sample in samples if "execution" in sample.gold]
    for sample in made if rows is None else random.Random(seed).sample(made, min(rows, len(made))):
        calls = gold_calls(name, sample, lines[sample.groups.get("dialogue", sample.id)])
        for changed in rewritings(calls):
            yield RewrittenAnswer(sample, answer(name, sample, changed), changed, calls[changed.place])


def judged_classes(answers: Iterable[RewrittenAnswer], setup: RunSetup) -> tuple[MutationClass, ...]:
    """How many answers of every class are judged rightly."""
    counts: dict[tuple[str, bool], Counter[str]] = {}
    for item in answers:
        same = returns_the_same(item.gold, item.changed)
        can_be_right = item.changed.can_be_right
        # What the value rules grant is right, whatever it returns; so is what the row itself accepts.
        granted = (can_be_right and not same) or "alternatives" in item.sample.gold
        if same is None or (granted and not (can_be_right and same) and passes(setup, item, {})):
            continue
        right = can_be_right and same
        told = passes(setup, item, executed_book(setup, (item.sample,), [item.transcript])) == right
        kind = item.changed.kind if right or not can_be_right else f"{item.changed.kind}, other result"
        counts.setdefault((kind, right), Counter()).update(number=1, told=told)
        if not told and VERBOSE in sys.argv:
            print(f"{kind}: {item.sample.id} {dict(item.gold.arguments)} -> {dict(item.changed.arguments)}")
    return tuple(
        MutationClass(kind, right, count["number"], count["told"], 0)
        for (kind, right), count in sorted(counts.items(), key=lambda item: (item[0][1], item[0][0]))
    )


def passes(setup: RunSetup, item: RewrittenAnswer, book: EvidenceBook) -> bool:
    """Whether the outcome of the answer is right."""
    (graded,) = grade_all(setup, (item.sample,), [item.transcript], book, "paper")
    return graded.score.values["outcome"] == 1.0


def main() -> None:
    """Prints every class of every set."""
    given = [Path(word) for word in sys.argv[1:] if word != VERBOSE]
    for name in NAMES:
        setup = RunSetup.default(load_benchmark(name))
        folders = [each for each in given if each.name.startswith(name[:3])]
        for folder in folders or ([] if given else [setup.benchmark.data.starter]):
            for each in judged_classes(rewritten_answers(name, folder), setup):
                must = "pass" if each.right else "fail"
                print(f"| {name} | {folder.name} | {each.kind} | {must} | {each.number} | {each.share:.1%} |")


if __name__ == "__main__":
    main()
