"""Answers that need no model: the perfect agent, which follows the plan, a liar, and the trivial baselines."""

import json
import random
from collections.abc import Mapping, Sequence
from itertools import pairwise

from toolyard.benchmarks.tooleyes.data.documents import declared_parameters, required_names, tool_documents
from toolyard.benchmarks.tooleyes.data.references import fill_references
from toolyard.benchmarks.tooleyes.data.sample import FINISH, QueryGold, ToolEyesSample
from toolyard.benchmarks.tooleyes.task.episode import OBSERVATION, call_text
from toolyard.benchmarks.tooleyes.task.rounds import read_round
from toolyard.core.benchmark import Answerer
from toolyard.core.episodes import call_reply, count_replies
from toolyard.core.perturbations import PAGE, read_results, sample_perturbation
from toolyard.core.tool_search import SEARCH_TOOLS
from toolyard.core.types import Completion, Failure, JsonValue, Message, Record
from toolyard.text.json_values import mapping
from toolyard.text.parsing import read_json, read_python_literal

DONE = "I have made the call that fits the request; nothing more is needed."
# Values that fit what a parameter's name suggests, for documents that only say "string".
_EXAMPLES: tuple[tuple[str, JsonValue], ...] = (
    ("date", "2024-05-15"), ("year", "2024"), ("email", "ann@example.org"), ("url", "https://example.org/"),
    ("ip", "8.8.8.8"), ("country", "US"), ("city", "London"), ("location", "London"), ("lat", "51.5"),
    ("lon", "-0.12"), ("symbol", "AAPL"), ("ticker", "AAPL"), ("currency", "USD"), ("language", "en"),
    ("code", "print(1)"), ("id", "1"), ("number", "1"), ("limit", "5"), ("page", "1"), ("name", "Anna"),
)  # fmt: skip


def oracle(sample: ToolEyesSample, messages: Sequence[Message], rng: random.Random) -> str:  # noqa: ARG001
    """The next round of the plan, then the answer from what was observed; official queries get one valid call."""
    perturbation = sample_perturbation(sample)
    observations, page = read_results(_results_by_round(messages), perturbation)
    gold = sample.gold
    if not isinstance(gold, QueryGold):
        return _finish_call(DONE) if observations else _first_call(sample)
    place = len(observations)
    if place >= len(gold.plan):
        answer = gold.right_answer(observations)
        return _finish_call(
            answer if isinstance(answer, str) else f"The answer cannot be filled in: {answer.detail}."
        )
    step = gold.plan[place]
    arguments = fill_references(dict(step.arguments), observations)
    if isinstance(arguments, Failure):
        return _finish_call(f"The plan cannot go on: {arguments.detail}.")
    if page and isinstance(arguments, dict):
        arguments[PAGE] = page
    thought = step.thought or f"The request needs {step.tool.replace('_', ' ')} next, so I call it."
    return call_text(thought, step.tool, arguments_text(arguments))


def gold_search(sample: ToolEyesSample, messages: Sequence[Message], rng: random.Random) -> str | Completion:
    """A search for every tool of the plan by its own words, then the rounds of the plan."""
    gold, number = sample.gold, count_replies(messages)
    planned = {step.tool for step in gold.plan} if isinstance(gold, QueryGold) else set()
    needed = [tool for tool in tool_documents(sample) if tool["name"] in planned]
    if number >= len(needed):
        spoken = [place for place, message in enumerate(messages) if message.role == "assistant"]
        start = (spoken[len(needed)] if number > len(needed) else len(messages)) if needed else 0
        return oracle(sample, messages[start:], rng)
    query = f"{str(needed[number]['name']).replace('_', ' ')}. {needed[number].get('description')}"
    return call_reply(number, SEARCH_TOOLS, {"query": query})


def _observations_by_round(messages: Sequence[Message]) -> list[JsonValue]:
    """What came back after each round, as data where it is JSON."""
    return [value for _, value in _results_by_round(messages)]


def _results_by_round(messages: Sequence[Message]) -> list[tuple[str, JsonValue]]:
    """The tool of each round and what came back."""
    found: list[tuple[str, JsonValue]] = []
    for message, following in pairwise(messages):
        if message.role == "assistant":
            text = following.content.removeprefix(OBSERVATION)
            value = read_json(text)
            tool = read_round(message.content).action
            found.append((tool, text if isinstance(value, Failure) else value))
    return found


def _finish_call(answer: str) -> str:
    return call_text(
        "Everything that was asked for is known.", FINISH, json.dumps({"answer": answer}, ensure_ascii=False)
    )


def _first_call(sample: ToolEyesSample) -> str:
    tools = tool_documents(sample)
    if not tools:
        return _finish_call(DONE)
    return _example_call(sample, tools[0])


def _example_call(sample: ToolEyesSample, document: Mapping[str, JsonValue]) -> str:
    arguments = {name: _example_argument(name, document, sample) for name in required_names(document)}
    call = arguments_text(arguments)
    return call_text("This tool fits the request, so I call it first.", str(document["name"]), call)


def arguments_text(arguments: JsonValue) -> str:
    """Arguments as both profiles read them: JSON, or a Python literal where JSON says true, false or null."""
    text = json.dumps(arguments, ensure_ascii=False)
    return text if read_python_literal(text) == arguments else repr(arguments)


def _example_argument(name: str, document: Mapping[str, JsonValue], sample: ToolEyesSample) -> JsonValue:
    schema: Record = mapping(declared_parameters(document).get(name))
    if schema.get("enum"):
        first: JsonValue = schema["enum"][0]
        return first
    kind = schema.get("type", "string")
    if kind in ("integer", "number"):
        return max(1, int(schema.get("minimum", 1)))
    if kind == "boolean":
        return True
    if kind == "array":
        return []
    words = set(name.lower().replace("-", "_").split("_"))
    return next((value for part, value in _EXAMPLES if part in words), str(sample.input["query"])[:60])


def no_call(sample: ToolEyesSample, messages: Sequence[Message], rng: random.Random) -> str:  # noqa: ARG001
    """Finishes at once, without a look at any tool."""
    return _finish_call("I cannot handle the task.")


def first_tool(sample: ToolEyesSample, messages: Sequence[Message], rng: random.Random) -> str:  # noqa: ARG001
    """Calls the first tool with example values and hands its result over."""
    observations = _observations_by_round(messages)
    if not observations:
        return _first_call(sample)
    return _finish_call(json.dumps(observations[-1], ensure_ascii=False)[:2000])


def random_tool(sample: ToolEyesSample, messages: Sequence[Message], rng: random.Random) -> str:
    """Calls a tool drawn by chance with example values and hands its result over."""
    observations = _observations_by_round(messages)
    tools = tool_documents(sample)
    if not observations and tools:
        return _example_call(sample, rng.choice(tools))
    return _finish_call(json.dumps(observations[-1] if observations else "", ensure_ascii=False)[:2000])


def copy_query(sample: ToolEyesSample, messages: Sequence[Message], rng: random.Random) -> str:  # noqa: ARG001
    """Gives the request back as its answer."""
    return _finish_call(str(sample.input["query"]))


def answer_falsely(sample: ToolEyesSample, messages: Sequence[Message], rng: random.Random) -> str:  # noqa: ARG001
    """States facts of the right kind and the wrong value, without calling anything; a test of the checks."""
    gold = sample.gold
    facts = gold.facts if isinstance(gold, QueryGold) else ()
    claims = ", ".join(_false_statement(rng) for _ in facts)
    return _finish_call(f"It is done: {claims or 'Quenby Ostrander 7719'}.")


def _false_statement(rng: random.Random) -> str:
    letters = "".join(rng.choice("bdfgklmnprstvz") + rng.choice("aeiou") for _ in range(3))
    return f"the {letters.capitalize()} {letters[::-1].capitalize()} with {rng.uniform(3, 9000):.2f}"


def _scripted_verdict(score: int) -> str:
    return f"Scoring Reason: a script, not a judgement.\nEvaluation Score: {score}"


def praising_judge(sample: ToolEyesSample, messages: Sequence[Message], rng: random.Random) -> str:  # noqa: ARG001
    """Ten out of ten, whatever it sees."""
    return _scripted_verdict(10)


def guessing_judge(sample: ToolEyesSample, messages: Sequence[Message], rng: random.Random) -> str:  # noqa: ARG001
    """A score by chance."""
    return _scripted_verdict(rng.randint(1, 10))


SCRIPTED_JUDGES: Mapping[str, Answerer] = {"oracle": praising_judge, "random": guessing_judge}

BASELINES: Mapping[str, Answerer] = {
    "no-call": no_call,
    "first-tool": first_tool,
    "random": random_tool,
    "copy-query": copy_query,
    "liar": answer_falsely,
}
