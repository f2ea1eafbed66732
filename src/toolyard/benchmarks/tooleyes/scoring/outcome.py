"""Whether the request was fulfilled, by rule: what the answer says, the state of the world, how it came about."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, islice
from math import isclose

from toolyard.benchmarks.tooleyes.data.references import (
    PLACE,
    fill_references,
    is_choice,
    is_computed,
    is_reference,
    is_template,
    look_up,
)
from toolyard.benchmarks.tooleyes.data.sample import ASK, FINISH, QueryGold, QueryStep
from toolyard.benchmarks.tooleyes.scoring.checks.decisions import (
    OneOfSeveral,
    YesOrNo,
    choice_verdict,
    decision_verdict,
)
from toolyard.benchmarks.tooleyes.scoring.checks.fact_verdicts import (
    Fact,
    StatementVerdict,
    fact_verdict,
    is_denied,
)
from toolyard.benchmarks.tooleyes.scoring.checks.passages import Passage, fold_letters, split_passages
from toolyard.benchmarks.tooleyes.scoring.checks.stated_values import Name, Number, Value
from toolyard.benchmarks.tooleyes.scoring.checks.wanted_facts import WantedFact
from toolyard.benchmarks.tooleyes.scoring.parse import Trajectory
from toolyard.benchmarks.tooleyes.scoring.plain_spelling import normalise_text
from toolyard.core.scene import DECLINED
from toolyard.core.state_checks import unwanted_changes, verify
from toolyard.core.types import Failure, JsonValue, Record
from toolyard.text.json_values import leaves

NO_WORLD = "the trajectory holds no record of the world, so that its state cannot be checked"
NO_REFERENCE = "the trajectory does not say what the plan returned, so that facts have no values"
# Stores that a model may use to think: a Python session is nobody's data.
SCRATCH = ("python_session",)
# Characters of an answer, and of a text that a tool returned, in which statements are looked for: statements are
# compared with each other. A longer answer is no selection, whatever it says.
LONGEST_READ = 8_000
# A text of more words may be put in other ones.
MOST_TEMPLATE_WORDS = 3
# An argument of more parts is looked up in nothing: every part is searched for in all that was said.
MOST_LEAVES = 1_000


@dataclass(frozen=True, slots=True)
class FulfilmentResult:
    """Whether every check holds; None where one cannot be made. The reasons say which do not.

    `asks` names what no rule can see, so that a judge has to say it.
    """

    value: float | None
    reasons: tuple[str, ...]
    asks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Statements:
    """A query's statements with the values that its world gives them."""

    facts: tuple[Fact, ...]
    decisions: tuple[YesOrNo | OneOfSeveral, ...]
    absent: tuple[Fact, ...]


def outcome(gold: QueryGold, trajectory: Trajectory) -> FulfilmentResult:
    """1 if the answer says what is so, the world is as it should be, and both came about by calls."""
    if trajectory.diff is None and gold.state:
        return FulfilmentResult(None, (NO_WORLD,))
    gold = gold.with_each_item((trajectory.reference or {}).get("observations", ()))
    stated = statements(gold, trajectory)
    if isinstance(stated, Failure):
        return FulfilmentResult(None, (stated.detail,))
    reasons = [] if trajectory.passed else ["no answer was given in time"]
    reasons += _process_faults(gold, trajectory, stated)
    reasons += _state_faults(gold, trajectory)
    verdicts = tuple(_verdicts(gold, trajectory, stated)) if trajectory.answer else ()
    reasons += [verdict.reason for verdict in verdicts if verdict.holds is False]
    unseen = tuple(verdict.reason for verdict in verdicts if verdict.holds is None)
    if unseen and not reasons:
        return FulfilmentResult(None, unseen, unseen)
    return FulfilmentResult(float(not reasons), tuple(reasons))


def statements(gold: QueryGold, trajectory: Trajectory) -> Statements | Failure:
    """What the answer must say, with values from the plan as it was played beside the episode."""
    reference = trajectory.reference or {}
    observations = reference.get("observations", [])
    own, gold = trajectory.observations(), gold.with_each_item(observations)
    facts = tuple(fact.resolved(observations, own) for fact in gold.facts)
    absent = tuple(fact.resolved(observations, own) for fact in gold.absent)
    broken = next((fact for fact in (*facts, *absent) if isinstance(fact, Failure)), None)
    if broken is not None:
        return Failure(broken.kind, NO_REFERENCE if trajectory.reference is None else broken.detail)
    good = tuple(fact for fact in facts if isinstance(fact, Fact))
    values = {value for fact in good for value in fact.values}
    lists = [wanted.list_path for wanted in gold.facts if wanted.list_path]
    kept = tuple(
        replace(
            fact,
            rivals=tuple(rival for rival in fact.rivals if not _is_among_values(rival, values)),
            listing=fact.listing
            or (lists.count(wanted.list_path) > 1 and not _is_singled_out(wanted, gold.facts)),
        )
        for wanted, fact in zip(gold.facts, good, strict=True)
    )
    decisions = []
    for decision in gold.decisions:
        decided = decision.resolved(observations)
        if isinstance(decided, Failure):
            return decided
        decisions.append(decided)
    # Under some seed what must not be named may equal what must.
    forbidden = tuple(fact for fact in absent if isinstance(fact, Fact) and not any(map(fact.same, good)))
    return Statements(kept, tuple(decisions), forbidden)


def _is_singled_out(wanted: WantedFact, facts: Sequence[WantedFact]) -> bool:
    """Whether labels of its own say which item of the list is meant: "first" and "second", not just any two."""
    written = all(isinstance(label, str) for group in wanted.labels for label in group)
    return bool(wanted.labels) and written and [fact.labels for fact in facts].count(wanted.labels) == 1


def _is_among_values(rival: Value, values: Collection[Value]) -> bool:
    return rival in values or (isinstance(rival, Name) and Name(rival.text) in values)


def _verdicts(gold: QueryGold, trajectory: Trajectory, stated: Statements) -> Iterator[StatementVerdict]:
    answer = trajectory.answer
    observed = [value for _, value in trajectory.observations()]
    wanted = (
        len(stated.facts) + sum(3 * sample.count for sample in gold.samples) + _count_unlisted(gold, stated)
    )
    paste = selection_fault(answer, len(gold.answer), wanted, observed)
    if paste and len(answer) > LONGEST_READ:
        yield StatementVerdict(False, paste)
        return
    said = split_passages(answer)
    for fact in stated.facts:
        yield fact_verdict(fact, stated.facts, said)
    planned = tuple(
        zip(
            (step.tool for step in gold.plan),
            (trajectory.reference or {}).get("observations", ()),
            strict=False,
        )
    )
    for sample in gold.samples:
        yield sample.verdict(trajectory.observations(), said, planned)
    for decision in stated.decisions:
        if isinstance(decision, YesOrNo):
            yield decision_verdict(decision, said, stated.facts)
        else:
            yield choice_verdict(decision, said)
    for fact in stated.absent:
        if _is_affirmed(fact, said):
            yield StatementVerdict(False, f"the answer contains {fact.shown}")
    if paste:
        yield StatementVerdict(False, paste)


def _count_unlisted(gold: QueryGold, stated: Statements) -> int:
    """How many more values a full list has, where the query says that a list is wanted."""
    pairs = zip(gold.facts, stated.facts, strict=True)
    return len({rival for wanted, fact in pairs if wanted.listing for rival in fact.rivals})


def _is_affirmed(fact: Fact, said: Sequence[Passage]) -> bool:
    return any(
        not is_denied(passage.text, spot)
        for passage in said
        for spot in fact.spots(passage.text, short=False)
    )


def _state_faults(gold: QueryGold, trajectory: Trajectory) -> list[str]:
    if trajectory.diff is None:
        return []
    reference = trajectory.reference or {}
    planned, seen = reference.get("changes", {}), reference.get("observations", ())
    wheres = [fill_references(dict(check.where), seen, choose=False) for check in gold.state]
    # A reference that the plan's results do not have matches nothing.
    checks = [
        check if isinstance(where, Failure) else replace(check, where=where)
        for check, where in zip(gold.state, wheres, strict=True)
    ]
    verdicts = (verify(check, trajectory.diff, planned) for check in checks)
    reasons = [verdict.reason for verdict in verdicts if not verdict.holds]
    more = unwanted_changes(checks, trajectory.diff, planned, (*SCRATCH, *gold.scratch))
    return reasons + [f"something else was changed: {each}" for each in more[:3]]


def _process_faults(gold: QueryGold, trajectory: Trajectory, stated: Statements) -> Iterator[str]:
    """What had to be asked was asked, and what only a tool can tell came from one."""
    if gold.asks and not _user_was_answered(trajectory):
        yield "the user was not asked for what the request leaves open"
    results = [turn for turn in trajectory.turns if turn.source == "function" and not turn.error]
    if not results:
        yield "no tool was called, so that the answer is a guess"
        return
    seen = tuple(
        dict.fromkeys(
            str(leaf)[:LONGEST_READ] for _, value in trajectory.observations() for leaf in leaves(value)
        )
    )
    plan = (trajectory.reference or {}).get("observations", ())
    for wanted, fact in zip(gold.facts, stated.facts, strict=True):
        if is_bound(wanted) and not _is_observed(wanted, plan, seen):
            yield f"no tool said {fact.shown}, so that it is a guess"


def is_bound(wanted: WantedFact) -> bool:
    """Whether a tool must have returned the fact; nobody returns what is counted from results."""
    return bool(wanted.pointers) and not any(is_computed(pointer.path) for pointer in wanted.pointers)


def _is_observed(wanted: WantedFact, plan: Sequence[JsonValue], seen: Sequence[str]) -> bool:
    """Whether a tool returned one of the values that the plan's calls return, by itself or inside a text."""
    for pointer in wanted.pointers:
        values = wanted.values_of(pointer, plan, ())
        for value in () if isinstance(values, Failure) else values:
            if any(True for text in seen for _ in value.spots(text)):
                return True
            forms = (
                {f"{value.number:.12g}", f"{value.number:.2f}", f"{value.number:.1f}"}
                if isinstance(value, Number)
                else ()
            )
            if any(form in text for text in seen for form in forms):
                return True
        if _are_factors_seen(pointer.path, plan, seen):
            return True
    return False


def _are_factors_seen(path: str, plan: Sequence[JsonValue], seen: Sequence[str]) -> bool:
    """Whether tools returned both numbers of which the plan's call made the product: an amount and a rate."""
    record = look_up(path.rpartition(".")[0], plan)
    made = look_up(path, plan)
    if not isinstance(record, Mapping) or not isinstance(made, int | float):
        return False
    numbers = [value for value in record.values() if isinstance(value, int | float) and str(value) in seen]
    return any(isclose(one * two, made, rel_tol=1e-5) for one, two in combinations(numbers, 2))


def _user_was_answered(trajectory: Trajectory) -> bool:
    return any(turn.kind == "reply" and turn.value != DECLINED for turn in trajectory.turns)


@dataclass(frozen=True, slots=True)
class _SaidBefore:
    """The query and all that tools and the user said, in one spelling; where each text begins is kept once."""

    text: str
    places: dict[str, int] = field(default_factory=dict)

    def has(self, wanted: str, end: int) -> bool:
        """Whether the text up to `end` holds the words."""
        if wanted not in self.places:
            self.places[wanted] = self.text.find(wanted)
        return 0 <= self.places[wanted] <= end - len(wanted)


@dataclass(frozen=True, slots=True)
class _Made:
    """A call that the model made, and how much of what is known it had been told before."""

    tool: str
    arguments: Record
    known: _SaidBefore
    told: int


def parameter_correctness(gold: QueryGold, trajectory: Trajectory, query: str) -> float | None:
    """Mean over the plan's calls of the share of arguments that the best call of that tool got right.

    A literal must be equal (case, white space and 5 against "5" do not count); a value that only an observation
    can tell must occur in one that came before. A planned call whose tool was never called is worth 0; further
    arguments and further calls do not count.
    """
    wanted = [step for step in gold.plan if not step.optional and step.tool not in (ASK, FINISH)]
    if not wanted:
        return None
    made = _calls_in_order(trajectory, query)
    return sum(_best_share(step, made) for step in wanted) / len(wanted)


def _calls_in_order(trajectory: Trajectory, query: str) -> list[_Made]:
    """The calls in order. What is known is joined once: joined for every call, it would grow with their square."""
    texts = [normalise_text(query)]
    told, found = len(texts[0]), []
    rounds = iter(trajectory.rounds)
    for turn in trajectory.turns:
        if turn.source == "assistant":
            call = next(rounds, None)
            if call is not None and isinstance(call.arguments, Mapping):
                found.append((call.action, call.arguments, told))
        elif text := normalise_text(turn.value):
            told += len(text) + bool(told)
            texts.append(text)
    known = _SaidBefore(" ".join(filter(None, texts)))
    return [_Made(tool, arguments, known, place) for tool, arguments, place in found]


def _best_share(step: QueryStep, made: Sequence[_Made]) -> float:
    return max((_right_share(step, call) for call in made if call.tool == step.tool), default=0.0)


def _right_share(step: QueryStep, call: _Made) -> float:
    if not step.arguments:
        return 1.0
    right = sum(
        name in call.arguments and _is_right_argument(wanted, call.arguments[name], call)
        for name, wanted in step.arguments.items()
    )
    return right / len(step.arguments)


def _is_right_argument(wanted: JsonValue, given: JsonValue, call: _Made) -> bool:
    if is_reference(wanted):
        parts = list(islice(leaves(given), MOST_LEAVES + 1))
        return len(parts) <= MOST_LEAVES and all(call.known.has(_as_plain(leaf), call.told) for leaf in parts)
    if is_template(wanted):
        return _fits_template(wanted["fill"], _as_plain(given))
    if is_choice(wanted):
        return any(_is_right_argument(option, given, call) for option in wanted["any_of"])
    if isinstance(wanted, Mapping):
        return isinstance(given, Mapping) and all(
            name in given and _is_right_argument(item, given[name], call) for name, item in wanted.items()
        )
    if isinstance(wanted, list):
        if not isinstance(given, list) or len(given) != len(wanted):
            return False
        return all(_is_right_argument(a, b, call) for a, b in zip(wanted, given, strict=True))
    return _as_plain(wanted) == _as_plain(given)


def _fits_template(template: str, given: str) -> bool:
    """Whether a text has the words of a template between its places; those of a whole sentence may differ."""
    parts = [_as_plain(part) for part in PLACE.sub("\0", template).split("\0")]
    return len(" ".join(parts).split()) > MOST_TEMPLATE_WORDS or all(part in given for part in parts)


def _as_plain(value: JsonValue) -> str:
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    text = normalise_text(str(value))
    return re.sub(r"\.0+$", "", text) if re.fullmatch(r"-?\d{1,15}\.0+", text) else text


_KEY = re.compile(r"[\"'][\w .-]{1,40}[\"']\s*:\s*(?:[\"'\[{\d-]|true|false|null|None|True|False)")
_PLAIN_KEY = re.compile(r"\b[a-z]+(?:_[a-z0-9]+)+\b\s*[:=]")
_RAW = re.compile(r"\[\s*\{\s*[\"']\w+[\"']\s*:|\{\s*[\"']\w+[\"']\s*:[^{}]*[,{]\s*[\"']\w+[\"']\s*:")
MOST_KEYS = 4
LONGEST = 1500
MORE_THAN_GOLD = 5
EXTRA_LEAVES = 16


def selection_fault(answer: str, gold_length: int, wanted: int, observed: Sequence[JsonValue]) -> str:
    """Why an answer is no selection; empty where it is one."""
    keys = len(_KEY.findall(answer))
    if _RAW.search(answer):
        return "the answer pastes data as a tool returned them"
    if keys >= MOST_KEYS or len(_PLAIN_KEY.findall(answer)) >= MOST_KEYS:
        return f"the answer pastes data: {keys} fields as a tool returned them"
    limit = max(LONGEST, MORE_THAN_GOLD * gold_length)
    if len(answer) > limit:
        return f"the answer has {len(answer)} characters and does not select; {limit} are enough"
    extra = _count_said_values(answer, observed) - wanted
    if extra > EXTRA_LEAVES + wanted:
        return f"the answer lists {extra} values that were not asked for"
    return ""


def _count_said_values(answer: str, observed: Sequence[JsonValue]) -> int:
    """How many different values of the observations stand in the answer."""
    plain = fold_letters(answer)
    said = 0
    for leaf in dict.fromkeys(str(leaf) for value in observed for leaf in leaves(value)):
        text = fold_letters(leaf).strip()
        if 2 < len(text) <= 80 and text in plain:
            said += re.search(rf"(?<!\w){re.escape(text)}(?!\w)", plain) is not None
    return said
