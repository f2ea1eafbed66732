"""Episodes that several benchmarks share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolyard.core.types import Completion, Conversation, Episode, Generate, Request, Sample

if TYPE_CHECKING:
    from toolyard.core.benchmark import RunSetup


def one_shot(samples: tuple[Sample, ...], setup: RunSetup) -> Episode:
    """One prompt, one answer, for each sample by itself."""
    conversations = []
    for sample in samples:
        messages = setup.benchmark.task.prompt(sample, setup.options)
        completion: Completion = yield Generate(
            Request(messages=messages, decoding=setup.decoding, sample=sample.id)
        )
        conversations.append(Conversation((*messages, completion.message), (completion,)))
    return tuple(conversations)
