"""How much of one sample is kept, whatever a model or an endpoint sends. All numbers stand here.

    32 calls of a reply; the others are dropped and counted
    262,144 characters of a reply's text, as many of its thoughts and as many of its calls
    8,388,608 characters of the replies of one episode; replies beyond them are empty

What a tool returns is cut by the world (4,096 tokens, in ToolEyes 1,024), a response of an endpoint at 16 MiB.
"""

from collections.abc import Iterator, Mapping
from typing import TypeVar

CALLS_PER_REPLY = 32
CHARACTERS_PER_REPLY = 2**18
CHARACTERS_PER_EPISODE = 2**23
BYTES_PER_RESPONSE = 2**24
Call = TypeVar("Call", bound=Mapping[str, object])


def limit_calls(calls: tuple[Call, ...]) -> tuple[Call, ...]:
    """The first calls of a reply, as many as are kept of it."""
    kept, size = 0, 0
    for call in calls[:CALLS_PER_REPLY]:
        size += sum(map(len, _texts_of_call(call)))
        if size > CHARACTERS_PER_REPLY:
            break
        kept += 1
    return calls[:kept]


def _texts_of_call(call: Mapping[str, object]) -> Iterator[str]:
    """The texts of a call in the chat format: its id, its name, its arguments."""
    function = call.get("function")
    inner = function.values() if isinstance(function, Mapping) else ()
    return (value for value in (*call.values(), *inner) if isinstance(value, str))
