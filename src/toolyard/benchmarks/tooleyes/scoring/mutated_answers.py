"""Gold answers in other words, and answers that are wrong in one respect."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from toolyard.benchmarks.tooleyes.data.references import (
    PLACE,
    ListItem,
    field_of,
    fill_text,
    list_item,
    look_up,
    references_in,
    tied_references,
    value_text,
)
from toolyard.benchmarks.tooleyes.data.sample import QueryGold
from toolyard.benchmarks.tooleyes.scoring.checks.decisions import OneOfSeveral, YesOrNo
from toolyard.benchmarks.tooleyes.scoring.checks.fact_verdicts import Fact
from toolyard.benchmarks.tooleyes.scoring.checks.passages import split_passages
from toolyard.benchmarks.tooleyes.scoring.checks.quantities import DIGITS
from toolyard.benchmarks.tooleyes.scoring.checks.spelling import everyday_text, plain_text, wrong_value
from toolyard.benchmarks.tooleyes.scoring.checks.stated_values import Number
from toolyard.benchmarks.tooleyes.scoring.checks.wanted_facts import Pointer, WantedFact
from toolyard.benchmarks.tooleyes.scoring.gold_episodes import GoldEpisode
from toolyard.core.types import JsonValue
from toolyard.text.names import name_in_words

# Numbers below the second are rounded to two digits, from it on to all before the point, from the first on not at all.
MOST_ROUNDED, TWO_DIGITS = 1000, 10


def plain_list(gold: GoldEpisode) -> str:
    """The right answer as a list, which no wrong one may equal."""
    return _rows_as_bullets(_lines_with_labels(gold, _plain_values(gold), _decisions(gold)))


def _lines_with_labels(
    gold: GoldEpisode, values: Sequence[str], decisions: Sequence[str]
) -> list[tuple[str, str]]:
    """(label, value) of every fact, then the decisions as sentences without a label.

    A name that is another fact's label has no line of its own.
    """
    facts, rows, used = gold.stated.facts, [], set[str]()
    for place, value in enumerate(values):
        if (
            facts[place].kind == "text"
            and plain_text(facts[place].values) in _other_labels(gold, place) - used
        ):
            used |= {label for group in facts[place].labels for label in group}
            continue
        rows.append((_label_of_fact(gold, place), value))
    return [*rows, *(("", sentence) for sentence in decisions)]


def _other_labels(gold: GoldEpisode, place: int) -> set[str]:
    others = (fact for number, fact in enumerate(gold.stated.facts) if number != place)
    return {label for fact in others for group in fact.labels for label in group}


def _label_of_fact(gold: GoldEpisode, place: int) -> str:
    fact, wanted = gold.stated.facts[place], gold.wanted.facts[place]
    if fact.labels:
        return ", ".join(group[0] for group in fact.labels)
    pointer = next((source for source in wanted.sources if isinstance(source, Pointer)), None)
    key = field_of(pointer.path) if pointer else ""
    return name_in_words(key) if key and not key.isdecimal() else "Result"


def _plain_values(gold: GoldEpisode) -> list[str]:
    return [plain_text(fact.values) for fact in gold.stated.facts]


def _decisions(gold: GoldEpisode, *, rightly: bool = True) -> list[str]:
    found = []
    for decision in gold.stated.decisions:
        text = decision.said if rightly else decision.denied
        if not text:
            continue
        filled = fill_text(text, gold.reference)
        found.append(_as_sentence(decision, filled, rightly=rightly) if isinstance(filled, str) else text)
    return found


def _as_sentence(decision: YesOrNo | OneOfSeveral, text: str, *, rightly: bool) -> str:
    """A phrase of the template as a sentence of its own."""
    if isinstance(decision, OneOfSeveral) and decision.more:
        names = decision.chosen if rightly else decision.others
        return f"{names[0]}: {decision.more[0]}."
    bare = text.strip().rstrip(":;,").strip()
    return f"{bare}." if bare else text


def _rows_as_bullets(rows: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"- {label}: {value}" if label else f"- {value}" for label, value in rows)


def _rows_as_table(rows: Sequence[tuple[str, str]]) -> str:
    lines = [f"| {label} | {value.replace('|', '/')} |" for label, value in rows if label]
    sentences = [value for label, value in rows if not label]
    head = "| Item | Value |\n|---|---|\n" if lines else ""
    return "\n\n".join(part for part in (head + "\n".join(lines), " ".join(sentences)) if part)


def _list_answers(gold: GoldEpisode) -> Iterator[str]:
    if gold.stated.facts:
        yield "Here is what I found:\n\n" + _rows_as_bullets(
            _lines_with_labels(gold, _plain_values(gold), _decisions(gold))
        )


def _table_answers(gold: GoldEpisode) -> Iterator[str]:
    if gold.stated.facts:
        yield "Here is the result.\n\n" + _rows_as_table(
            _lines_with_labels(gold, _plain_values(gold), _decisions(gold))
        )


def _reordered_answers(gold: GoldEpisode) -> Iterator[str]:
    labelled = all(fact.labels for fact in gold.stated.facts) or len(
        {fact.kind for fact in gold.stated.facts}
    ) == len(gold.stated.facts)
    if len(gold.stated.facts) > 1 and labelled:
        yield _rows_as_bullets(reversed(_lines_with_labels(gold, _plain_values(gold), _decisions(gold))))


def _respelled_answers(gold: GoldEpisode) -> Iterator[str]:
    for style in range(3):
        values = {
            pointer.path: everyday_text(fact.values, style)
            for wanted, fact in zip(gold.wanted.facts, gold.stated.facts, strict=True)
            if (pointer := _pointer_in_template(gold, wanted)) is not None
        }
        paths = [pointer.path for wanted in gold.wanted.facts for pointer in wanted.pointers]
        once = {path: text for path, text in values.items() if paths.count(path) == 1}
        if once:
            yield _fill_template(gold, once)


def _pointer_in_template(gold: GoldEpisode, wanted: WantedFact) -> Pointer | None:
    places = PLACE.findall(gold.wanted.answer)
    for source in wanted.sources:
        if (
            isinstance(source, Pointer)
            and source.path in places
            and not source.find
            and source.read != "time"
        ):
            return source
    return None


def _fill_template(gold: GoldEpisode, values: Mapping[str, str]) -> str:
    """The answer's template with some places filled otherwise."""

    def put(place: re.Match[str]) -> str:
        if place.group(1) in values:
            return values[place.group(1)]
        return value_text(place.group(1), look_up(place.group(1), gold.reference))

    return PLACE.sub(put, gold.wanted.answer)


def _exchangeable_pairs(gold: GoldEpisode) -> Iterator[tuple[int, int]]:
    """Facts that could be exchanged: of one kind, with labels of their own and other values."""
    facts = gold.stated.facts
    for one, first in enumerate(facts):
        for two in range(one + 1, len(facts)):
            second = facts[two]
            if first.kind != second.kind or first.same(second) or not first.labels or not second.labels:
                continue
            mine = [group for group in first.labels if group not in second.labels]
            their = [group for group in second.labels if group not in first.labels]
            names = {plain_text(first.values), plain_text(second.values)}
            if len(mine) == len(their) == 1 and not names & {*mine[0], *their[0]}:
                yield one, two


def _swapped_answers(gold: GoldEpisode) -> Iterator[str]:
    for one, two in list(_exchangeable_pairs(gold))[:3]:
        values = _plain_values(gold)
        values[one], values[two] = values[two], values[one]
        rows = _lines_with_labels(gold, values, _decisions(gold))
        if rows != _lines_with_labels(gold, _plain_values(gold), _decisions(gold)):
            yield _rows_as_table(rows) if (one + two) % 2 else _rows_as_bullets(rows)
        first, second = (_pointer_in_template(gold, gold.wanted.facts[place]) for place in (one, two))
        if first is not None and second is not None and first.path != second.path:
            texts = [plain_text(gold.stated.facts[place].values, unit=False) for place in (two, one)]
            both = dict(zip((first.path, second.path), texts, strict=True))
            yield _fill_template(gold, both)


def _answers_with_value(gold: GoldEpisode, place: int, text: str) -> Iterator[str]:
    """One fact's value put otherwise, in the template; the first one, and those not in it, in a list as well."""
    pointer = _pointer_in_template(gold, gold.wanted.facts[place])
    if pointer is not None and gold.wanted.answer.count("{" + pointer.path + "}") == 1:
        yield _fill_template(gold, {pointer.path: text})
        if place:
            return
    values = _plain_values(gold)
    values[place] = text
    yield _rows_as_bullets(_lines_with_labels(gold, values, _decisions(gold)))


def _negated_answers(gold: GoldEpisode) -> Iterator[str]:
    for place, fact in enumerate(gold.stated.facts[:2]):
        yield from _answers_with_value(gold, place, f"not {plain_text(fact.values)}")
    if any(decision.denied for decision in gold.stated.decisions):
        yield _rows_as_bullets(_lines_with_labels(gold, _plain_values(gold), _decisions(gold, rightly=False)))
        answer = gold.trajectory.answer
        for decision in gold.stated.decisions:
            said, denied = (
                fill_text(decision.said, gold.reference),
                fill_text(decision.denied, gold.reference),
            )
            if isinstance(said, str) and isinstance(denied, str) and said and said in answer:
                yield answer.replace(said, denied)


def _answers_with_one_wrong(gold: GoldEpisode) -> Iterator[str]:
    for place, fact in enumerate(gold.stated.facts[:3]):
        for answer in _answers_with_value(gold, place, wrong_value(fact.values, fact.rivals)):
            if not _states_fact_still(fact, answer):
                yield answer


def _states_fact_still(fact: Fact, answer: str) -> bool:
    """Whether the value is in the answer all the same: it was said twice, or is a part of something else."""
    return any(fact.spots(passage.text) for passage in split_passages(answer))


def _rounded_answers(gold: GoldEpisode) -> Iterator[str]:
    """A number with the fewest digits that are enough: two, or all before the point."""
    for place, fact in enumerate(gold.stated.facts[:3]):
        value = fact.values[0] if fact.values else None
        fine = isinstance(value, Number) and value.digits == DIGITS and not value.number.is_integer()
        if isinstance(value, Number) and fine and abs(value.number) < MOST_ROUNDED:
            number = f"{value.number:.0f}" if abs(value.number) >= TWO_DIGITS else f"{value.number:.2g}"
            yield from _answers_with_value(gold, place, plain_text((Number(float(number), value.unit),)))


def _claimed_failures(gold: GoldEpisode) -> Iterator[str]:
    for place, fact in enumerate(gold.stated.facts[:2]):
        yield from _answers_with_value(gold, place, f"(I could not find {plain_text(fact.values)})")


def _answers_with_one_missing(gold: GoldEpisode) -> Iterator[str]:
    for place, fact in enumerate(gold.stated.facts[:3]):
        for answer in _answers_with_value(gold, place, "not found"):
            if not _states_fact_still(fact, answer):
                yield answer


def _runner_up_answers(gold: GoldEpisode) -> Iterator[str]:
    """The next item of the list that the answer was chosen from, in all its fields."""
    for wanted in gold.wanted.facts[:2]:
        pointer = _pointer_in_template(gold, wanted)
        item = list_item(pointer.path) if pointer else None
        fact = gold.stated.facts[gold.wanted.facts.index(wanted)]
        if item is None or fact.listing:
            continue
        own = _index_in_list(item, gold.reference)
        for other in (own + 1, own - 1):
            answer = _answer_about_item(gold, item, other)
            if answer is not None and not _states_fact_still(fact, answer):
                yield answer
                break


def _index_in_list(item: ListItem, observations: Sequence[JsonValue]) -> int:
    """Where in its list the item stands."""
    written = item.head[len(item.stem) :].strip("[]")
    if written.lstrip("-").isdecimal():
        return int(written)
    items = look_up(item.stem, observations)
    chosen = look_up(item.head, observations)
    return next(
        (place for place, each in enumerate(items if isinstance(items, list) else ()) if each is chosen), 0
    )


def _answer_about_item(gold: GoldEpisode, item: ListItem, other: int) -> str | None:
    if other < 0:
        return None
    template = gold.wanted.answer.replace(f"{{{item.head}", f"{{{item.stem}[{other}]")
    filled = fill_text(template, gold.reference)
    return filled if isinstance(filled, str) and filled != gold.trajectory.answer else None


# Words of a request that rank, and the fields whose names say by what.
RANKS = (
    (r"(?:best|top|highest)[ -]rat\w+|rated (?:best|highest)|harshest", r"rating|score"),
    (r"latest|newest|last|recent|soonest", r"date|time|publish|start"),
    (r"cheapest|dearest", r"(?:price|usd|amount|cost)$"),
)
# What a request says where it settles who comes first among equals.
SETTLED = re.compile(r"\b(?:if several|at the top)\b")


def tied_templates(gold: QueryGold, request: str, observations: Sequence[JsonValue]) -> Iterator[str]:
    """The gold answer about each item that shares the rank by which the request chooses one.

    Where the plan takes the item on to another call, nothing is known of the others: a bare answer stands for them.
    """
    named = [fields for words, fields in RANKS if re.search(rf"\b(?:{words})\b", request)]
    fields = re.compile("|".join(named)) if named else None
    if SETTLED.search(request):
        return
    pointers = (pointer for fact in gold.facts for pointer in fact.pointers)
    for item in filter(None, (list_item(pointer.path) for pointer in pointers)):
        for path in tied_references(item.head, observations, fields):
            yield gold.answer.replace(f"{{{item.head}", f"{{{path}")
    taken = list(references_in([dict(step.arguments) for step in gold.plan]))
    values = [look_up(reference, observations) for reference in taken]
    for path in (path for each in taken for path in tied_references(each, observations, fields)):
        if look_up(path, observations) not in values:
            yield f"{{{path}}}"


def _hedged_answers(gold: GoldEpisode) -> Iterator[str]:
    for place, fact in enumerate(gold.stated.facts[:2]):
        if fact.listing:
            continue
        if any(other.same(fact) for other in gold.stated.facts if other is not fact):
            continue
        value, another = plain_text(fact.values), wrong_value(fact.values, fact.rivals)
        yield from _answers_with_value(gold, place, f"{value} or {another}")
        yield from _answers_with_value(gold, place, f"either {another} or {value}, I cannot tell which")


def _fully_exchanged_answers(gold: GoldEpisode) -> Iterator[str]:
    for place, fact in enumerate(gold.stated.facts):
        if any(other.same(fact) for other in gold.stated.facts if other is not fact):
            continue
        if len(fact.rivals) >= 3 and not fact.listing and fact.kind == "text":
            every = sorted([plain_text(fact.values), *(plain_text((rival,)) for rival in fact.rivals)])
            others = [
                row
                for number, row in enumerate(_lines_with_labels(gold, _plain_values(gold), ()))
                if number != place
            ]
            rest = "\n".join(f"{label}: {value}" for label, value in others)
            yield f"I found {', '.join(every)}.\n{rest}"
            yield "\n".join(f"- {value}" for value in every) + f"\n\n{rest}"
            return


def _pasted_answers(gold: GoldEpisode) -> Iterator[str]:
    observed = [value for _, value in gold.trajectory.observations()]
    decided = " ".join(_decisions(gold))
    as_json = len(gold.wanted.answer) % 2 == 0
    yield f"{json.dumps(observed, ensure_ascii=False) if as_json else observed} {decided}"


ANSWERS: Mapping[str, Callable[[GoldEpisode], Iterator[str]]] = {
    "swapped": _swapped_answers,
    "negated": _negated_answers,
    "runner_up": _runner_up_answers,
    "one_wrong": _answers_with_one_wrong,
    "one_missing": _answers_with_one_missing,
    "hedged": _hedged_answers,
    "everything_listed": _fully_exchanged_answers,
    "pasted": _pasted_answers,
    "claimed_failure": _claimed_failures,
    "rounded": _rounded_answers,
    "other_spelling": _respelled_answers,
    "list": _list_answers,
    "table": _table_answers,
    "other_order": _reordered_answers,
}
