"""Episodes that several benchmarks share."""

from __future__ import annotations

from toolyard.core.benchmark import Benchmark
from toolyard.core.types import Completion, Conversation, Episode, Generate, Message, Options, Request, Sample


def one_shot(samples: tuple[Sample, ...], options: Options, benchmark: Benchmark) -> Episode:
    """One prompt, one answer, for each sample by itself."""
    conversations = []
    for sample in samples:
        messages = benchmark.prompt(sample, options)
        completion: Completion = yield Generate(
            Request(messages=messages, decoding=benchmark.decoding, sample=sample.id)
        )
        answer = Message("assistant", completion.text)
        conversations.append(Conversation((*messages, answer), (completion,)))
    return tuple(conversations)
