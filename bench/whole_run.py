"""The whole command beside a bare loop and inspect-ai, on the same samples, server and machine, in turn.

    python bench/whole_run.py --data nestools=DIR --data mtu=DIR --write

`--write` replaces results/whole_run.md; about three minutes where nothing else runs. Every line is a process of its
own, from its start to its end. The bare loop posts the prompts of the run with aiohttp and does nothing else; its
prompts are written down beforehand. inspect-ai runs Toolyard's own task, so that episodes, scoring and figures are the
same. The server runs in a process of its own. All modules are compiled and the trivial baselines played beforehand, but
for the way that says so. Processor seconds hold those of all processes that a command started, and depend little on
what else the machine does; the two slowest ways are run once.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from client_throughput import chat_server
from everything import machine

import toolyard
from toolyard.benchmarks import load_benchmark
from toolyard.models.assets import cache_folder
from toolyard.run.grade.baselines import run_baselines
from toolyard.run.plan.data_sources import official_folder
from toolyard.run.run import Run
from toolyard.run.settings import Settings

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results" / "whole_run.md"
# Times the bare loop on the clock.
AIMS = {"toolyard run": 4, "the same again, finished": 2}
BARE = """
import asyncio, sys
import aiohttp

async def main(url, bodies, in_flight):
    queue = iter(bodies)
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        async def work():
            for body in queue:
                headers = {"Content-Type": "application/json"}
                async with session.post(url + "/chat/completions", data=body, headers=headers) as answer:
                    await answer.json()
        await asyncio.gather(*(work() for _ in range(in_flight)))

asyncio.run(main(sys.argv[1], open(sys.argv[2], "rb").read().splitlines(), int(sys.argv[3])))
"""


# Through Python: the command finds tasks by the entry point, which a folder on PYTHONPATH does not have.
INSPECT = """
import sys
from inspect_ai import eval
from inspect_ai.model import get_model
from toolyard.inspect_tasks import TASKS

benchmark, data, url, in_flight, logs = sys.argv[1:]
model = get_model("openai/x", base_url=url, api_key="none", responses_api=False)
many = {"max_connections": int(in_flight), "max_samples": int(in_flight)}
[log] = eval(TASKS[benchmark](data=data), model=model, log_dir=logs, display="none", **many)
if log.status != "success":
    sys.exit(str(log.error))
[score] = log.results.scores
if score.scored_samples != len(log.samples):
    sys.exit(f"{score.scored_samples} of {len(log.samples)} samples are scored")
"""


# What the system calls a process's peak begins with that of whoever started it: a small process stands between.
LAUNCH = """
import os, subprocess, sys, time
started = time.perf_counter()
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
print(time.perf_counter() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, status)
"""


@dataclass(frozen=True)
class Took:
    """One process: seconds on the clock, seconds of the processor, and the most memory it held."""

    seconds: float
    processor: float
    megabytes: float


@dataclass(frozen=True)
class Way:
    """One way to run the samples; `prepare` is called before each round and not counted."""

    name: str
    command: list[str]
    prepare: Callable[[], object]
    environment: dict[str, str]
    once: bool = False


def took(way: Way) -> Took:
    """What one process took."""
    way.prepare()
    done = subprocess.run(
        [sys.executable, "-c", LAUNCH, *way.command],
        capture_output=True,
        text=True,
        env={**_environment(), **way.environment},
        check=True,
    )
    elapsed, processor, megabytes, status = done.stdout.split()
    if status != "0":
        sys.exit(f"{way.name} failed: {done.stderr[-800:]}")
    return Took(float(elapsed), float(processor), float(megabytes))


def _environment() -> dict[str, str]:
    """The environment, less the variable that makes Python compile all modules again in every process."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def write_bodies(benchmark: str, data: str, path: Path) -> int:
    """The bodies of the requests that the run sends first, one a line; their number. Keeps its baselines."""
    run = Run.plan(Settings(benchmark, "scripted/empty", data=data))
    run_baselines(run, run.planned_instruments())
    lines = []
    for sample in run.samples:
        messages = [
            {"role": message.role, "content": message.content}
            for message in run.benchmark.task.prompt(sample, run.options)
        ]
        body = {"model": "x", "messages": messages, "max_tokens": run.setup.decoding.max_tokens}
        lines.append(json.dumps(body))
    path.write_text("\n".join(lines) + "\n")
    return len(lines)


def ways(benchmark: str, data: str, url: str, in_flight: int, scratch: Path) -> list[Way]:
    """All ways, the cheapest first."""
    runs, bodies, logs = scratch / "runs", scratch / f"{benchmark}.jsonl", scratch / "logs"
    model = f"openai/x?base_url={url}"
    run = [sys.executable, "-m", "toolyard", "run", benchmark, "--data", data, "-m", model]
    run += ["--concurrency", str(in_flight), "--runs", str(runs)]
    inspect = [sys.executable, "-c", INSPECT, benchmark, data, url, str(in_flight), str(logs)]
    fresh = lambda: shutil.rmtree(runs, ignore_errors=True)  # noqa: E731
    first = scratch / "cache"
    nothing = lambda: None  # noqa: E731
    return [
        Way("bare loop", [sys.executable, "-c", BARE, url, str(bodies), str(in_flight)], nothing, {}),
        Way("toolyard run --no-report", [*run, "--no-report"], fresh, {}),
        Way("toolyard run", run, fresh, {}),
        Way("the same again, finished", run, nothing, {}),
        Way(
            "toolyard run, baselines not kept yet",
            run,
            lambda: (fresh(), first_cache(first)),
            {"TOOLYARD_CACHE": str(first)},
            once=True,
        ),
        Way("inspect eval", inspect, lambda: shutil.rmtree(logs, ignore_errors=True), {}, once=True),
    ]


def at_hand(benchmark: str) -> str:
    """The official data where they were fetched, else the starter set."""
    fetched = official_folder(load_benchmark(benchmark)).exists()
    return f"{benchmark}={'official' if fetched else 'starter'}"


def first_cache(folder: Path) -> None:
    """A cache that holds all that the user's does but the figures of trivial baselines."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for kept in cache_folder().iterdir():
        if kept.name != "baselines":
            (folder / kept.name).symlink_to(kept)


def table(title: str, found: dict[str, list[Took]]) -> str:
    """One table, ratios against the bare loop's medians."""
    bare = statistics.median(item.seconds for item in found["bare loop"])
    bare_processor = statistics.median(item.processor for item in found["bare loop"])
    lines = [
        f"## {title}",
        "",
        "| way | median s | spread s | times bare | processor s | times bare | peak MB |",
    ]
    lines.append("|---|---:|---:|---:|---:|---:|---:|")
    for name, items in found.items():
        times = [item.seconds for item in items]
        middle = statistics.median(times)
        processor = statistics.median(item.processor for item in items)
        memory = max(item.megabytes for item in items)
        lines.append(
            f"| {name} | {middle:.2f} | {min(times):.2f} - {max(times):.2f} | {middle / bare:.1f} "
            f"| {processor:.2f} | {processor / bare_processor:.1f} | {memory:.0f} |"
        )
    return "\n".join([*lines, "", *against_aims(found, bare)]) + "\n"


def against_aims(found: dict[str, list[Took]], bare: float) -> list[str]:
    """How the command stands against its aims, and inspect-ai against the command."""
    said = []
    for name, aim in AIMS.items():
        if name in found:
            times = statistics.median(item.seconds for item in found[name]) / bare
            held = "met" if times <= aim else "missed"
            said.append(f"* {name}: {times:.1f} times the bare loop, aim at most {aim}: {held}")
    if "inspect eval" in found and "toolyard run" in found:
        ours, theirs = (
            min(found[name], key=lambda item: item.seconds) for name in ("toolyard run", "inspect eval")
        )
        said.append(
            f"* inspect eval beside toolyard run, best of each: {theirs.seconds / ours.seconds:.1f} times on the clock, "
            f"{theirs.processor / ours.processor:.1f} times of the processor, "
            f"{theirs.megabytes / ours.megabytes:.1f} times the memory"
        )
    return said


def main() -> None:
    """Prints the tables; writes results/whole_run.md where asked to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--data", action="append", help="BENCHMARK=PATH, several times; default: official or starter"
    )
    parser.add_argument("--in-flight", type=int, default=64)
    parser.add_argument("--delay", type=float, default=0.05)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--skip", action="append", default=[], help="Name of a way to leave out.")
    parser.add_argument("--write", action="store_true", help="Replace results/whole_run.md.")
    chosen = parser.parse_args()
    compileall.compile_dir(str(Path(toolyard.__file__).parent), quiet=2)
    tables, load = [], os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder, chat_server(chosen.delay) as url:
        for word in chosen.data or map(at_hand, ("nestools", "mtu")):
            benchmark, _, data = word.partition("=")
            requests = write_bodies(benchmark, data, Path(folder) / f"{benchmark}.jsonl")
            each = ways(benchmark, data, url, chosen.in_flight, Path(folder))
            each = [way for way in each if way.name not in chosen.skip]
            found: dict[str, list[Took]] = {way.name: [] for way in each}
            for number in range(chosen.rounds):
                for way in each:
                    if not (way.once and number):
                        found[way.name].append(took(way))
            bound = requests * chosen.delay / chosen.in_flight
            title = f"{benchmark}: {requests} samples, {chosen.in_flight} in flight, bound {bound:.2f} s"
            tables.append(table(title, found))
            print(tables[-1])
    if not chosen.write:
        return
    about = f"{machine()}; {chosen.rounds} rounds in turn, {chosen.delay * 1000:.0f} ms a request, "
    about += f"load {load:.1f} before and {os.getloadavg()[1]:.1f} after."
    RESULTS.write_text(f"# The whole command\n\n{about}\n\n" + "\n".join(tables))


if __name__ == "__main__":
    main()
