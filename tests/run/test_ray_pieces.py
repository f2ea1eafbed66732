"""Scoring and checking with Ray Data come to what they come to in one process."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from small_sets import first_rows

pytest.importorskip("ray")

# A process of its own: Ray keeps threads, and pieces are to be small.
DRIVER = """
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
        [sys.executable, "-c", DRIVER, str(tmp_path), str(out), *sets],
        env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, timeout=160, check=False,
    )  # fmt: skip
    assert out.exists(), done.stderr[-3000:]
    pieces, scored, checked = json.loads(out.read_text())
    assert pieces > 3
    assert 0 < scored["local"]["figures"]["average"] < 1
    assert scored["ray"] == scored["local"]
    assert len(checked["local"]["checks"]) > 3
    assert checked["ray"] == checked["local"]
