"""How a conversation is asked and answered on each surface; pure functions."""

from collections.abc import Sequence

from toolyard.certify.endpoint_turn import EndpointTurn, Item
from toolyard.certify.probe import Probe
from toolyard.certify.surfaces import chat, prompt, responses
from toolyard.core.types import JsonValue

PATHS = {"chat": "chat/completions", "prompt": "chat/completions", "responses": "responses"}


def request_path(probe: Probe) -> str:
    """Where below the base URL a probe is posted."""
    return PATHS[probe.surface.removesuffix("-stream")]


def request_body(model: str, probe: Probe, items: Sequence[Item]) -> dict[str, JsonValue]:
    """What is posted to go on with a conversation."""
    if probe.surface.startswith("responses"):
        return responses.request_body(model, probe, items)
    if probe.native:
        return chat.request_body(model, probe, items)
    return chat.request_body(model, probe, prompt.conversation_as_text(probe.task, items), native=False)


def read_turn(probe: Probe, body: str) -> EndpointTurn:
    """The answer in a body of status 200."""
    if probe.surface.startswith("responses"):
        return responses.read_stream(body) if probe.is_streamed else responses.read_whole(body)
    turn = chat.read_stream(body) if probe.is_streamed else chat.read_whole(body)
    return turn if probe.native else prompt.add_found_calls(probe.task, turn)
