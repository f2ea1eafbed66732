"""Episodes a second of `--engine ray` on local clusters of one and two nodes, beside the engine without a cluster.

    python bench/ray_scaling.py [samples] [--rounds 1]     # default 600 episodes for a worker; 200 ms, 8 in flight each
    python bench/ray_scaling.py 1500 --full                also 64 in flight each, and four nodes: what saturates first

All nodes are processes of this machine and share its cores, so the endpoint takes 200 ms for an answer: what is measured
is whether work spreads and how much the driver adds. The rate is that of the steady part, from the moment when three
tenths of the answers are kept to nine tenths: starting a cluster and loading the samples in every worker come before.
Twice the nodes get twice the episodes.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import os
import statistics
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path

os.environ.update(RAY_USAGE_STATS_ENABLED="0", BENCH_KEY="none")

from client_throughput import chat_server
from scoring_memory import spread

from toolyard.run.api import answer_and_score
from toolyard.run.play.progress_counts import Tally
from toolyard.run.run import Run
from toolyard.run.settings import Settings

DELAY = 0.2
STEADY = (0.3, 0.9)


@dataclass(frozen=True)
class Moment:
    """How many answers were kept at a time, and the processor seconds of this process until then."""

    done: int
    seconds: float
    processor: float


class Clock:
    """Looks at the time whenever an answer is kept."""

    def __init__(self) -> None:
        self.moments: list[Moment] = []

    def __call__(self, tally: Tally) -> None:
        self.moments.append(Moment(tally.done, time.perf_counter(), time.process_time()))

    def steady(self) -> tuple[float, float]:
        """Episodes a second and processor milliseconds of the driver for each, in the steady part."""
        whole = self.moments[-1].done
        first, last = (next(each for each in self.moments if each.done >= share * whole) for share in STEADY)
        episodes = last.done - first.done
        return episodes / (last.seconds - first.seconds), 1000 * (last.processor - first.processor) / episodes


def measured(url: str, samples: int, nodes: int, in_flight: int) -> Clock:
    """One run on so many nodes; none is the engine without a cluster, with one worker's requests in flight."""
    clock = Clock()
    with tempfile.TemporaryDirectory() as folder:
        base_settings = Settings(
            "nestools", f"openai/delay?base_url={url}&key_env=BENCH_KEY", embedder="none", runs=Path(folder),
            concurrency=in_flight * max(1, nodes), limit=samples,
        )  # fmt: skip
        units = len(Run.plan(base_settings).units)
        base_settings = replace(base_settings, limit=None, trials=-(-samples * max(1, nodes) // units))
        if not nodes:
            asyncio.run(answer_and_score(Run.plan(base_settings), show=clock))
            return clock
        import ray
        from ray.cluster_utils import Cluster

        memory = {"object_store_memory": 100 * 2**20}
        head = {"num_cpus": 0, "include_dashboard": False, **memory}
        cluster = Cluster(initialize_head=True, head_node_args=head)
        try:
            for _ in range(nodes):
                cluster.add_node(num_cpus=1, **memory)
            cluster.wait_for_nodes(60)
            base_settings = replace(base_settings, engine="ray", ray_address=cluster.address, workers=nodes)
            asyncio.run(answer_and_score(Run.plan(base_settings), show=clock))
        finally:
            ray.shutdown()
            cluster.shutdown()
    return clock


def line(url: str, samples: int, nodes: int, in_flight: int, rounds: int) -> str:
    """One line of the table."""
    found = [measured(url, samples, nodes, in_flight).steady() for _ in range(rounds)]
    flight = in_flight * max(1, nodes)
    rates, spent = [rate for rate, _ in found], [each for _, each in found]
    name = f"ray, {nodes} node{'s' if nodes > 1 else ''}" if nodes else "one process"
    share = statistics.median(rates) / (flight / DELAY)
    return f"| {name} | {flight} | {spread(rates, ',.1f')} | {share:.0%} | {spread(spent, '.2f')} |"


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("samples", type=int, nargs="?", default=600)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--full", action="store_true")
    chosen = parser.parse_args()
    if importlib.util.find_spec("ray") is None:
        print("left out: ray is not installed (pip install 'toolyard[ray]')")
        return
    print(
        "| where | requests in flight | episodes/s | of the bound | driver's CPU ms/episode |\n|---|---:|---:|---:|---:|",
        flush=True,
    )
    with chat_server(DELAY) as url:
        for in_flight in (8, 64) if chosen.full else (8,):
            samples = chosen.samples * in_flight // 8
            for nodes in (0, 1, 2, 4) if chosen.full else (0, 1, 2):
                print(line(url, samples, nodes, in_flight, chosen.rounds), flush=True)


if __name__ == "__main__":
    main()
