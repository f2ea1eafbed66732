"""Token counts as endpoints report them, under whichever of the usual names; estimates where there are none.

{"prompt_tokens": 90, "completion_tokens": 40, "prompt_tokens_details": {"cached_tokens": 64},
 "completion_tokens_details": {"reasoning_tokens": 25}}
"""

from toolyard.core.types import Completion, JsonValue, Usage

# More than any model reads or writes at once: a count beyond it is none.
MOST_TOKENS = 10**8
READ = ("prompt_tokens", "input_tokens")
WRITTEN = ("completion_tokens", "output_tokens")
THOUGHT = ("reasoning_tokens", "thinking_tokens")
CACHED = ("cached_tokens", "prompt_cache_hit_tokens", "cache_read_input_tokens")
DETAILS = (
    "completion_tokens_details", "output_tokens_details", "prompt_tokens_details", "input_tokens_details",
)  # fmt: skip


def read_usage(counted: JsonValue, estimate: Usage) -> Usage:
    """The endpoint's token counts, or the estimate if they are missing or impossible.

    Nothing at all for a prompt that has words would let a cost limit be passed without notice. Some endpoints
    count thoughts beside what is written; the total tells.
    """
    given = _flat_counts(counted)
    read = _first_count(given, READ) or estimate.prompt_tokens
    written = _first_count(given, WRITTEN) or estimate.completion_tokens
    thought = _first_count(given, THOUGHT)
    if thought and _first_count(given, ("total_tokens",)) == read + written + thought:
        written += thought
    return Usage(read, written, min(thought, written), min(_first_count(given, CACHED), read))


def _flat_counts(counted: JsonValue) -> dict[str, JsonValue]:
    found = dict(counted) if isinstance(counted, dict) else {}
    for name in DETAILS:
        inner = found.get(name)
        found |= (
            {key: value for key, value in inner.items() if key not in found}
            if isinstance(inner, dict)
            else {}
        )
    return found


def _first_count(given: dict[str, JsonValue], names: tuple[str, ...]) -> int:
    for name in names:
        found = given.get(name)
        if isinstance(found, int | float) and not isinstance(found, bool) and 0 <= found <= MOST_TOKENS:
            return int(found)
    return 0


def counts_are_missing(payload: JsonValue, completion: Completion) -> bool:
    """Whether the completion's token counts are, in part, estimates."""
    given = _flat_counts(payload.get("usage") if isinstance(payload, dict) else None)
    usage = completion.usage
    return usage.prompt_tokens not in _reported_counts(given, READ) or not (
        {usage.completion_tokens, usage.completion_tokens - usage.reasoning_tokens}
        & _reported_counts(given, WRITTEN)
    )


def _reported_counts(given: dict[str, JsonValue], names: tuple[str, ...]) -> set[float]:
    # Compared as they are: a count that is no number, or infinite, equals none of ours.
    return {value for name in names if isinstance(value := given.get(name), int | float)}
