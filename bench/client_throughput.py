"""Requests per second of our client, beside the latency bound and other clients, on one local server.

    python bench/client_throughput.py            2,000 requests, 64 in flight, 50 ms each

The bound is requests x latency / in flight: what a client without any cost of its own would need.
The server runs in its own process; every client gets a warm-up of one round before it is timed.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from toolyard.core.types import Decoding, Message, Request
from toolyard.models.base import Limits
from toolyard.models.http.openai import load_openai
from toolyard.models.spec import ModelSpec

HERE = Path(__file__).resolve().parent
PROMPT = "Which tool fits this query? " * 20

Ask = Callable[[int], Awaitable[object]]
Client = Callable[[str, int], "tuple[Ask, Callable[[], Awaitable[object]]]"]


@contextmanager
def chat_server(delay: float, *kind: str) -> Iterator[str]:
    """The address of a server in a process of its own."""
    command = [sys.executable, str(HERE / "chat_server.py"), str(delay), *kind]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        yield process.stdout.readline().strip()
        process.stdin.close()


def ours(url: str, in_flight: int) -> tuple[Ask, Callable[[], Awaitable[object]]]:
    """Our own client, as a run uses it: its own semaphore, retries, accounting."""
    model = load_openai(ModelSpec.parse(f"openai/delay?base_url={url}"), Limits(concurrency=in_flight))
    messages = (Message("user", PROMPT),)

    def ask(number: int) -> Awaitable[object]:
        return model.generate(Request(messages, Decoding(max_tokens=16), sample=str(number), seed=number))

    return ask, model.close


def openai_sdk(url: str, in_flight: int) -> tuple[Ask, Callable[[], Awaitable[object]]]:
    """The openai package's asynchronous client behind a semaphore."""
    from openai import AsyncOpenAI

    client = AsyncOpenAI(base_url=url, api_key="none", max_retries=8)
    places = asyncio.Semaphore(in_flight)

    async def ask(number: int) -> object:
        async with places:
            return await client.chat.completions.create(
                model="delay",
                messages=[{"role": "user", "content": PROMPT}],
                temperature=0.0,
                max_tokens=16,
                seed=number,
            )

    return ask, client.close


def inspect_ai(url: str, in_flight: int) -> tuple[Ask, Callable[[], Awaitable[object]]]:
    """inspect-ai's model interface with its OpenAI provider."""
    from inspect_ai.model import ChatMessageUser, GenerateConfig, get_model

    model = get_model("openai/delay", base_url=url, api_key="none", memoize=False, responses_api=False)

    async def ask(number: int) -> object:
        return await model.generate(
            [ChatMessageUser(content=PROMPT)],
            config=GenerateConfig(temperature=0.0, max_tokens=16, seed=number, max_connections=in_flight),
        )

    return ask, model.api.aclose


CLIENTS: dict[str, tuple[str, Client]] = {
    "toolyard": ("aiohttp", ours),
    "openai SDK": ("openai", openai_sdk),
    "inspect-ai": ("inspect_ai", inspect_ai),
}


async def seconds(client: Client, url: str, requests: int, in_flight: int) -> float:
    """Time for all requests, asked by as many workers as a run would have, after one round of warm-up."""
    ask, close = client(url, in_flight)
    await asyncio.gather(*(ask(number) for number in range(in_flight)))
    numbers = iter(range(requests))

    async def work() -> None:
        for number in numbers:
            await ask(number)

    started = time.perf_counter()
    await asyncio.gather(*(work() for _ in range(in_flight)))
    elapsed = time.perf_counter() - started
    await close()
    return elapsed


def measure(requests: int, in_flight: int, delay: float, rounds: int) -> dict[str, list[float]]:
    """The times of all rounds for each client that is installed."""
    found: dict[str, list[float]] = {}
    with chat_server(delay) as url:
        for name, (package, client) in CLIENTS.items():
            if importlib.util.find_spec(package) is None:
                print(f"{name}: skipped, {package} is not installed")
                continue
            found[name] = [asyncio.run(seconds(client, url, requests, in_flight)) for _ in range(rounds)]
    return found


def main() -> None:
    """Prints a table and writes results/client_throughput.json."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--requests", type=int, default=2000)
    parser.add_argument("--in-flight", type=int, default=64)
    parser.add_argument("--delay", type=float, default=0.05)
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    bound = chosen.requests * chosen.delay / chosen.in_flight
    found = measure(chosen.requests, chosen.in_flight, chosen.delay, chosen.rounds)
    print(f"\n{chosen.requests} requests, {chosen.in_flight} in flight, {chosen.delay * 1000:.0f} ms each")
    print(
        f"\n| client | best of {chosen.rounds}, s | median, s | requests/s (best) | of the bound (best, median) |"
    )
    print("|---|---|---|---|---|")
    print(f"| latency bound | {bound:.2f} | {bound:.2f} | {chosen.requests / bound:.0f} | 100 %, 100 % |")
    for name, times in found.items():
        best, middle = min(times), statistics.median(times)
        rate, shares = chosen.requests / best, f"{bound / best:.0%}, {bound / middle:.0%}"
        print(f"| {name} | {best:.2f} | {middle:.2f} | {rate:.0f} | {shares} |")
    result = {**vars(chosen), "bound_seconds": bound, "seconds": found}
    result["machine"] = {"python": platform.python_version(), "cores": os.cpu_count()}
    target = HERE / "results" / "client_throughput.json"
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
