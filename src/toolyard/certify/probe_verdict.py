"""A probe's answer judged by itself: solved or not, with which defects, or by which fault of the model; pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from toolyard.certify import damage_signs as signs
from toolyard.certify.conversation import PlayedCall, play_all, read_arguments, tool_answers, wanted_results
from toolyard.certify.endpoint_turn import EndpointCall, EndpointTurn
from toolyard.certify.probe import Probe
from toolyard.certify.probe_answers import ProbeAnswer, ProbeExchange
from toolyard.certify.surfaces import read_turn
from toolyard.certify.task import ProbeTask

# Few tokens may be left out of a count; an answer that is empty after this many was lost on the way.
SWALLOWED = 8
MOST_LETTERS_PER_TOKEN = 30
COUNTED_FROM = 200
SLACK = 2
SHOWN = {
    "tools": "tools_not_shown", "parameters": "parameters_not_shown", "result": "result_not_shown",
    "system": "system_not_shown", "past call": "past_call_not_shown",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Judged:
    """A probe with what its answer shows. `skipped` says why it does not count; `fault` is the model's.

    `damage` are defects that need a second surface to be told from the model's own mistake.
    """

    probe: Probe
    solved: bool
    defects: tuple[str, ...] = ()
    damage: tuple[str, ...] = ()
    fault: str = ""
    skipped: str = ""
    detail: str = ""
    turns: tuple[EndpointTurn, ...] = ()


def judge_answer(probe: Probe, answer: ProbeAnswer | None) -> Judged:
    """What the kept answer to a probe shows."""
    if answer is None or not answer.exchanges:
        return Judged(probe, False, skipped=(answer.error if answer else None) or "not asked")
    if answer.error:
        return Judged(probe, False, skipped=answer.error)
    refused = next((exchange for exchange in answer.exchanges if exchange.status != 200), None)
    if refused is not None:
        return _judge_refusal(probe, refused, first=refused is answer.exchanges[0])
    turns = tuple(read_turn(probe, exchange.body) for exchange in answer.exchanges)
    if probe.task.kind == "count":
        return _judge_count(probe, turns)
    return _judge_turns(probe, turns)


def _judge_refusal(probe: Probe, exchange: ProbeExchange, *, first: bool) -> Judged:
    found = read_refusal(probe, exchange.status, exchange.body, first=first)
    defects = (found.defect,) if found.defect else ()
    return Judged(probe, False, defects, skipped=found.skipped, detail=found.detail)


def _judge_count(probe: Probe, turns: Sequence[EndpointTurn]) -> Judged:
    shorter, longer = (turn.count.prompt for turn in turns[:2])
    if shorter is None or longer is None:
        return Judged(probe, False, ("usage_missing",), turns=tuple(turns))
    part = probe.task.longer.part if probe.task.longer is not None else ""
    detail = f"{shorter} prompt tokens, then {longer}"
    lost = longer <= shorter + SLACK
    return Judged(probe, not lost, (SHOWN[part],) if lost else (), detail=detail, turns=tuple(turns))


def _judge_turns(probe: Probe, turns: tuple[EndpointTurn, ...]) -> Judged:
    task, played = probe.task, play_all(probe.task, turns)
    defects = [*_wire_defects(probe, turns), *_choice_defects(task, turns[0])]
    defects += (
        _text_defects(probe, turns) if probe.native or task.kind == "limit" else _thought_defects(task, turns)
    )
    damage = list[str]()
    for turn in turns:
        for call in turn.calls if probe.native else ():
            defects += _call_defects(task, call)
            damage += [] if signs.is_json(call.arguments) else ["arguments_not_json"]
    fault = _unsolved_reason(task, turns, played)
    if fault:
        broken, changed = _value_damage(task, played)
        defects, damage = [*defects, *broken], [*damage, *changed]
    if fault and fault != "cut" and "bad_shape" not in defects and _is_swallowed(task, turns[-1]):
        defects.append("answer_swallowed")
    damage = [] if turns[-1].finish == "length" or "calls_merged" in defects else damage
    names, likely = tuple(dict.fromkeys(defects)), tuple(dict.fromkeys(damage))
    return Judged(probe, not fault, names, likely, fault, detail=_describe_turn(turns[-1]), turns=turns)


def _wire_defects(probe: Probe, turns: Sequence[EndpointTurn]) -> Iterator[str]:
    """Defects of form: finish reason, ids, counts, stream."""
    for turn in turns:
        yield from turn.faults
        if "bad_shape" in turn.faults or "stream_not_ended" in turn.faults:
            continue
        if not _finish_fits(probe, turn):
            yield "finish_wrong"
        yield from _count_defects(probe.task, turn)
    if not probe.native:
        return
    ids = [call.id for turn in turns for call in turn.calls]
    if not all(ids):
        yield "ids_missing"
    known = [one for one in ids if one]
    if len(set(known)) < len(known):
        yield "ids_repeated"


def _finish_fits(probe: Probe, turn: EndpointTurn) -> bool:
    task = probe.task
    written = turn.count.completion
    if task.kind == "limit" and written is not None and written >= task.room:
        return turn.finish == "length"
    if turn.calls and probe.native:
        # A call that was forced by name ends with stop at some hosts, by their own documents.
        named = task.choice in task.by_name
        return turn.finish in ("calls", "length") or (named and turn.finish == "stop")
    return turn.finish in ("stop", "length", "content_filter")


def _count_defects(task: ProbeTask, turn: EndpointTurn) -> Iterator[str]:
    prompt, completion, total = turn.count.prompt, turn.count.completion, turn.count.total
    if prompt is None or completion is None:
        yield "usage_missing"
        return
    arguments = sum(len(str(call.arguments)) for call in turn.calls)
    written = len(turn.text) + arguments
    wrong = (
        (total is not None and total != prompt + completion)
        or (written > 0 and completion == 0)
        or prompt * MOST_LETTERS_PER_TOKEN < len(task.ask)
        or (written > COUNTED_FROM and completion * MOST_LETTERS_PER_TOKEN < written)
    )
    if wrong:
        yield "usage_wrong"
    if completion > task.room + SLACK:
        yield "limit_ignored"


def _choice_defects(task: ProbeTask, turn: EndpointTurn) -> Iterator[str]:
    """Whether the tool choice was kept in the first turn."""
    named = task.choice if task.choice in task.by_name else ""
    forced = (bool(named) or task.choice == "required") and "bad_shape" not in turn.faults
    if forced and not turn.calls and turn.finish != "length":
        yield "choice_ignored"
    if named and any(call.name != named and not signs.bare_name(call.name, task) for call in turn.calls):
        yield "choice_ignored"
    if task.choice == "none" and turn.calls:
        yield "choice_ignored"
    if task.one_at_a_time and len(turn.calls) > 1:
        yield "parallel_ignored"


def _text_defects(probe: Probe, turns: Sequence[EndpointTurn]) -> Iterator[str]:
    """Calls and markup that stand in texts, where the tools went by the endpoint's own fields."""
    task = probe.task
    yield from _thought_defects(task, turns)
    if task.choice == "none" or not task.tools or task.kind == "limit":
        return
    for turn in turns:
        if turn.calls and signs.has_markup(task, turn.text):
            yield "markup_in_text"
        yield from _missed_calls(task, turn)


def _missed_calls(task: ProbeTask, turn: EndpointTurn) -> Iterator[str]:
    """Calls that should be in the list and are not."""
    called = {(call.name, repr(read_arguments(call.arguments))) for call in turn.calls}
    if len(called) >= len(task.wanted) and not (task.any_call and not called):
        return
    # Beside calls, JSON alone may be the model's own words; markup is a call that was overlooked.
    if signs.standing_calls(task, turn.text) and (not called or signs.has_markup(task, turn.text)):
        yield "call_in_text"
    elif not called and signs.standing_calls(task, turn.thought):
        yield "call_in_thought"


def _thought_defects(task: ProbeTask, turns: Sequence[EndpointTurn]) -> Iterator[str]:
    if any(signs.has_thought(task, turn.text) for turn in turns):
        yield "thought_in_text"


def _call_defects(task: ProbeTask, call: EndpointCall) -> Iterator[str]:
    if isinstance(call.arguments, dict):
        yield "arguments_not_text"
    if signs.is_double_encoded(call.arguments):
        yield "arguments_double_encoded"
    if signs.is_merged(call.arguments):
        yield "calls_merged"
    if signs.bare_name(call.name, task):
        yield "name_damaged"


def _value_damage(task: ProbeTask, played: Sequence[PlayedCall]) -> tuple[list[str], list[str]]:
    """Defects for certain, and those that may be the model's own, in arguments that should be the wanted ones."""
    broken, likely = list[str](), list[str]()
    for wanted in task.wanted:
        for item in played:
            if item.call.name != wanted.tool or not isinstance(item.arguments, dict):
                continue
            aim = dict(wanted.arguments)
            if signs.is_broken_unicode(item.arguments, aim):
                broken.append("unicode_damaged")
            elif signs.is_text_for_value(item.arguments, aim):
                likely.append("values_as_text")
            elif signs.is_escape_damage(item.arguments, aim):
                likely.append("escapes_damaged")
    return broken, likely


def _unsolved_reason(task: ProbeTask, turns: Sequence[EndpointTurn], played: Sequence[PlayedCall]) -> str:
    """What keeps the task from being solved, as if it were the model's; empty where it is solved."""
    if task.kind == "limit":
        return ""
    if task.any_call:
        return "" if tool_answers(played) else ("wrong_call" if played else "no_call")
    results, wanted = tool_answers(played), wanted_results(task)
    if results == wanted:
        is_stated = _squeeze_text(task.answer) in _squeeze_text(turns[-1].text)
        return "" if is_stated else "wrong_answer"
    if turns[-1].finish == "length":
        return "cut"
    if not played:
        return "no_call"
    if any(item.call.name not in task.by_name for item in played):
        return "unknown_tool"
    if any(item.arguments is None for item in played):
        return "bad_json"
    return "extra_call" if len(results) > len(wanted) else "wrong_call"


def _squeeze_text(text: str) -> str:
    return re.sub(r"[\s,]+", "", text).casefold()


def _is_swallowed(task: ProbeTask, turn: EndpointTurn) -> bool:
    written = turn.count.completion or 0
    empty = not (turn.text.strip() or turn.thought.strip() or turn.calls)
    return bool(task.tools) and empty and written >= SWALLOWED


def _describe_turn(turn: EndpointTurn) -> str:
    """A short extract of the last turn, for debugging."""
    calls = "; ".join(f"{call.name}({str(call.arguments)[:200]})" for call in turn.calls[:4])
    return f"{calls or turn.text[:300]!s} [{turn.finish or 'no finish reason'}]"


NOT_SERVED = "this surface is not served"
SCHEMA = re.compile(r"schema|grammar|\$ref|\$defs|anyof|strict|recurs|additionalproperties", re.IGNORECASE)
TEMPLATE = re.compile(
    r"jinja|chat.?template|roles? must|must alternate|raise_exception|system role not", re.IGNORECASE
)
PARSER = re.compile(
    r"failed to parse (?:input|tool|model|output)|tool.?call pars|pars\w+ (?:of )?tool.?call", re.IGNORECASE
)
OVERFLOW = re.compile(
    r"context.{0,20}(?:length|size|window|exceed)|exceed.{0,40}context|too long|max_model_len", re.IGNORECASE
)
BY_TASK = {"schema": "schema_refused", "choice": "choice_refused", "history": "history_refused"}


@dataclass(frozen=True, slots=True)
class Refused:
    """The defect behind a refusal, or why the probe is left out."""

    defect: str = ""
    skipped: str = ""
    detail: str = ""


def read_refusal(probe: Probe, status: int, body: str, *, first: bool) -> Refused:
    """What an answer other than 200 says about the stack."""
    detail = f"{status}: {' '.join(body.split())[:300]}"
    if probe.surface.startswith("responses") and status in (404, 405, 501):
        return Refused(skipped=NOT_SERVED)
    if OVERFLOW.search(body) and not SCHEMA.search(body):
        return Refused(skipped="the prompt does not fit the context", detail=detail)
    return Refused(_defect_of_refusal(probe, status, body, first=first), detail=detail)


def _defect_of_refusal(probe: Probe, status: int, body: str, *, first: bool) -> str:
    if TEMPLATE.search(body):
        return "template_failed"
    if SCHEMA.search(body) and probe.native and probe.task.tools:
        return "schema_refused"
    if PARSER.search(body):
        return "parser_failed"
    if status >= 500:
        return "server_failed"
    if not first:
        return "history_refused"
    return BY_TASK.get(probe.task.leans_on, "request_refused") if probe.native else "request_refused"
