"""Tokens per second of the `hf/` engine on NesTools prompts, beside plain `generate` in batches, in one run.

    python bench/hf_speed.py --model models/qwen --prompts 128 --batch 32

Both write the same prompts greedily with the same weights, in turns, after a warm-up. Plain: prompts in the order
of the data, padded to the longest of their batch, one `generate` per batch. `hf/`: all requests at once, as a run
with `--concurrency` sends them. Counted are the tokens up to each answer's end, not what follows in a padded batch.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from toolyard.benchmarks import load_benchmark
from toolyard.core.types import Completion, Decoding, Options, Request
from toolyard.models.hf import load_hf
from toolyard.models.hf_engine import Engine, Prompt, Weights
from toolyard.models.spec import ModelSpec
from toolyard.run.data import data_path

RESULTS = Path(__file__).resolve().parent / "results" / "hf_speed.md"


def requests_of(data: str, count: int, max_tokens: int) -> list[Request]:
    """The first prompts of a NesTools set."""
    benchmark = load_benchmark("nestools")
    options = Options(
        benchmark.task.styles[0], 0, {item.name: item.default for item in benchmark.task.choices}
    )
    samples = benchmark.data.load(data_path(benchmark, data), options)[:count]
    decoding = Decoding(temperature=0.0, max_tokens=max_tokens)
    return [Request(benchmark.task.prompt(sample, options), decoding, sample=sample.id) for sample in samples]


class Plain:
    """Weights and tokenizer as a script would use them."""

    def __init__(self, weights: Weights) -> None:
        # The engine only loads; nothing of its queue or its batches takes part.
        self.engine = Engine(weights)
        self.device = str(self.engine._model.device)
        self.dtype = str(self.engine._model.dtype)

    def write(self, prompts: Sequence[Prompt], batch: int) -> int:
        """Tokens written, batch after batch in the order given."""
        import torch

        model: Any = self.engine._model
        tokenizer: Any = self.engine._tokenizer
        most, ends, written = prompts[0].request.decoding.max_tokens, self.engine._ends(), 0
        for start in range(0, len(prompts), batch):
            rows = [list(prompt.tokens) for prompt in prompts[start : start + batch]]
            padded = tokenizer.pad({"input_ids": rows}, return_tensors="pt").to(model.device)
            with torch.inference_mode():
                out = model.generate(
                    **padded, max_new_tokens=most, do_sample=False, pad_token_id=tokenizer.pad_token_id
                )
            for row in out[:, padded["input_ids"].shape[1] :].tolist():
                written += next((place + 1 for place, token in enumerate(row) if token in ends), len(row))
        return written


def fits(plain: Plain, requests: Sequence[Request]) -> tuple[list[Request], list[Prompt]]:
    """The requests that the context holds, and their tokens."""
    engine = plain.engine
    both = [(request, engine.prompt(request, 0)) for request in requests]
    held = [
        (request, prompt)
        for request, prompt in both
        if len(prompt.tokens) + request.decoding.max_tokens <= engine.context
    ]
    return [request for request, _ in held], [prompt for _, prompt in held]


async def asked(model: Any, requests: Sequence[Request]) -> tuple[float, int]:
    """Seconds and tokens of all requests at once."""
    started = time.perf_counter()
    answers: list[Completion] = await asyncio.gather(*map(model.generate, requests))
    return time.perf_counter() - started, sum(answer.usage.completion_tokens for answer in answers)


async def measure(arguments: argparse.Namespace) -> list[str]:
    """The table: every round of both ways."""
    spec = f"hf/{arguments.model}?dtype={arguments.dtype}&batch={arguments.batch}&reasoning_tokens=0"
    model = load_hf(ModelSpec.parse(spec))
    plain = Plain(Weights(arguments.model, dtype=arguments.dtype))
    requests, prompts = fits(plain, requests_of(arguments.data, arguments.prompts, arguments.max_tokens))
    await asked(model, requests[: arguments.batch])
    plain.write(prompts[: arguments.batch], arguments.batch)
    rates: dict[str, list[float]] = {"plain generate": [], "hf/": []}
    counts: dict[str, int] = {}
    for number in range(arguments.rounds):
        started = time.perf_counter()
        counts["plain generate"] = plain.write(prompts, arguments.batch)
        seconds = time.perf_counter() - started
        rates["plain generate"].append(counts["plain generate"] / seconds)
        took, counts["hf/"] = await asked(model, requests)
        rates["hf/"].append(counts["hf/"] / took)
        print(
            f"round {number + 1}: plain {rates['plain generate'][-1]:.0f}, hf/ {rates['hf/'][-1]:.0f}",
            flush=True,
        )
    facts = f"{plain.engine.version}, {plain.device}, {plain.dtype}"
    read = statistics.mean(len(prompt.tokens) for prompt in prompts)
    lines = [
        f"# {Path(arguments.model).name}: {len(requests)} NesTools prompts of {read:.0f} tokens on average, "
        f"answers of {arguments.max_tokens} at most, batches of {arguments.batch}",
        "",
        facts
        + ("" if len(requests) == arguments.prompts else f"; {arguments.prompts} wanted, some do not fit"),
        "",
        "| way | tokens written | tokens per second, median | all rounds |",
        "|---|---|---|---|",
    ]
    for name, found in rates.items():
        shown = ", ".join(f"{rate:.0f}" for rate in found)
        lines.append(f"| {name} | {counts[name]} | {statistics.median(found):.0f} | {shown} |")
    await model.close()
    return lines


def main() -> None:
    """Measures both ways and writes the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", required=True, help="a folder, a GGUF file, or a downloaded name")
    parser.add_argument("--dtype", default="auto")
    parser.add_argument("--data", default="starter")
    parser.add_argument("--prompts", type=int, default=128)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--max-tokens", type=int, default=256)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--out", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    lines = asyncio.run(measure(arguments))
    print("\n".join(lines))
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    arguments.out.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
