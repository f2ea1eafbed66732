"""Reasoning kept separate from answers: tags in the text, separate fields, and the token limit of each.

<think>Oslo is a city.</think>The call is ...      {"content": "The call is ...", "reasoning_content": "Oslo ..."}
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from toolyard.core.types import Completion, JsonValue, Usage

# The answer never began: the room for thoughts was too small.
THOUGHT_CUT = "thought_cut"
FIELDS = ("reasoning_content", "reasoning", "reasoning_text", "thinking")
PART_TYPES = (
    "thinking", "reasoning", "reasoning_text", "summary_text", "reasoning.text", "reasoning.summary",
)  # fmt: skip

_NAMES = r"think|thinking|thought|reasoning"
_OPENING = re.compile(rf"\s*+<({_NAMES})>", re.IGNORECASE)
_CLOSING = re.compile(rf"</(?:{_NAMES})>", re.IGNORECASE)
_SQUARE = re.compile(r"\s*+\[THINK\](.*?)(?:\[/THINK\]|\Z)", re.DOTALL)
# The channels of gpt-oss, where a server passes them on unread.
_CHANNEL = "<|channel|>analysis<|message|>"
_FINAL = re.compile(r"<\|channel\|>final<\|message\|>")
_MARK = re.compile(r"<\|[a-z_]+\|>(?:assistant)?")


@dataclass(frozen=True, slots=True)
class Thinking:
    """A reply taken apart; `closed` is False where it ends inside the thought."""

    thought: str
    answer: str
    closed: bool = True


def split_thought(text: str) -> Thinking:
    """The thought that a reply begins with, and the rest; tags later in an answer are the answer's."""
    if _CHANNEL in text[:200]:
        return _split_channels(text)
    square = _SQUARE.match(text)
    if square is not None:
        return Thinking(
            square.group(1).strip(), text[square.end() :].strip(), text[: square.end()].endswith("[/THINK]")
        )
    opening = _OPENING.match(text)
    closing = _CLOSING.search(text, opening.end() if opening else 0)
    if opening is None and (closing is None or _OPENING.search(text, 0, closing.start())):
        return Thinking("", text)
    begun = opening.end() if opening else 0
    if closing is None:
        return Thinking(text[begun:].strip(), "", closed=False)
    return Thinking(text[begun : closing.start()].strip(), text[closing.end() :].strip())


def _split_channels(text: str) -> Thinking:
    head, *rest = _FINAL.split(text, maxsplit=1)
    thought = _MARK.sub("", head.replace(_CHANNEL, "")).strip()
    return Thinking(thought, _MARK.sub("", rest[0]).strip() if rest else "", bool(rest))


def reasoning_field(message: Mapping[str, JsonValue]) -> str:
    """The thought that stands in a field of its own, under whichever of the usual names."""
    for name in FIELDS:
        found = _join_texts(message.get(name))
        if found:
            return found
    return _join_texts(message.get("reasoning_details")) or _text_in_parts(message.get("content"))


def _join_texts(value: JsonValue) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return next(
            (
                said
                for key in ("text", "summary", "thinking", "content")
                if (said := _join_texts(value.get(key)))
            ),
            "",
        )
    return "".join(map(_join_texts, value)) if isinstance(value, list) else ""


def _text_in_parts(content: JsonValue) -> str:
    parts = content if isinstance(content, list) else []
    return "".join(
        _join_texts(part) for part in parts if isinstance(part, Mapping) and part.get("type") in PART_TYPES
    )


def separate_thought(completion: Completion) -> Completion:
    """The completion with its thought apart from its answer, and its thought's tokens counted or estimated."""
    found = split_thought(completion.text)
    thought = "\n".join(filter(None, (completion.reasoning, found.thought)))
    if not thought:
        return completion
    calls = "".join(str(call.get("function", "")) for call in completion.tool_calls)
    answer = found.answer if found.thought else completion.text
    cut = (
        not answer.strip()
        and not completion.tool_calls
        and (not found.closed or completion.finish_reason == "length")
    )
    return replace(
        completion,
        text=answer,
        reasoning=thought,
        finish_reason=THOUGHT_CUT if cut else completion.finish_reason,
        usage=_with_reasoning_tokens(completion.usage, len(thought), len(answer) + len(calls)),
    )


def _with_reasoning_tokens(usage: Usage, thought: int, answer: int) -> Usage:
    """Where the endpoint does not tell thoughts apart, their tokens are those of their share of the characters."""
    if usage.reasoning_tokens:
        return usage
    share = thought / max(1, thought + answer)
    return replace(usage, reasoning_tokens=round(usage.completion_tokens * share))


def limit_answer(completion: Completion, limit: int) -> Completion:
    """The completion with an answer of at most `limit` tokens: room for thoughts is no room for the answer."""
    written = completion.usage.completion_tokens - completion.usage.reasoning_tokens
    if written <= limit or not completion.text:
        return completion
    kept = completion.text[: len(completion.text) * limit // written]
    return replace(completion, text=kept, finish_reason="length")
