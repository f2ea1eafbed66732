"""What a model is asked: one request for single-turn rows; turns with calls and their results for the others.

Prompts and documents are BFCL's own, made by bfcl-eval: `native` offers functions as its handler for OpenAI's interface
does, `text` sends its default system prompt.
"""

import copy
from collections.abc import Generator, Mapping, Sequence
from typing import Any

from toolyard import Completion, Conversation, Generate, Message, Options, Request, RunSetup
from toolyard_bfcl.calls import Services, read_result, result_of
from toolyard_bfcl.rows import RowSample
from toolyard_bfcl.wheel import call_parser, wheel_module

NATIVE, TEXT = STYLES = ("native", "text")
# After so many replies within one turn BFCL ends the whole row.
MOST_STEPS = 21


def prompt(sample: RowSample, options: Options) -> tuple[Message, ...]:
    """The messages of the first turn."""
    first = copy.deepcopy(sample.input["turns"][0])
    if options.style == TEXT:
        wheel = wheel_module("model_handler.utils")
        first = wheel.system_prompt_pre_processing_chat_model(first, sample.input["functions"], sample.id)
    return _messages(first)


def offered_functions(functions: Sequence[Mapping[str, Any]]) -> tuple[Mapping[str, Any], ...]:
    """The functions as an endpoint takes them; a dot in a name becomes an underscore."""
    wheel, kinds = wheel_module("model_handler.utils"), wheel_module("constants.type_mappings")
    style = wheel_module("constants.enums").ModelStyle.OPENAI_COMPLETIONS
    return tuple(wheel.convert_to_tool(functions, kinds.GORILLA_TO_OPENAPI, style))


def services_of(sample: RowSample) -> Services:
    """The services of a row in their initial state; a single-turn row has none."""
    shown = sample.input
    return Services(shown["classes"], shown["state"], long_context="long_context" in shown["category"])


def episode(samples: tuple[RowSample, ...], setup: RunSetup) -> Generator[Generate, Any, tuple[Conversation]]:
    """All turns of a row; the notes say how many replies each took, by which parsing tells them apart."""
    (sample,) = samples
    native, language = setup.options.style == NATIVE, sample.input["language"]
    if not native and language != "python":
        call_parser(language)  # says at once that tree-sitter is missing
    services, messages = services_of(sample), prompt(sample, setup.options)
    functions = list(sample.input["functions"])
    completions: tuple[Completion, ...] = ()
    turns: list[int] = []
    for number in range(len(sample.input["turns"])):
        functions += sample.input["added"].get(str(number), [])
        messages += _next_turn(sample, number, native=native) if number else ()
        tools = offered_functions(functions) if native else ()
        request = Request(messages, setup.decoding, sample=sample.id, tools=tools)
        messages, replies = yield from _take_turn(request, services, native=native)
        completions += replies
        turns.append(len(replies))
        if len(replies) == MOST_STEPS and messages[-1].role != "assistant":
            break
    notes = {"native": native, "underscored": native, "turns": turns}
    return (Conversation(messages, completions, notes),)


def _take_turn(
    request: Request, services: Services, *, native: bool
) -> Generator[Generate, Any, tuple[tuple[Message, ...], tuple[Completion, ...]]]:
    """The messages and replies of one turn: it ends with a reply that calls nothing."""
    messages, replies = request.messages, []
    while len(replies) < MOST_STEPS:
        asked = Request(messages, request.decoding, sample=request.sample, tools=request.tools)
        completion: Completion = yield Generate(asked)
        messages += (completion.message,)
        replies.append(completion)
        calls = read_result(result_of(completion), "python", native=native) if services.methods else ()
        if not isinstance(calls, tuple) or not calls:
            break
        results = [services.call(call) for call in calls]
        if native:
            pairs = zip(completion.tool_calls, results, strict=True)
            messages += tuple(Message("tool", text, tool_call_id=str(call.get("id"))) for call, text in pairs)
        else:
            said = zip(calls, results, strict=True)
            told = [{"role": "tool", "name": call.text, "content": text} for call, text in said]
            messages += (Message("user", repr(told)),)
    return messages, tuple(replies)


def _next_turn(sample: RowSample, number: int, *, native: bool) -> tuple[Message, ...]:
    added, words = sample.input["added"].get(str(number)), wheel_module("constants.default_prompts")
    if added is None:
        return _messages(sample.input["turns"][number])
    asked = getattr(words, f"DEFAULT_USER_PROMPT_FOR_ADDITIONAL_FUNCTION_{'FC' if native else 'PROMPTING'}")
    return (Message("user", asked.format(functions=added)),)


def _messages(turn: Sequence[Mapping[str, Any]]) -> tuple[Message, ...]:
    return tuple(Message(each["role"], each["content"]) for each in turn)
