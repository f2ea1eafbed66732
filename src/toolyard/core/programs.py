"""Tools called by a program that the model writes (`--style code`): one program, and one more where it failed."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from toolyard.core.episodes import SAME_CALL, WRITTEN, RepeatedCalls
from toolyard.core.perturbations import MOMENTARY, PARTIAL, PerturbedCalls, SeenResult
from toolyard.core.types import (
    Completion,
    Conversation,
    Effects,
    Generate,
    JsonValue,
    Message,
    ProgramStop,
    Request,
    RunProgram,
)

CODE = "code"
MOST_CALLS = 100
# A program that failed may be written once more.
MOST_FAILURES = 2
TOO_MANY_CALLS = f"the program made more than {MOST_CALLS} calls and was stopped"
NO_PROGRAM = "the reply holds no program; write it between ```python and ```"
_STOPPED = "The program stopped with an error: {error}\n"
_AGAIN = "Write the whole program once more, repaired, between ```python and ```."
REPAIR = f"{_STOPPED}Calls that were made before it stand, and the same call is answered with the same result. {_AGAIN}"
REPAIR_PLAN = f"{_STOPPED}Its calls do not count. {_AGAIN}"
_FENCE = re.compile(r"```(?:python|py)?[ \t]*\n(.*?)(?:```|\Z)", re.DOTALL | re.IGNORECASE)
_THOUGHTS = re.compile(r"<think>.*?</think>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class CallAnswer:
    """What a call of a program is answered with: a value, an exception with a text, or the end of the program.

    After a `momentary` failure the same call may be made again."""

    value: JsonValue = None
    refusal: str | None = None
    ends: bool = False
    momentary: bool = False


def program_answer(seen: SeenResult) -> CallAnswer:
    """What a program gets where a model would see this result; a refusal is an exception."""
    momentary = seen.error in MOMENTARY
    if seen.error in (None, PARTIAL):
        return CallAnswer(seen.value, momentary=momentary)
    return CallAnswer(refusal=seen.text, momentary=momentary)


AnswerCall: TypeAlias = Callable[[str, Mapping[str, JsonValue]], Effects[CallAnswer]]


@dataclass(slots=True)
class ProgramLog:
    """What the programs of an episode did, for its transcript."""

    calls: int = 0
    printed: str = ""
    errors: list[str] = field(default_factory=list)

    def notes(self) -> dict[str, JsonValue]:
        """The transcript's note."""
        return {"program": {"calls": self.calls, "printed": self.printed, "errors": list(self.errors)}}


def program_in(text: str) -> str:
    """The program of a reply: what stands in its first code fence, else the whole reply; empty where there is none."""
    spoken = _THOUGHTS.sub("", text)
    found = _FENCE.search(spoken)
    return (found[1] if found else spoken).strip()


def run_program(source: str, functions: tuple[str, ...], answer: AnswerCall, log: ProgramLog) -> Effects[str]:
    """Runs a program, its calls answered one after the other; the error that it ended with, empty where there was none."""
    if not source:
        log.errors.append(NO_PROGRAM)
        return NO_PROGRAM
    stop: ProgramStop = yield RunProgram(source, functions)
    for _ in range(MOST_CALLS + 1):
        log.printed += stop.printed
        if stop.error:
            log.errors.append(stop.error)
        if stop.error or not stop.function:
            return stop.error
        if log.calls == MOST_CALLS:
            break
        log.calls += 1
        given = yield from answer(stop.function, stop.arguments)
        if given.ends:
            return ""
        stop = yield RunProgram("", functions, stop.state, given.value, given.refusal)
    log.errors.append(TOO_MANY_CALLS)
    return TOO_MANY_CALLS


def write_program(
    request: Request,
    functions: tuple[str, ...],
    make: AnswerCall,
    written: Callable[[], str],
    perturbed: PerturbedCalls | None = None,
    *,
    words: bool = False,
) -> Effects[Conversation]:
    """Calls made by a program; one that failed is asked for once more. `make` says what a call returns.

    `written` gives all calls as the text styles write them, empty where there were none: words without a call are read
    as they stand. With `words`, a reply without a program is such an answer.
    """
    repeats, log = RepeatedCalls(), ProgramLog()

    def answer(name: str, arguments: Mapping[str, JsonValue]) -> Effects[CallAnswer]:
        earlier: JsonValue = repeats.earlier(name, arguments)
        if repeats.ended:
            return CallAnswer(refusal=SAME_CALL)
        if earlier is not None:
            return CallAnswer(earlier)
        answered = yield from make(name, arguments)
        if not answered.momentary:
            repeats.keep(answered.value, name, arguments)
        return answered

    completions: tuple[Completion, ...] = ()
    messages = request.messages
    for _ in range(MOST_FAILURES):
        completion: Completion = yield Generate(replace(request, messages=messages))
        completions, messages = (*completions, completion), (*messages, completion.message)
        if words and _FENCE.search(_THOUGHTS.sub("", completion.text)) is None:
            break
        error = yield from run_program(program_in(completion.text), functions, answer, log)
        if not error or repeats.ended:
            break
        messages = (*messages, Message("user", REPAIR.format(error=error)))
    notes = {**repeats.notes(), **(perturbed.notes() if perturbed else {}), **log.notes()}
    return Conversation(messages, completions, {**notes, **({WRITTEN: text} if (text := written()) else {})})
