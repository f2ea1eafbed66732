"""Requests of a run - prompts, episodes, storing, parsing - beside the latency bound, a bare loop and other clients.

    python bench/running.py                  a short grid, a few minutes
    python bench/running.py --full           0, 50 and 500 ms, 16 to 512 in flight, 100,000 samples in memory
    python bench/running.py --part memory    one of its three tables: grid, clients, memory

Single-turn requests are NesTools prompts, dialogues MTU-Bench turns with the model's own history, ReAct episodes those
of ToolEyes in their worlds, three rounds each. The bound is requests x latency / in flight. Ours and the bare loop take
turns, so that both meet the same machine; seconds are those of the clock, processor milliseconds those of our process.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import importlib.util
import json
import multiprocessing
import os
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from multiprocessing.queues import SimpleQueue
from pathlib import Path

import aiohttp
from client_throughput import CLIENTS, chat_server, seconds
from scoring_memory import spread

from toolyard.cli import OBJECTS_BETWEEN_SEARCHES
from toolyard.core.types import Usage
from toolyard.run.cost.estimate import load_model_of_run
from toolyard.run.grade.evidence import Instruments
from toolyard.run.play.execute import answer_missing, begin_run, run_budget
from toolyard.run.play.progress_counts import Tally, show_nothing
from toolyard.run.run import Run
from toolyard.run.settings import Settings

KINDS = {
    "single-turn": ("nestools", {}, ()),
    "dialogue": ("mtu", {"history": "own"}, ()),
    "ReAct": ("tooleyes", {}, ("react",)),
}


@dataclass(frozen=True)
class Took:
    """One pass: requests, seconds on the clock, and processor seconds of this process."""

    requests: int
    seconds: float
    processor: float


def unpriced(usage: Usage) -> float | None:  # noqa: ARG001 - the signature of a price
    """Nobody pays."""
    return None


def as_the_command_does() -> None:
    """Searches for unreachable circles as seldom as the command line makes them."""
    gc.set_threshold(OBJECTS_BETWEEN_SEARCHES)


def planned(kind: str, url: str, episodes: int, in_flight: int, folder: Path) -> Run:
    """A run of at least so many episodes, by repeating the starter set."""
    benchmark, options, _ = KINDS[kind]
    base_settings = Settings(
        benchmark, f"openai/delay?base_url={url}&key_env=BENCH_KEY", options=options, embedder="none",
        concurrency=in_flight, runs=folder, name="run",
    )  # fmt: skip
    units = len(Run.plan(base_settings).units)
    trials = -(-episodes // units)
    limit = None if trials > 1 else episodes
    return Run.plan(replace(base_settings, trials=trials, limit=limit))


async def played(run: Run) -> Took:
    """Answers all episodes of a run as the command does, and reads every answer."""
    model = load_model_of_run(run)
    started, processor = time.perf_counter(), time.process_time()
    with run.store.locked():
        begin_run(run)
        budget = run_budget(run, model, Instruments())
        await answer_missing(run, model, budget, Tally(len(run.units), unpriced, show_nothing))
        transcripts = run.store.transcripts()
        by_id = {sample.id: sample for sample in run.samples}
        for transcript in transcripts.values():
            run.benchmark.scoring.parse(by_id[transcript.sample], transcript, "paper")
    took = Took(
        sum(len(each.completions) for each in transcripts.values()),
        time.perf_counter() - started,
        time.process_time() - processor,
    )
    await model.close()
    return took


async def bare(url: str, bodies: Sequence[bytes], in_flight: int) -> Took:
    """The same number of posts, and nothing else."""
    queue = iter(bodies)
    started, processor = time.perf_counter(), time.process_time()
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def work() -> None:
            for body in queue:
                headers = {"Content-Type": "application/json"}
                async with session.post(f"{url}/chat/completions", data=body, headers=headers) as answer:
                    await answer.json()

        await asyncio.gather(*(work() for _ in range(in_flight)))
    return Took(len(bodies), time.perf_counter() - started, time.process_time() - processor)


def cell(kind: str, delay: float, in_flight: int, episodes: int, rounds: int) -> str:
    """One line of the table: the middle of some rounds, ours and the bare loop in turn."""
    mine, plain = [], []
    with chat_server(delay, *KINDS[kind][2]) as url:
        for _ in range(rounds):
            with tempfile.TemporaryDirectory() as folder:
                run = planned(kind, url, episodes, in_flight, Path(folder))
                mine.append(asyncio.run(played(run)))
            body = json.dumps({"model": "delay", "messages": [{"role": "user", "content": "x" * 4000}]})
            plain.append(asyncio.run(bare(url, [body.encode()] * mine[-1].requests, in_flight)))
    requests = mine[0].requests
    # Rounds of an episode wait for each other: fewer episodes than places leave places empty.
    bound = requests * delay / in_flight
    shares = sorted(bound / each.seconds for each in mine)
    rates = sorted(each.requests / each.seconds for each in mine)
    loop = statistics.median(each.requests / each.seconds for each in plain)
    processor = statistics.median(1000 * each.processor / each.requests for each in mine)
    loop_processor = statistics.median(1000 * each.processor / each.requests for each in plain)
    share = f"{shares[len(shares) // 2]:.0%} ({shares[0]:.0%} to {shares[-1]:.0%})" if delay else "-"
    return (
        f"| {kind} | {1000 * delay:.0f} | {in_flight} | {requests:,} | {rates[len(rates) // 2]:,.0f} "
        f"({rates[0]:,.0f} to {rates[-1]:,.0f}) | {share} | {loop:,.0f} | {processor:.2f} | {loop_processor:.2f} |"
    )


def print_clients(full: bool, rounds: int) -> None:
    """Bare requests of several clients on one server, in turn: what each does with nothing around it."""
    print("\n| client | ms | in flight | requests | requests/s | of ours | CPU ms/request |\n"
          "|---|---:|---:|---:|---:|---:|---:|")  # fmt: skip
    for delay in (0.0, 0.05, 0.5) if full else (0.0,):
        for in_flight in (16, 64, 512) if full else (64,):
            requests = max(in_flight * 2, 384)
            with chat_server(delay) as url:
                for line in client_lines(url, delay, in_flight, requests, rounds):
                    print(line, flush=True)


def client_lines(url: str, delay: float, in_flight: int, requests: int, rounds: int) -> Iterator[str]:
    """One line for each client that is installed."""
    first = 0.0
    for name, (module, client) in CLIENTS.items():
        if importlib.util.find_spec(module) is None:
            yield f"| {name} | not installed | | | | | |"
            continue
        rates, spent = [], []
        for _ in range(rounds):
            processor = time.process_time()
            rates.append(requests / asyncio.run(seconds(client, url, requests, in_flight)))
            # Its round of warm-up is in the processor time and not in the clock's.
            spent.append(1000 * (time.process_time() - processor) / (requests + in_flight))
        rates.sort()
        middle = rates[len(rates) // 2]
        first = first or middle
        yield (
            f"| {name} | {1000 * delay:.0f} | {in_flight} | {requests:,} "
            f"| {middle:,.0f} ({rates[0]:,.0f} to {rates[-1]:,.0f}) "
            f"| {middle / first:.2f} | {statistics.median(spent):.2f} |"
        )


def peak_megabytes() -> float:
    """The most memory of this process so far; `getrusage` would begin with that of whoever started it."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def peak_of(samples: int, found: SimpleQueue[tuple[float, float, float]]) -> None:
    """Memory before and after, and processor milliseconds, of one process that answers so many samples."""
    as_the_command_does()
    with chat_server(0.0) as url, tempfile.TemporaryDirectory() as folder:
        # What others have kept is none of this.
        os.environ["TOOLYARD_CACHE"] = f"{folder}/cache"
        run = planned("single-turn", url, samples, 64, Path(folder))
        before = peak_megabytes()
        took = asyncio.run(answered_only(run))
        after = peak_megabytes()
    found.put((before, after, 1000 * took.processor / took.requests))


async def answered_only(run: Run) -> Took:
    """The answering step alone, whose memory must not grow with the answers."""
    model = load_model_of_run(run)
    tally = Tally(len(run.units), unpriced, show_nothing)
    started, processor = time.perf_counter(), time.process_time()
    with run.store.locked():
        begin_run(run)
        await answer_missing(run, model, run_budget(run, model, Instruments()), tally)
    await model.close()
    return Took(len(run.units), time.perf_counter() - started, time.process_time() - processor)


def print_grid(full: bool, rounds: int) -> None:
    """Ours beside the bound and the bare loop; what the aims name first, then a thousand ReAct episodes at once."""
    print("| kind | ms | in flight | requests | ours, requests/s | of the bound | bare loop, requests/s "
          "| CPU ms/request | bare CPU ms |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|", flush=True)  # fmt: skip
    delays = (0.05, 0.0, 0.5) if full else (0.05, 0.0)
    flights = (64, 16, 512) if full else (64,)
    for kind in KINDS:
        print(cell(kind, delays[0], flights[0], episodes_of(kind, delays[0], flights[0]), rounds), flush=True)
    print(cell("ReAct", 0.05, 1000, 1000, 1), flush=True)
    rest = [(delay, in_flight) for delay in delays for in_flight in flights][1:]
    for kind in KINDS:
        for delay, in_flight in rest:
            print(cell(kind, delay, in_flight, episodes_of(kind, delay, in_flight), rounds), flush=True)


def episodes_of(kind: str, delay: float, in_flight: int) -> int:
    """Enough episodes that the places are full most of the time."""
    rounds_of_places = 20 if delay == 0.05 and in_flight <= 64 else 6
    episodes = max(in_flight * rounds_of_places, 600 if delay < 0.5 else 1)
    return episodes // 3 if kind == "ReAct" else episodes


def print_memory(full: bool, rounds: int) -> None:
    """The most memory of answering, each size in a process of its own; 100,000 samples once."""
    print(
        "\n| samples | MB before answering | MB at most | CPU ms/sample |\n|---:|---:|---:|---:|", flush=True
    )
    context = multiprocessing.get_context("spawn")
    for samples in (1_000, 10_000, 100_000) if full else (1_000, 10_000):
        queue = context.SimpleQueue()
        for _ in range(1 if samples > 10_000 else rounds):
            process = context.Process(target=peak_of, args=(samples, queue))
            process.start()
            process.join()
        measured = []
        while not queue.empty():
            measured.append(queue.get())
        columns = [
            spread([each[place] for each in measured], form)
            for place, form in enumerate((".0f", ".0f", ".2f"))
        ]
        print(f"| {samples:,} | {' | '.join(columns)} |", flush=True)


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--part", choices=["grid", "clients", "memory"], action="append")
    chosen = parser.parse_args()
    os.environ.setdefault("BENCH_KEY", "none")
    as_the_command_does()
    parts = chosen.part or ["grid", "clients", "memory"]
    if "grid" in parts:
        print_grid(chosen.full, chosen.rounds)
    if "clients" in parts:
        print_clients(chosen.full, chosen.rounds)
    if "memory" in parts:
        print_memory(chosen.full, min(2, chosen.rounds))


if __name__ == "__main__":
    main()
