"""Tokens per second of the `hf/` engine on real prompts, beside plain `generate` in batches, in one run.

    python bench/hf_speed.py --model models/qwen --prompts 128 --batch 32
    python bench/hf_speed.py --model models/qwen --prompts 64 --rounds 2 --seconds 100
    python bench/hf_speed.py --model models/qwen --benchmark mtu --also "openai/qwen?base_url=http://127.0.0.1:8000/v1"
    python bench/hf_speed.py --model models/qwen --continuous      also with transformers' own continuous batching

All write the same prompts greedily with the same weights, in turns, after a warm-up. Plain: prompts in the order
of the data, padded to the longest of their batch, one `generate` per batch. `hf/`, and every MODEL of `--also`: all
requests at once, as a run with `--concurrency` sends them. Counted are the tokens up to each answer's end, not what
follows in a padded batch. Every measurement is printed and written at once, as a line of `OUT.jsonl` and as the table
`OUT.md` so far: what is stopped is kept. `hf/` comes first in every round; no round begins after `--seconds`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolyard.benchmarks import load_benchmark
from toolyard.core.errors import ToolyardError
from toolyard.core.types import Completion, Decoding, Message, Options, Request
from toolyard.models.hf.model_weights import Weights, load_weights
from toolyard.models.loading import load_model
from toolyard.run.plan.data_sources import data_path

RESULTS = Path(__file__).resolve().parent / "results" / "hf_speed.md"
TIMEOUT = 600


def requests_of(name: str, data: str, count: int, max_tokens: int) -> list[Request]:
    """The first prompts of a benchmark's data."""
    benchmark = load_benchmark(name)
    options = Options(
        benchmark.task.styles[0], 0, {item.name: item.default for item in benchmark.task.choices}
    )
    samples = benchmark.data.load(data_path(benchmark, data), options)[:count]
    decoding = Decoding(temperature=0.0, max_tokens=max_tokens)
    return [Request(benchmark.task.prompt(sample, options), decoding, sample=sample.id) for sample in samples]


class Plain:
    """Weights and tokenizer as a script would use them."""

    def __init__(self, weights: Weights, batch: int) -> None:
        self.model, self.tokenizer = load_weights(weights)
        self.batch = batch
        ends = self.model.generation_config.eos_token_id
        self.ends = {*(ends if isinstance(ends, list) else [ends]), self.tokenizer.eos_token_id}

    def tokens(self, request: Request) -> list[int]:
        """The prompt by the model's template."""
        messages = [_plain(message) for message in request.messages]
        text = self.tokenizer.apply_chat_template(messages, add_generation_prompt=True, tokenize=False)
        found: list[int] = self.tokenizer(text, add_special_tokens=False)["input_ids"]
        return found

    def fits(self, requests: Sequence[Request]) -> list[Request]:
        """The requests that the context holds."""
        context = self.model.config.max_position_embeddings
        return [item for item in requests if len(self.tokens(item)) + item.decoding.max_tokens <= context]

    async def write(self, requests: Sequence[Request]) -> int:
        """Tokens written, batch after batch in the order given."""
        import torch

        written = 0
        for start in range(0, len(requests), self.batch):
            part = requests[start : start + self.batch]
            rows = {"input_ids": [self.tokens(request) for request in part]}
            padded = self.tokenizer.pad(rows, return_tensors="pt").to(self.model.device)
            with torch.inference_mode():
                out = self.model.generate(
                    **padded,
                    max_new_tokens=part[0].decoding.max_tokens,
                    do_sample=False,
                    pad_token_id=self.tokenizer.pad_token_id,
                )
            for row in out[:, padded["input_ids"].shape[1] :].tolist():
                written += next(
                    (place + 1 for place, token in enumerate(row) if token in self.ends), len(row)
                )
        return written


class Continuous(Plain):
    """The same weights with the continuous batching of transformers itself."""

    async def write(self, requests: Sequence[Request]) -> int:
        """Tokens written when all prompts are given at once."""
        from transformers import ContinuousBatchingConfig, GenerationConfig

        settings = GenerationConfig(
            max_new_tokens=requests[0].decoding.max_tokens,
            do_sample=False,
            eos_token_id=sorted(self.ends),
            pad_token_id=self.tokenizer.pad_token_id,
        )
        # A third of what is free, so that the other ways keep their room.
        room = ContinuousBatchingConfig(max_memory_percent=0.33)
        prompts = [self.tokens(request) for request in requests]
        answers = await asyncio.to_thread(self.model.generate_batch, prompts, settings, room)
        return sum(len(answer.generated_tokens) for answer in answers.values())


def _plain(message: Message) -> dict[str, str]:
    return {"role": message.role, "content": message.content}


def asked(model: Any) -> Callable[[Sequence[Request]], Awaitable[int]]:
    """Tokens written when all requests are sent at once."""

    async def write(requests: Sequence[Request]) -> int:
        answers: list[Completion] = await asyncio.gather(*map(model.generate, requests))
        return sum(answer.usage.completion_tokens for answer in answers)

    return write


def table(head: list[str], rates: dict[str, list[tuple[int, float]]], answers: int) -> str:
    """What was measured so far."""
    lines = [
        *head,
        "",
        "| way | tokens written | tokens per second, median | answers per second, median | all rounds, tokens per second |",
        "|---|---|---|---|---|",
    ]
    for name, found in rates.items():
        if not found:
            continue
        speeds = [tokens / seconds for tokens, seconds in found]
        turns = statistics.median(answers / seconds for _, seconds in found)
        shown = ", ".join(f"{speed:.0f}" for speed in speeds)
        lines.append(f"| {name} | {found[-1][0]} | {statistics.median(speeds):.0f} | {turns:.1f} | {shown} |")
    return "\n".join(lines) + "\n"


@dataclass
class Rounds:
    """What was measured so far, kept in two files as it grows."""

    out: Path
    head: list[str]
    answers: int
    rates: dict[str, list[tuple[int, float]]]

    def add(self, name: str, turn: int, tokens: int, seconds: float) -> None:
        """One measurement; turn 0 is the warm-up, which stays out of the table."""
        print(
            f"{name}, round {turn}: {tokens} tokens in {seconds:.1f} s, {tokens / seconds:.0f} a second",
            flush=True,
        )
        line = {"way": name, "round": turn, "answers": self.answers, "tokens": tokens, "seconds": seconds}
        with self.out.with_suffix(".jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        if turn:
            self.rates[name].append((tokens, seconds))
            self.out.write_text(table(self.head, self.rates, self.answers), encoding="utf-8")


async def measure(arguments: argparse.Namespace) -> None:
    """Every round of every way; the table is kept as it grows."""
    began = time.perf_counter()
    plain = Plain(Weights(arguments.model, dtype=arguments.dtype), arguments.batch)
    wanted = requests_of(arguments.benchmark, arguments.data, arguments.prompts, arguments.max_tokens)
    requests = plain.fits(wanted)
    hf = f"hf/{arguments.model}?dtype={arguments.dtype}&batch={arguments.slots}&reasoning_tokens=0"
    models = {
        name: load_model(spec, timeout=TIMEOUT, concurrency=arguments.slots)
        for name, spec in {"hf/": hf, **{spec: spec for spec in arguments.also}}.items()
    }
    ways = {name: asked(model) for name, model in models.items()} | {"plain generate": plain.write}
    if arguments.continuous:
        ways["transformers, continuous"] = Continuous(
            Weights(arguments.model, dtype=arguments.dtype), 0
        ).write
    head = heading(arguments, plain, requests)
    print("\n".join(head), flush=True)
    kept = Rounds(arguments.out, head, len(requests), {name: [] for name in ways})
    for turn in range(arguments.rounds + 1):
        if turn > 1 and time.perf_counter() - began > arguments.seconds:
            print(f"no round {turn}: {arguments.seconds:.0f} s are over", flush=True)
            break
        for name, write in list(ways.items()):
            started = time.perf_counter()
            try:
                tokens = await write(requests[: arguments.batch] if _short(name, turn) else requests)
            except (ToolyardError, RuntimeError) as error:
                print(f"{name}, round {turn}: failed, {error}; it is left out from here on", flush=True)
                del ways[name]
                continue
            kept.add(name, turn, tokens, time.perf_counter() - started)
        if not turn:
            batching = getattr(models["hf/"], "serving", {}).get("batching")
            kept.head.append(f"batching of hf/: {batching}")
    print(table(kept.head, kept.rates, len(requests)), flush=True)
    for model in models.values():
        await model.close()


def _short(name: str, turn: int) -> bool:
    """Whether one batch is enough: the warm-up of plain `generate`."""
    return name == "plain generate" and not turn


def heading(arguments: argparse.Namespace, plain: Plain, requests: Sequence[Request]) -> list[str]:
    """What was asked, of what, and on what."""
    import torch
    import transformers

    read = statistics.mean(len(plain.tokens(request)) for request in requests)
    gpu = torch.cuda.get_device_name() if torch.cuda.is_available() else f"{torch.get_num_threads()} threads"
    left_out = arguments.prompts - len(requests)
    return [
        f"# {Path(arguments.model).name}: {len(requests)} {arguments.benchmark} prompts of {read:.0f} tokens on average, "
        f"answers of {arguments.max_tokens} at most, batches of {arguments.batch}, {arguments.slots} slots",
        "",
        f"transformers {transformers.__version__}, torch {torch.__version__}, {gpu}, {plain.model.dtype}"
        + (f"; {left_out} further prompts do not fit or are not there" if left_out else "")
        + ";",
    ]


def main() -> None:
    """Measures all ways and writes the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", required=True, help="a folder, a GGUF file, or a downloaded name")
    parser.add_argument("--also", action="append", default=[], metavar="MODEL", help="further ways to ask")
    parser.add_argument(
        "--continuous", action="store_true", help="also transformers' own continuous batching"
    )
    parser.add_argument("--dtype", default="auto")
    parser.add_argument("--benchmark", default="nestools")
    parser.add_argument("--data", default="starter")
    parser.add_argument("--prompts", type=int, default=128)
    parser.add_argument("--batch", type=int, default=32, help="of plain generate")
    parser.add_argument("--slots", type=int, default=128, help="of hf/, and requests in flight")
    parser.add_argument("--max-tokens", type=int, default=256)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=3600.0, help="no further round begins after these")
    parser.add_argument("--out", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    arguments.out.with_suffix(".jsonl").unlink(missing_ok=True)
    asyncio.run(measure(arguments))


if __name__ == "__main__":
    main()
