"""Answers that need no model: the oracle and a trivial baseline."""

import json
import random
from collections.abc import Mapping, Sequence
from typing import Any

from toolyard import Completion, Message
from toolyard_bfcl.calls import Call
from toolyard_bfcl.rows import RowSample
from toolyard_bfcl.wheel import wheel_module

REFUSAL, DONE = "None of the functions can be used.", "Done."
# Toolyard keeps 32 calls of a reply; two rows delete a hundred files.
CALLS_A_REPLY = 30
ENDINGS = {("java", "long"): "L", ("java", "float"): "f", ("javascript", "Bigint"): "n"}


def oracle(sample: RowSample, messages: Sequence[Message], rng: random.Random) -> str | Completion:  # noqa: ARG001
    """The perfect answer to the messages so far."""
    return _reply(sample, messages, gold_turns(sample))


def first_function(sample: RowSample, messages: Sequence[Message], rng: random.Random) -> str | Completion:  # noqa: ARG001
    """Calls the first function in every turn, with the same word everywhere."""
    return _reply(sample, messages, [[placeholder_call(sample)] for _ in sample.input["turns"]])


def _reply(sample: RowSample, messages: Sequence[Message], turns: list[list[Call]]) -> str | Completion:
    calls = turns[0]
    if sample.input["group"] == "multi_turn":
        # Every turn ends with a reply that calls nothing.
        size = CALLS_A_REPLY
        portions = [[turn[start : start + size] for start in range(0, len(turn), size)] for turn in turns]
        replies = [calls for turn in portions for calls in (*turn, [])]
        said = sum(message.role == "assistant" for message in messages)
        calls = replies[said] if said < len(replies) else []
    if not calls:
        return DONE if len(turns) > 1 else REFUSAL
    persona = wheel_module("constants.default_prompts").PROMPT_STYLE_TEMPLATES["classic"]["persona"]
    if not messages or messages[0].content.startswith(persona):
        return write_text(sample, calls)
    texts = [{"name": each.name.replace(".", "_"), "arguments": json.dumps(each.arguments)} for each in calls]
    made = [{"id": f"call_{n}", "type": "function", "function": each} for n, each in enumerate(texts)]
    return Completion("", finish_reason="tool_calls", tool_calls=tuple(made))


def write_text(sample: RowSample, calls: Sequence[Call]) -> str:
    """The calls in the form that BFCL's prompt asks for."""
    if sample.input["language"] == "python":
        return f"[{', '.join(call.text for call in calls)}]"
    # Quoted code is as good as code there, as long as it has no quotes of its own.
    texts = []
    for call in calls:
        given = [f"{k}={v}" if '"' in str(v) else f'{k}="{v}"' for k, v in call.arguments.items()]
        texts.append(f"{call.name}({', '.join(given)})")
    return f"[{', '.join(texts)}]"


def gold_turns(sample: RowSample) -> list[list[Call]]:
    """The calls of every turn that BFCL takes for right."""
    answers: list[Any] = sample.gold["answers"]
    match sample.input["group"]:
        case "multi_turn":
            return answers
        case "irrelevance":
            return [[]]
        case "relevance":
            return [[placeholder_call(sample)]]
    return [[_gold_call(sample, answer) for answer in answers]]


def _gold_call(sample: RowSample, answer: Mapping[str, Any]) -> Call:
    ((name, options),) = answer.items()
    functions = sample.gold["functions"]
    # BFCL checks rows with one function against that one, whatever the name of the answer.
    document = next((each for each in functions if each["name"] == name), functions[0])
    schemas, required = document["parameters"]["properties"], document["parameters"].get("required", [])
    arguments = {
        key: _argument(choices, schemas[key], sample.input["language"])
        for key, choices in options.items()
        if key in schemas and (key in required or "" not in choices)
    }
    return Call(document["name"], arguments)


def _argument(choices: Sequence[Any], schema: Mapping[str, Any], language: str) -> Any:
    """The first value that counts as right; objects have such choices for every key."""
    chosen = next((each for each in choices if each != ""), "")
    inner = schema.get("items", {}).get("type", "")
    if isinstance(chosen, dict):
        chosen = {key: each[0] for key, each in chosen.items() if "" not in each}
    elif inner == "dict" and isinstance(chosen, list):
        chosen = [{key: each[0] for key, each in item.items() if "" not in each} for item in chosen]
    return chosen if language == "python" else _foreign(chosen, schema["type"], inner, language)


def _foreign(value: Any, kind: str, inner: str, language: str, *, quote: str = "") -> str:
    """The value as Java or JavaScript writes it: BFCL gives these functions every argument as such text."""
    java = language == "java"
    if isinstance(value, list):
        # In an array bfcl-eval takes quotes for a part of the text, in an ArrayList it does not.
        mark = "'" if not java else '"' if kind == "ArrayList" else ""
        items = ", ".join(_foreign(each, inner, "", language, quote=mark) for each in value)
        if not java:
            return f"[{items}]"
        filled = f"(Arrays.asList({items}))" if items else "()"
        return f"new ArrayList<>{filled}" if kind == "ArrayList" else f"new {inner}[]{{{items}}}"
    if isinstance(value, dict):
        mark = '"' if java else "'"
        parts = {key: _foreign(each, "", "", language, quote=mark) for key, each in value.items()}
        if not java:
            return f"{{{', '.join(f'{key}: {each}' for key, each in parts.items())}}}"
        puts = "".join(f'put("{key}", {each}); ' for key, each in parts.items())
        return f"new HashMap<String, Object>() {{{{ {puts}}}}}"
    if isinstance(value, str):
        return f"{quote}{value}{quote}"
    return str(value).lower() if isinstance(value, bool) else f"{value}{ENDINGS.get((language, kind), '')}"


def placeholder_call(sample: RowSample) -> Call:
    """The first function, with the first word that is allowed for each parameter, or x."""
    if not sample.input["functions"]:
        return Call("answer")
    document = sample.input["functions"][0]
    schemas = document["parameters"]["properties"]
    required = document["parameters"].get("required", [])
    return Call(document["name"], {name: schemas[name].get("enum", ["x"])[0] for name in required})
