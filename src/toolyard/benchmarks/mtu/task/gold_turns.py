"""The perfect turn where calls are made one after the other: natively, after a search, or by a program."""

import random
from collections.abc import Mapping, Sequence

from toolyard.benchmarks.mtu.data.sample import MtuSample
from toolyard.benchmarks.mtu.scoring.baselines import NO_CALL, oracle, tool_names
from toolyard.benchmarks.mtu.scoring.calls import calls_of
from toolyard.core.episodes import call_reply, count_replies
from toolyard.core.perturbations import HANDLED, PAGE, call_with_handling, read_results, sample_perturbation
from toolyard.core.tool_search import SEARCH_TOOLS
from toolyard.core.types import Completion, Failure, JsonValue, Message
from toolyard.text.parsing import read_json
from toolyard.text.tool_calling import name_of, python_arguments, python_names

# A call that fails leaves nothing to pass on, and the program goes on.
_TRIED = "try:\n    {name} = {call}\nexcept Exception:\n    {name} = {{}}"


def gold_step(sample: MtuSample, messages: Sequence[Message]) -> Completion:
    """The next gold call, with what earlier ones returned in the place of references; words after the last."""
    calls = calls_of(sample.gold["calls"])
    done, page = read_results(_tool_results(messages), sample_perturbation(sample))
    if len(done) >= len(calls):
        return Completion(NO_CALL)
    returned = dict(zip([call.name for call in calls], done, strict=False))

    def put(value: JsonValue) -> JsonValue:
        if isinstance(value, list):
            return [put(item) for item in value]
        tool, _, result = value.partition(".") if isinstance(value, str) else ("", "", "")
        known = returned.get(tool)
        return known.get(result, value) if isinstance(known, Mapping) else value

    call = calls[len(done)]
    more = {PAGE: page} if page else {}
    arguments = {name: put(value) for name, value in call.arguments.items()}
    return call_reply(count_replies(messages), call.name, {**arguments, **more})


def _tool_results(messages: Sequence[Message]) -> list[tuple[str, JsonValue]]:
    """What each tool answered."""
    names = {str(call.get("id")): name_of(call) for message in messages for call in message.tool_calls}
    found = []
    for message in messages:
        name = names.get(message.tool_call_id or "", "")
        if message.role == "tool" and name != SEARCH_TOOLS:
            value = read_json(message.content)
            found.append((name, None if isinstance(value, Failure) else value))
    return found


def gold_search(sample: MtuSample, messages: Sequence[Message], rng: random.Random) -> str | Completion:
    """A search for every gold tool by its own words, then the gold calls."""
    number, calls = count_replies(messages), calls_of(sample.gold["calls"])
    if not calls:
        return oracle(sample, messages, rng)
    if number < len(calls):
        name = calls[number].name
        tool = next((each for each in sample.input["tools"] if each.get("name") == name), {})
        query = f"{name.replace('_', ' ')}. {tool.get('description', '')}"
        return call_reply(number, SEARCH_TOOLS, {"query": query})
    return gold_step(sample, messages)


def gold_program(sample: MtuSample, messages: Sequence[Message], rng: random.Random) -> str:
    """The gold calls as a program, a result as what an earlier call returned; words where no call is wanted."""
    calls = calls_of(sample.gold["calls"])
    if not calls:
        return oracle(sample, messages, rng)
    names = python_names(tool_names(sample.input["tools"]))
    called = dict(zip(tool_names(sample.input["tools"]), names, strict=True))
    perturbation, sources = sample_perturbation(sample), dict[str, str]()
    lines = [HANDLED] if perturbation else []
    for number, call in enumerate(calls):
        given = {key: _value_expression(value, sources) for key, value in call.arguments.items()}
        made = call_with_handling(
            f"{called.get(call.name, call.name)}({python_arguments(given)})", call.name, perturbation
        )
        lines.append(_TRIED.format(name=f"r{number}", call=made))
        sources[call.name] = f"r{number}"
    return "```python\n" + "\n".join(lines) + "\n```"


def _value_expression(value: JsonValue, sources: Mapping[str, str]) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_value_expression(item, sources) for item in value)}]"
    tool, _, result = value.partition(".") if isinstance(value, str) else ("", "", "")
    return f"{sources[tool]}.get({result!r}, {value!r})" if tool in sources else repr(value)
