"""A model in this process with transformers: prompts by the model's own template, answers from its queue."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING

from toolyard.core.types import JsonValue, Message, Request
from toolyard.models.hf.model_weights import Weights, load_weights
from toolyard.models.hf.request_queue import Prompt, Queue, Writer, Written
from toolyard.text.json_values import mapping

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

LEAD, CLOSING = '<tool_call>\n{"name": "', "</tool_call>"
TOOL_CALL = re.compile(r"<tool_call>\s*(\{.*?\})\s*</tool_call>", re.DOTALL)


class Engine:
    """A model and its tokenizer, and the queue of what it shall write."""

    def __init__(self, weights: Weights, batch: int) -> None:
        self.weights = weights
        self._model, self._tokenizer = load_weights(weights)
        import torch
        import transformers

        self.version = f"transformers {transformers.__version__}, torch {torch.__version__}"
        writer = choose_writer(self._model, self._tokenizer, batch)
        self.batching = writer.batching
        self._queue = Queue(writer)

    @property
    def context(self) -> int:
        """Tokens that the model was made for."""
        return int(getattr(self._model.config, "max_position_embeddings", 0) or 2**31)

    @property
    def template(self) -> str:
        """The chat template."""
        return str(self._tokenizer.chat_template)

    def render_prompt(
        self, messages: Sequence[Message], tools: Sequence[Mapping[str, JsonValue]] = ()
    ) -> str:
        """The prompt that the template makes of messages and tools."""
        return str(
            self._tokenizer.apply_chat_template(
                [_plain_message(message) for message in messages],
                tools=[dict(tool) for tool in tools] or None,
                add_generation_prompt=True,
                tokenize=False,
                **self.weights.template,
            )
        )

    def prompt(self, request: Request, room: int) -> Prompt:
        """The request as tokens; tools that may not be called are not shown, a call that must come is begun."""
        tools = () if request.tool_choice == "none" else request.tools
        lead = answer_beginning(request.tool_choice) if tools else ""
        text = self.render_prompt(request.messages, tools) + lead
        tokens = tuple(self._tokenizer(text, add_special_tokens=False)["input_ids"])
        return Prompt(request, tokens, 0 if lead else room, lead)

    def submit(self, prompt: Prompt) -> Future[Written]:
        """What will be written after the prompt."""
        return self._queue.submit(prompt)

    def close(self) -> None:
        """Ends the thread that writes."""
        self._queue.close()


def choose_writer(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, batch: int) -> Writer:
    """Continuous batches where the model's attention allows it, fixed ones otherwise."""
    from toolyard.models.hf.answer_end import Ending
    from toolyard.models.hf.decoding_steps import reason_against_slots
    from toolyard.models.hf.fixed_batches import FixedWriter
    from toolyard.models.hf.slots import SlotWriter

    ending, reason = Ending(model, tokenizer), reason_against_slots(model)
    if reason:
        return FixedWriter(model, tokenizer, ending, batch, reason)
    return SlotWriter(model, ending, batch)


def answer_beginning(choice: str) -> str:
    """How an answer begins that must be a call: of any function, or of the one that is named."""
    if choice in ("", "auto", "none"):
        return ""
    return LEAD if choice == "required" else f'{LEAD}{choice}", "arguments": '


def _plain_message(message: Message) -> dict[str, JsonValue]:
    found: dict[str, JsonValue] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        found["tool_calls"] = [_with_decoded_arguments(call) for call in message.tool_calls]
    if message.tool_call_id is not None:
        found["tool_call_id"] = message.tool_call_id
    return found


def _with_decoded_arguments(call: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """A call with its arguments as an object, as templates want them."""
    function = dict(mapping(call.get("function")))
    try:
        function["arguments"] = json.loads(str(function.get("arguments") or "{}"))
    except (TypeError, ValueError):
        function["arguments"] = {}
    return {**call, "function": function}


def tagged_calls(text: str) -> tuple[str, list[JsonValue]]:
    """The text without `<tool_call>` blocks, and what stands in them, as far as it is JSON."""
    calls: list[JsonValue] = []

    def take_call(match: re.Match[str]) -> str:
        try:
            calls.append(json.loads(match.group(1)))
        except ValueError:
            return match.group(0)
        return ""

    rest = TOOL_CALL.sub(take_call, text)
    return (rest.strip() if calls else text), calls
