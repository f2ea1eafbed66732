"""Episodes a second of `--engine ray` on local clusters of one and two nodes, beside the engine without a cluster.

    python bench/ray_scaling.py [samples]      # default 600

All nodes are processes of this machine and share its cores, so the endpoint takes 200 ms for an answer and each worker
has 8 requests in flight: what is measured is whether work spreads and how much the driver adds, not more cores. Seconds
count from the first answer that is kept to the last; starting a cluster and loading the samples come before.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

os.environ.update(RAY_USAGE_STATS_ENABLED="0", BENCH_KEY="none")

from client_throughput import chat_server

from toolyard.run.api import answer_and_score
from toolyard.run.run import Run
from toolyard.run.settings import Settings
from toolyard.run.tally import Tally

DELAY, IN_FLIGHT = 0.2, 8


class Clock:
    """When the first and the last answer came, and the processor seconds of this process between them."""

    def __init__(self) -> None:
        self.first = self.last = 0.0
        self.done = 0
        self.processor = 0.0

    def __call__(self, tally: Tally) -> None:
        if not tally.done:
            return
        self.last = time.perf_counter()
        if not self.first:
            self.first, self.done, self.processor = self.last, tally.done, time.process_time()
        self.count = tally.done - self.done
        self.spent = time.process_time() - self.processor


def measured(url: str, samples: int, nodes: int) -> Clock:
    """One run on so many nodes; none is the engine without a cluster, with one worker's requests in flight."""
    clock = Clock()
    with tempfile.TemporaryDirectory() as folder:
        wish = Settings(
            "nestools", f"openai/delay?base_url={url}&key_env=BENCH_KEY", embedder="none", runs=Path(folder),
            concurrency=IN_FLIGHT * max(1, nodes), limit=samples,
        )  # fmt: skip
        units = len(Run.plan(wish).units)
        wish = replace(wish, limit=None, trials=-(-samples // units))
        if not nodes:
            asyncio.run(answer_and_score(Run.plan(wish), show=clock))
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
            wish = replace(wish, engine="ray", ray_address=cluster.address, workers=nodes)
            asyncio.run(answer_and_score(Run.plan(wish), show=clock))
        finally:
            ray.shutdown()
            cluster.shutdown()
    return clock


def main() -> None:
    """Prints the table."""
    samples = int(sys.argv[1]) if len(sys.argv) > 1 else 600
    print(
        "| where | requests in flight | episodes/s | of the bound | driver's CPU ms/episode |\n|---|---:|---:|---:|---:|"
    )
    with chat_server(DELAY) as url:
        for nodes in (0, 1, 2):
            clock = measured(url, samples, nodes)
            rate = clock.count / (clock.last - clock.first)
            flight = IN_FLIGHT * max(1, nodes)
            name = f"ray, {nodes} node{'s' if nodes > 1 else ''}" if nodes else "one process"
            share = rate / (flight / DELAY)
            print(
                f"| {name} | {flight} | {rate:.1f} | {share:.0%} | {1000 * clock.spent / clock.count:.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
