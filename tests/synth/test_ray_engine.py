"""The Ray engine gives the rows of the local one, also when a machine of the cluster is lost on the way."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from counting_pipeline import PIPELINE, SLOW, squaring
from finished_pipelines import finish
from json_files import read_json
from toolyard.synth.stages import Context

pytest.importorskip("ray")

# A process of its own: a killed node writes its last words to the driver's standard output, and Ray keeps threads.
DRIVER = """
import os, sys, json, threading, time
os.environ.update(
    RAY_USAGE_STATS_ENABLED="0", RAY_DATA_DISABLE_PROGRESS_BARS="1",
    RAY_health_check_initial_delay_ms="1000", RAY_health_check_period_ms="500",
    RAY_health_check_timeout_ms="500", RAY_health_check_failure_threshold="3",
)
from pathlib import Path
import ray
from ray.cluster_utils import Cluster
from counting_pipeline import SLOW
from toolyard.synth.row_questions import Answering
from toolyard.synth.engines.ray import RayEngine
from toolyard.synth.pipeline import PipelineRun, StageProgress
from toolyard.synth.stages import Context

work, out = Path(sys.argv[1]), Path(sys.argv[2])
memory = dict(object_store_memory=120 * 2**20)
cluster = Cluster(initialize_head=True, head_node_args=dict(num_cpus=1, include_dashboard=False, **memory))
second = cluster.add_node(num_cpus=1, **memory)
cluster.wait_for_nodes(60)
killed = []

def show(progress):
    if progress.stage == "slowly" and progress.done >= 40 and not killed:
        killed.append(progress.done)
        threading.Thread(target=cluster.remove_node, args=(second, False)).start()

try:
    run = PipelineRun(SLOW, Context(rows=320), RayEngine(cluster.address), Answering(), work, StageProgress(show, 3))
    finished = run.finish()
    alive = sum(node["Alive"] for node in ray.nodes())
    out.write_text(json.dumps([list(finished.rows), killed, alive]))
finally:
    ray.shutdown()
    cluster.shutdown()
"""


ASKING = """
import asyncio, json, os, sys
from pathlib import Path
import ray
from chat_endpoint import chat, serve
from counting_pipeline import PIPELINE
from toolyard.synth.row_questions import Answering
from toolyard.synth.engines.ray import RayEngine
from toolyard.synth.pipeline import PipelineRun, StageProgress
from toolyard.synth.stages import Context

work, out = Path(sys.argv[1]), Path(sys.argv[2])

async def square(request, body):
    return chat(str(int(body["messages"][0]["content"].split()[1]) ** 2))

async def main():
    async with serve(square) as url:
        os.environ["RAY_ASKED_KEY"] = "none"
        answering = Answering(f"openai/x?base_url={url}&key_env=RAY_ASKED_KEY", concurrency=4)
        progress = StageProgress(lambda _: None, len(PIPELINE.stages))
        run = PipelineRun(PIPELINE, Context(rows=60), RayEngine(), answering, work, progress)
        finished = await asyncio.to_thread(run.finish)
        out.write_text(json.dumps([list(finished.rows), finished.funnel[3].usage.prompt_tokens]))

asyncio.run(main())
ray.shutdown()
"""


def driven(script_text: str, tmp_path: Path) -> Any:
    """What a driver in a process of its own wrote."""
    paths = [str(Path(__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    out, script = tmp_path / "out.json", tmp_path / "driver.py"
    script.write_text(script_text, "utf-8")
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path / "ray"), str(out)],
        env=environment, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert out.exists(), done.stderr[-3000:]
    return read_json(out)


def test_every_machine_asks_the_model_and_the_rows_are_the_same(tmp_path: Path) -> None:
    rows, tokens = driven(ASKING, tmp_path)
    local = finish(PIPELINE, tmp_path / "local", Context(rows=60), squaring)
    assert rows == [dict(row) for row in local.rows]
    assert tokens == 7 * local.funnel[3].entered, "every answer was counted"


def test_a_cluster_that_loses_a_machine_gives_the_same_rows(tmp_path: Path) -> None:
    rows, killed, alive = driven(DRIVER, tmp_path)
    local = finish(SLOW, tmp_path / "local", Context(rows=320))
    assert killed, "the second machine was lost during the run"
    assert alive == 1
    assert rows == [dict(row) for row in local.rows]
