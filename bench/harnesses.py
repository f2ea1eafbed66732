"""The whole command beside those of inspect-ai and lm-eval: the same prompts, server and machine, in turn.

    python bench/harnesses.py                     0 ms, 64 in flight
    python bench/harnesses.py --full              0, 50 and 500 ms, 16, 64 and 512 in flight
    LM_EVAL=PYTHON python bench/harnesses.py      with lm-eval, which that interpreter has: it wants its own environment

Records are NesTools' starter ones under new ids. inspect-ai runs Toolyard's own task, so that prompts, scoring and figures
are the same; lm-eval gets the prompts as a task of its own and compares the answers as texts, which is less than the
others do. Processor seconds are those of all processes of a command, starting up included; `whole_run.py` has the
larger set, where starting up counts less.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from client_throughput import chat_server
from scoring_memory import write_rows
from whole_run import Took, Way, took, ways, write_bodies

WANTED = ("toolyard run", "bare loop", "inspect eval")
TASK = "toolyard_prompts"
MANY_SAMPLES = 2_000


def lm_eval(python: str, url: str, in_flight: int, scratch: Path) -> Way:
    """lm-eval on the prompts of the bodies, as a task that is read from a folder."""
    tasks = scratch / "tasks"
    tasks.mkdir(exist_ok=True)
    bodies = [json.loads(line) for line in (scratch / "nestools.jsonl").read_text().splitlines()]
    rows = [{"prompt": body["messages"][-1]["content"], "answer": "[]"} for body in bodies]
    (tasks / "prompts.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    task = {
        "task": TASK,
        "dataset_path": "json",
        "dataset_kwargs": {"data_files": {"test": str(tasks / "prompts.jsonl")}},
        "test_split": "test",
        "output_type": "generate_until",
        "doc_to_text": "{{prompt}}",
        "doc_to_target": "{{answer}}",
        "generation_kwargs": {"until": ["<none>"], "max_gen_toks": bodies[0]["max_tokens"]},
        "metric_list": [{"metric": "exact_match"}],
    }
    # YAML reads JSON.
    (tasks / f"{TASK}.yaml").write_text(json.dumps(task))
    where = f"base_url={url}/chat/completions,model=x,num_concurrent={in_flight},tokenized_requests=False,max_length=65536"
    command = [python, "-m", "lm_eval", "--model", "local-chat-completions", "--model_args", where]
    command += ["--tasks", TASK, "--include_path", str(tasks), "--apply_chat_template", "--batch_size", "1"]
    apart = {
        "OPENAI_API_KEY": "none",
        "HF_HOME": str(scratch / "hf"),
        "HF_HUB_OFFLINE": "1",
        "PYTHONPATH": "",
    }
    return Way("lm-eval", command, lambda: None, apart, once=True)


def cell(delay: float, in_flight: int, samples: int, rounds: int) -> Iterator[str]:
    """The lines of one place of the grid, each as soon as it is measured; ours first, which the others are set against."""
    with tempfile.TemporaryDirectory() as name, chat_server(delay) as url:
        folder = Path(name)
        (folder / "data").mkdir()
        write_rows(folder / "data", samples)
        (folder / "data" / "predictions.jsonl").unlink()
        write_bodies("nestools", str(folder / "data"), folder / "nestools.jsonl")
        known = {way.name: way for way in ways("nestools", str(folder / "data"), url, in_flight, folder)}
        each = [known[name] for name in WANTED]
        if python := os.environ.get("LM_EVAL"):
            each.append(lm_eval(python, url, in_flight, folder))
        first: list[Took] = []
        for way in each:
            times = [took(way) for _ in range(1 if way.once else rounds)]
            first = first or times
            yield line(
                f"| {samples:,} | {1000 * delay:.0f} | {in_flight} | {way.name}",
                times,
                _middle(first),
                samples,
            )


def grid(full: bool, samples: int) -> list[tuple[float, int, int]]:
    """Latency, requests in flight and samples of every cell; in the full form a larger set at 0 ms comes first."""
    if not full:
        return [(0.0, 64, samples)]
    cells = [(delay, in_flight, samples) for delay in (0.0, 0.05, 0.5) for in_flight in (64, 16, 512)]
    return [(0.0, 64, MANY_SAMPLES), *cells]


def line(about: str, times: list[Took], ours: Took, samples: int) -> str:
    """One line of the table."""
    middle = _middle(times)
    return (
        f"{about} | {middle.seconds:.2f} "
        f"({min(each.seconds for each in times):.2f} to {max(each.seconds for each in times):.2f}) "
        f"| {samples / middle.seconds:,.0f} | {middle.seconds / ours.seconds:.1f} "
        f"| {middle.processor:.2f} | {middle.processor / ours.processor:.1f} |"
    )


def _middle(times: list[Took]) -> Took:
    return Took(
        statistics.median(each.seconds for each in times),
        statistics.median(each.processor for each in times),
        max(each.megabytes for each in times),
    )


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--samples", type=int, default=256)
    parser.add_argument("--rounds", type=int, default=2)
    chosen = parser.parse_args()
    print(
        "| samples | ms | in flight | command | seconds | samples/s | times ours | processor s | times ours |"
    )
    print("|---:|---:|---:|---|---:|---:|---:|---:|---:|", flush=True)
    for delay, in_flight, samples in grid(chosen.full, chosen.samples):
        for found in cell(delay, in_flight, samples, chosen.rounds):
            print(found, flush=True)
    python = os.environ.get("LM_EVAL")
    said = "lm-eval was left out: LM_EVAL names no interpreter that has it"
    if python:
        asked = [python, "-c", "import importlib.metadata as found; print(found.version('lm_eval'))"]
        version = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
        said = f"lm-eval {version}, in an environment of its own"
    print(f"\n{said}")


if __name__ == "__main__":
    main()
