"""Whether a turn does what was asked: every tolerance a fair reader grants, none that a wrong answer can use.

Calls in any order in which none takes a result of a later one; tool names by their letters. An argument that equals
its documented default, or is empty, counts as absent on both sides. Values by meaning, and: a weekday for its date by
the prompt's own calendar; gold's words with others that the dialogue has around them; what the user said where gold
says it otherwise; one result under the names of two tools that pass it on; two usual names of one thing; a list for
the text that joins its items. What a call is asked to return may be more than gold asks for. A reason that
dialogue and document support may be given where gold gives none. A gold parameter that no document has may stand under the
documented name that extends it. Where no call is wanted, none is made and something is said: a value that an earlier turn
has, a question, to a farewell a word of farewell; nothing that no call of the dialogue did, no number that nobody told, and
nothing that the row's own reason for calling nothing tells against (`no_call_replies.py`).
A bare "that cannot be done" is right where nothing can: the row says so, it is a single request, or no word of the dialogue
is one of a listed tool. Gold that calls a tool which the prompt does not offer decides nothing: such a turn has no outcome.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from toolyard.benchmarks.alternatives import Accepted
from toolyard.benchmarks.mtu.data.sample import MtuSample
from toolyard.benchmarks.mtu.scoring.accepted_answers import AcceptedCalls, wanted_of
from toolyard.benchmarks.mtu.scoring.calls import Call, TurnPrediction
from toolyard.benchmarks.mtu.scoring.claimed_actions import invented_number, undone_action
from toolyard.benchmarks.mtu.scoring.no_call_replies import reply_fault
from toolyard.benchmarks.mtu.scoring.outcome_values import same_value
from toolyard.benchmarks.mtu.scoring.parse import read_answer
from toolyard.benchmarks.mtu.scoring.prompted_turn import PromptedTurn, turn_of
from toolyard.benchmarks.mtu.task.prompt import TEMPLATES
from toolyard.core.types import JsonValue
from toolyard.text.counted_nouns import how_many
from toolyard.text.names import letters_of_name
from toolyard.text.paraphrase import words_of
from toolyard.text.prose_checks import is_copy, is_farewell, joined_words, only_denies, says_something

# Such words are for whoever scores the answer, not for the user.
_FOR_THE_GRADER = re.compile(r"\bgrad(?:er|ing|ed)\b|\bfinal grade\b", re.IGNORECASE)
_NOTHING = frozenset({
    "dontcare", "don't care", "none", "null", "n a", "no preference", "not specified", "unspecified",
    "not provided",
})  # fmt: skip
_WRAPPED = re.compile(r"\s*(?:\$?\{{1,2}|<{1,2}|\[|\$|`)\s*([\w-]+\.[\w.]+)\s*(?:\}{1,2}|>{1,2}|\]|`)?\s*")
_SHORT_QUESTION = re.compile(r"(?:\w+ )?(?:which|what|when|where|who|how)(?: [\w']+)?\?", re.IGNORECASE)
_INSTRUCTIONS = tuple(
    joined_words(text) for name, text in TEMPLATES.items() if name.startswith("instructions")
)
SILENT = "no call is right, but the answer says nothing to the user"
DENIED = "no call is right, but the answer only says that nothing can be done, which is not so"
UNDONE = "no call is right, but the answer says that something was done that no call did"
INVENTED = "no call is right, but the answer states a number that the dialogue does not have"
UNREACHABLE = "gold calls a tool that the prompt does not offer"


@dataclass(frozen=True, slots=True)
class TurnOutcome:
    """Whether the turn is right, None where its gold cannot decide that, and why not."""

    right: bool | None
    reason: str = ""

    @property
    def value(self) -> float | None:
        """The figure of the turn."""
        return None if self.right is None else float(self.right)


RIGHT = TurnOutcome(True)
# There is one such figure, whatever the profile: it stands under `paper`.
UNASKED = TurnOutcome(None)


def turn_outcome(sample: MtuSample, prediction: TurnPrediction, *, right: bool) -> TurnOutcome:
    """The outcome of one answer; `right` says that the printed definitions find nothing wrong with its calls."""
    turn = turn_of(sample)
    if not turn.reachable:
        return TurnOutcome(None, UNREACHABLE)
    calls = readable_calls(prediction, turn)
    if isinstance(calls, str):
        return TurnOutcome(False, calls)
    if not calls and any(not accepted.calls for accepted in wanted_of(sample).accepted):
        return _outcome_without_call(prediction.said, turn)
    if right:
        return RIGHT
    reasons = [_difference_of_calls(calls, accepted, turn) for accepted in wanted_of(sample).accepted]
    return RIGHT if "" in reasons else TurnOutcome(False, reasons[0])


def _outcome_without_call(said: str, turn: PromptedTurn) -> TurnOutcome:
    """Whether the words are a right answer to a turn that wants no call."""
    if not _speaks_to_user(said, turn):
        return TurnOutcome(False, SILENT)
    undone = undone_action(said, turn)
    if undone:
        return TurnOutcome(False, f"{UNDONE}: {undone}")
    invented = invented_number(said, turn)
    if invented:
        return TurnOutcome(False, f"{INVENTED}: {invented}")
    if only_denies(said) and not turn.refusable:
        return TurnOutcome(False, DENIED)
    fault = reply_fault(said, turn)
    return TurnOutcome(False, f"no call is right, but {fault}") if fault else RIGHT


def _speaks_to_user(said: str, turn: PromptedTurn) -> bool:
    """Whether the words are for the user: some of its own, or a farewell to one."""
    if _FOR_THE_GRADER.search(said) or is_copy(said, (*TEMPLATES.values(), turn.question)):
        return False
    parting = is_farewell(turn.user) and is_farewell(said)
    asks = _SHORT_QUESTION.fullmatch(said.strip()) is not None
    known = (*_INSTRUCTIONS, joined_words(turn.user))
    return parting or asks or says_something(said, known) or turn.was_observed(said)


def readable_calls(prediction: TurnPrediction, turn: PromptedTurn) -> Sequence[Call] | str:
    """The calls of the answer, or why it cannot be read; a sentence after `Action:` names no tool and calls none."""
    failure = prediction.failure
    if failure is not None and failure.kind in ("no_action_input", "action_input_not_an_object"):
        begun = failure.detail.casefold().split()
        if len(begun) > 2 and begun[0][0] != "{" and begun[0].strip("\"'`.,:") not in turn.tools:
            return prediction.calls
        again = read_answer(prediction.said, without_input=turn.tools_without_parameters)
        prediction = prediction if again.failure else again
    failure = prediction.failure
    return prediction.calls if failure is None else f"{failure.kind}: {failure.detail}"


def _difference_of_calls(called: Sequence[Call], accepted: AcceptedCalls, turn: PromptedTurn) -> str:
    """Why the calls are not the accepted ones; empty where they are."""
    if len(called) != len(accepted.calls):
        return f"{how_many(len(called), 'call')}, wanted {len(accepted.calls)}"
    left = list(range(len(called)))
    for place, want in enumerate(accepted.calls):
        same = [index for index in left if letters_of_name(called[index].name) == letters_of_name(want.name)]
        if not same:
            return f"not called: {want.name}"
        found = [
            next(iter(argument_differences(called, index, want, accepted.beside[place], turn).values()), "")
            for index in same
        ]
        if "" not in found:
            return found[0]
        left.remove(same[found.index("")])
    return ""


def argument_differences(
    called: Sequence[Call], index: int, want: Call, beside: Accepted, turn: PromptedTurn
) -> dict[str, str]:
    """The arguments in which a call is not the wanted one, with the reasons."""
    call = called[index]
    later = {letters_of_name(each.name) for each in called[index + 1 :]} - {
        letters_of_name(each.name) for each in called[:index]
    }
    given = given_arguments(call, want, turn)
    gold = stated_arguments(want, want.name, turn)
    found = {
        name: f"{call.name} takes {value!r}, which is called only later"
        for name, value in given.items()
        if isinstance(value, str) and "." in value and letters_of_name(value.partition(".")[0]) in later
    }
    for name, value in gold.items():
        if name not in given:
            if name in beside.absent or turn.returns_all(want.name, name):
                continue
            if _is_default(value) and turn.only_selects(want.name, name):
                continue
            found[name] = f"{want.name}.{name} is missing, wanted {value!r}"
            continue
        others = (value, *beside.values.get(name, ()))
        if name in beside.free or any(same_value(given[name], other, turn, name, want) for other in others):
            continue
        found.setdefault(name, f"{want.name}.{name} is {given[name]!r}, wanted {value!r}")
    for name in given:
        if name not in gold and not _is_harmless(call, name, given[name], want, beside, turn, called[:index]):
            found.setdefault(name, f"{want.name}.{name} = {given[name]!r} is not wanted")
    return found


def given_arguments(call: Call, want: Call, turn: PromptedTurn) -> dict[str, JsonValue]:
    """The arguments that say something, under the names of gold, references without what is written around them."""
    gold = stated_arguments(want, want.name, turn)
    stated = stated_arguments(call, want.name, turn, gold)
    given = _rename_arguments_as_gold(stated, gold, want.name, turn)
    return {name: _plain_reference(value, turn) for name, value in given.items()}


def _plain_reference(value: JsonValue, turn: PromptedTurn) -> JsonValue:
    """`tool.result` for `{{tool.result}}`, `$tool.result` and the like."""
    if isinstance(value, list):
        return [_plain_reference(item, turn) for item in value]
    found = _WRAPPED.fullmatch(value) if isinstance(value, str) else None
    known = found is not None and found.group(1).partition(".")[0].casefold() in turn.tools
    return found.group(1) if found is not None and known else value


def stated_arguments(
    call: Call, tool: str, turn: PromptedTurn, wanted: Collection[str] = ()
) -> dict[str, JsonValue]:
    """The arguments that say something: not empty, not the documented default but where one is `wanted`."""
    return {
        name: value
        for name, value in call.arguments.items()
        if not _is_empty(value, name) and (name in wanted or not turn.is_default(tool, name, value))
    }


def _is_empty(value: JsonValue, name: str) -> bool:
    """Whether the value says nothing: empty, or that it does not matter ("any location" as a location)."""
    if not isinstance(value, str):
        return value in (None, [], {})
    words = words_of(value.replace("_", " "))
    if words[:1] == ("any",):
        return set(words[1:]) <= set(words_of(name.replace("_", " ")))
    return not value.strip() or " ".join(words) in _NOTHING


def _is_default(value: JsonValue) -> bool:
    return value in (["all"], "all", ["default"])


def _rename_arguments_as_gold(
    given: Mapping[str, JsonValue], gold: Mapping[str, JsonValue], tool: str, turn: PromptedTurn
) -> dict[str, JsonValue]:
    """The arguments under the names of gold: in other letters' case, or documented where gold's are in no document."""
    known = turn.parameters(tool)
    written = {letters_of_name(name): name for name in (*known, *gold)}
    names = {name: name if name in gold else written.get(letters_of_name(name), name) for name in given}
    lost = [name for name in gold if name not in known and name not in names.values()] if known else []
    for name in lost:
        fitting = [each for each in given if each in known and each not in gold and _extends_name(each, name)]
        if len(fitting) == 1:
            names[fitting[0]] = name
    return {names[name]: value for name, value in given.items()}


def _extends_name(documented: str, gold: str) -> bool:
    return set(gold.casefold().split("_")) <= set(documented.casefold().split("_"))


def _is_harmless(
    call: Call,
    name: str,
    value: JsonValue,
    want: Call,
    beside: Accepted,
    turn: PromptedTurn,
    before: Sequence[Call],
) -> bool:
    """Whether an argument that gold does not have changes nothing, or is what the user said and gold forgot."""
    if name in beside.free or any(
        same_value(value, other, turn, name, want) for other in beside.values.get(name, ())
    ):
        return True
    if name not in turn.parameters(want.name):
        return False
    if name in turn.selecting(want.name):
        return True
    if turn.is_given_elsewhere(want.name, name, value) or turn.repeats_search(want, name, value):
        return True
    if not isinstance(value, str):
        return False
    if turn.is_stated_reason(want.name, name, value) or turn.names_the_kind(want.name, value):
        return True
    return _passes_on_result(call, name, value, turn, before) or turn.is_said_for(name, value, want)


def _passes_on_result(call: Call, name: str, value: str, turn: PromptedTurn, before: Sequence[Call]) -> bool:
    """Whether the value is the result of an earlier call under the parameter's own name: `artist = Lookup.artist`."""
    source, _, result = value.partition(".")
    if not result or letters_of_name(source) not in {letters_of_name(each.name) for each in before}:
        return False
    fits = name == result or name.endswith(f"_{result}") or result.endswith(f"_{name}")
    return fits and result in turn.results(source) and len(call.arguments) > 1


def answer_values(sample: MtuSample, found: TurnOutcome) -> Iterator[tuple[str, float | None]]:
    """The figures: over all turns, and apart for those that want a call and those that want none."""
    yield "outcome", found.value
    yield ("outcome_call" if wanted_of(sample).gold else "outcome_no_call"), found.value
