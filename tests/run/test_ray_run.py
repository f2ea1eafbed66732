"""A run and the scoring of one on a Ray cluster come to what they come to on one machine, also when a node is lost."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from json_files import read_json, read_lines
from small_sets import first_rows
from toolyard.core.errors import RunMismatch, UsageError
from toolyard.run.play.ray_cluster import EpisodePlayer, refuse_on_ray
from toolyard.run.run import Run
from toolyard.run.settings import Settings

pytest.importorskip("ray")

# A process of its own: a killed node writes its last words to the driver's standard output, and Ray keeps threads.
DRIVER = """
import asyncio, json, os, sys, threading
os.environ.update(
    RAY_USAGE_STATS_ENABLED="0",
    RAY_health_check_initial_delay_ms="1000", RAY_health_check_period_ms="500",
    RAY_health_check_timeout_ms="500", RAY_health_check_failure_threshold="3",
)
from collections import Counter
from pathlib import Path
import ray
from ray.cluster_utils import Cluster
from chat_endpoint import chat, serve
from toolyard.core.types import derived_seed
from toolyard.run.api import answer_and_score, evaluate
from toolyard.run.run import Run
from toolyard.run.settings import Settings

folder, out = Path(sys.argv[1]), Path(sys.argv[2])
plan = Run.plan(Settings("nestools", "scripted/empty", limit=48, embedder="none", runs=folder / "plan"))
oracle, options = plan.benchmark.checks.oracle, plan.options
known = {plan.benchmark.task.prompt(each, options)[-1].content: each for each in plan.samples}
asked, ready, url = Counter(), threading.Event(), []

async def reply(request, body):
    sample = known[body["messages"][-1]["content"]]
    asked[sample.id] += 1
    await asyncio.sleep(0.25)
    return chat(oracle(sample, (), None) if int(sample.id) % 3 else "[]")

async def endpoint():
    async with serve(reply) as address:
        url.append(address)
        ready.set()
        await asyncio.Event().wait()

threading.Thread(target=lambda: asyncio.run(endpoint()), daemon=True).start()
ready.wait()
os.environ["RAY_RUN_KEY"] = "none"
model = f"openai/served?base_url={url[0]}&key_env=RAY_RUN_KEY"
base_settings = dict(limit=48, embedder="none", concurrency=4)
evaluate("nestools", model, runs=folder / "alone", name="run", **base_settings)
alone = sum(asked.values())
asked.clear()

memory = dict(object_store_memory=100 * 2**20)
cluster = Cluster(initialize_head=True, head_node_args=dict(num_cpus=0, include_dashboard=False, **memory))
first, second = cluster.add_node(num_cpus=1, **memory), cluster.add_node(num_cpus=1, **memory)
cluster.wait_for_nodes(60)
killed = []

def show(tally):
    if tally.done >= 8 and not killed:
        killed.append(tally.done)
        threading.Thread(target=cluster.remove_node, args=(second, False)).start()

settings = Settings(
    "nestools", model, runs=folder / "cluster", name="run", engine="ray", ray_address=cluster.address,
    workers=2, **base_settings
)
try:
    asyncio.run(answer_and_score(Run.plan(settings), show=show))
    alive = sum(node["Alive"] for node in ray.nodes())
    out.write_text(json.dumps([alone, sum(asked.values()), killed, alive]))
finally:
    ray.shutdown()
    cluster.shutdown()
"""


def lines(folder: Path) -> list[dict[str, object]]:
    found = read_lines(folder / "transcripts.jsonl")
    for line in found:
        for completion in line["completions"]:
            completion.pop("latency", None)
    return sorted(found, key=lambda line: str(line["sample"]))


@pytest.mark.timeout(180)
def test_two_nodes_one_killed_same_bytes(tmp_path: Path) -> None:
    tests = str(Path(__file__).parents[1])
    path = os.pathsep.join([tests, *(part for part in sys.path if part)])
    out = tmp_path / "out.json"
    done = subprocess.run(
        [sys.executable, "-c", DRIVER, str(tmp_path), str(out)],
        env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, timeout=170, check=False,
    )  # fmt: skip
    assert out.exists(), done.stderr[-3000:]
    alone, asked, killed, alive = read_json(out)
    assert alive == 2  # the head and one of two
    assert killed
    # What the lost node had in hand was asked again, and nothing else.
    assert alone == 48
    assert 48 <= asked <= 48 + 8
    single, cluster = tmp_path / "alone" / "run", tmp_path / "cluster" / "run"
    assert (single / "scores.jsonl").read_bytes() == (cluster / "scores.jsonl").read_bytes()
    assert lines(single) == lines(cluster)
    manifests = [read_json(folder / "manifest.json") for folder in (single, cluster)]
    assert manifests[0]["digest"] == manifests[1]["digest"]
    assert all(manifest["finished"] for manifest in manifests)


def test_what_one_process_must_count_is_refused_and_options_of_a_cluster_want_one(tmp_path: Path) -> None:
    base_settings = Settings(
        "nestools", "scripted/empty", limit=1, embedder="none", runs=tmp_path, engine="ray"
    )
    refuse_on_ray(Run.plan(base_settings))
    with pytest.raises(UsageError, match="--max-cost"):
        refuse_on_ray(Run.plan(replace(base_settings, max_cost=1.0)))
    with pytest.raises(UsageError, match="--batch"):
        refuse_on_ray(Run.plan(replace(base_settings, batch=True)))
    base_settings = Settings("nestools", "scripted/empty", limit=1, embedder="none", runs=tmp_path, workers=2)
    with pytest.raises(UsageError, match="add --engine ray"):
        Run.plan(base_settings)
    with pytest.raises(UsageError, match="local, ray"):
        Run.plan(replace(base_settings, engine="spark"))


def test_a_node_of_another_release_is_told() -> None:
    with pytest.raises(RunMismatch, match="another release of toolyard"):
        EpisodePlayer({"benchmark": "nestools", "model": "scripted/empty", "of_tomorrow": 1}).ready("")


pytest.importorskip("ray")

# A process of its own: Ray keeps threads, and pieces are to be small.
SCORING_DRIVER = """
import dataclasses, json, random, sys
from pathlib import Path
from toolyard.benchmarks import load_benchmark
from toolyard.core.types import Options
from toolyard.run.grade import pieces
from toolyard.run.grade.piecewise_checking import check_in_pieces
from toolyard.run.grade.scoring import score_settings
from toolyard.run.settings import ScoreSettings

pieces.BYTES_OF_A_PIECE = 60_000
folder, out, mtu, nestools = map(Path, sys.argv[1:])
benchmark = load_benchmark("nestools")
samples = benchmark.data.load(nestools, Options())
answerers = [benchmark.checks.oracle, *benchmark.checks.baselines.values()]
rows = [
    {"test_id": int(each.id), "response": answerers[place % len(answerers)](each, (), random.Random(place))}
    for place, each in enumerate(samples)
]
predictions = folder / "predictions.jsonl"
predictions.write_text("".join(json.dumps(row) + "\\n" for row in rows))
made = {
    engine: score_settings(
        ScoreSettings("nestools", data=str(nestools), predictions=predictions, engine=engine, workers=1)
    ).to_json()
    for engine in ("local", "ray")
}
checked = {
    engine: dataclasses.asdict(check_in_pieces("mtu", str(mtu), {}, pieces.PieceEngine(engine)))
    for engine in ("local", "ray")
}
with pieces.split_into_pieces(benchmark, nestools, predictions) as found:
    number = len(found)
out.write_text(json.dumps([number, made, checked]))
"""


@pytest.mark.timeout(170)
def test_scores_and_checks_of_ray_data_are_those_of_one_process(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    path = os.pathsep.join(part for part in sys.path if part)
    sets = [str(first_rows(name, tmp_path / name, 40)) for name in ("mtu", "nestools")]
    done = subprocess.run(
        [sys.executable, "-c", SCORING_DRIVER, str(tmp_path), str(out), *sets],
        env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, timeout=160, check=False,
    )  # fmt: skip
    assert out.exists(), done.stderr[-3000:]
    pieces, scored, checked = read_json(out)
    assert pieces > 3
    assert 0 < scored["local"]["figures"]["average"] < 1
    assert scored["ray"] == scored["local"]
    assert len(checked["local"]["checks"]) > 3
    assert checked["ray"] == checked["local"]
