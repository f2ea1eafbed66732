"""The perfect answer to a case, and the one that calls nothing."""

import json
import random
from collections.abc import Mapping, Sequence

from toolyard.benchmarks.tooleyes.data.references import fill_references, is_choice, look_up
from toolyard.benchmarks.tooleyes.scoring.checks.wanted_facts import Pointer
from toolyard.core.episodes import call_reply, count_replies
from toolyard.core.types import Completion, Failure, JsonValue, Message
from toolyard.owntools.cases.case_file import CaseSample, ExpectedCall
from toolyard.owntools.cases.case_scoring import parse_result


def oracle(sample: CaseSample, messages: Sequence[Message], rng: random.Random) -> str:  # noqa: ARG001
    """The next expected call as text, then an answer with every fact."""
    step = _next_answer(sample, messages)
    if isinstance(step, str):
        return step
    return json.dumps({"calls": [{"name": step.tool, "arguments": step.arguments}]}, ensure_ascii=False)


def native_oracle(sample: CaseSample, messages: Sequence[Message]) -> Completion:
    """The same, called natively."""
    step = _next_answer(sample, messages)
    if isinstance(step, str):
        return Completion(step)
    return call_reply(count_replies(messages), step.tool, step.arguments)


def no_call(sample: CaseSample, messages: Sequence[Message], rng: random.Random) -> str:  # noqa: ARG001
    """An answer without any call."""
    return "I cannot help with that."


def _next_answer(sample: CaseSample, messages: Sequence[Message]) -> ExpectedCall | str:
    calls = sample.gold.calls or ()
    before = sum("assistant" in turn for turn in sample.input["conversation"])
    done = count_replies(messages) - before
    seen = _observations_in_order(messages)[-done:] if done else []
    if done >= len(calls):
        return _answer_with_facts(sample, seen)
    call = calls[done]
    arguments = fill_references(_choose_values(dict(call.arguments)), seen)
    return ExpectedCall(call.tool, {} if isinstance(arguments, Failure) else arguments)


def _choose_values(value: object) -> object:
    """One value where the case accepts several; arguments that may be anything are left out."""
    if is_choice(value):
        return value["any_of"][0]
    if isinstance(value, Mapping):
        return {name: _choose_values(each) for name, each in value.items() if not _is_any(each)}
    return value


def _is_any(value: JsonValue) -> bool:
    return isinstance(value, Mapping) and set(value) == {"any"}


def _observations_in_order(messages: Sequence[Message]) -> list[JsonValue]:
    """What each call returned, in order."""
    texts = [message.content for message in messages if message.role == "tool"]
    if not texts:
        results = [m.content for m in messages if m.role == "user" and m.content.startswith("Result of ")]
        texts = [text.partition(": ")[2] for text in results]
    return list(map(parse_result, texts))


def _answer_with_facts(sample: CaseSample, seen: Sequence[JsonValue]) -> str:
    """Every fact in one sentence each."""
    parts = []
    for fact in sample.gold.facts:
        source = fact.sources[0]
        value = look_up(source.path, seen) if isinstance(source, Pointer) else None
        labels = [str(label) for group in fact.labels for label in group[:1] if isinstance(label, str)]
        shown = value if value is not None else getattr(source, "text", getattr(source, "number", source))
        if isinstance(shown, float) and shown.is_integer():
            shown = int(shown)
        parts.append(f"{', '.join(labels) or 'It'}: {shown} {fact.unit}".strip() + ".")
    return " ".join(parts) or "Done."
