"""Run, report, score and compare work without the packages that only extras bring."""

import subprocess
import sys
from pathlib import Path

WITHOUT_SCIPY = """
import sys
sys.modules["scipy"] = None
from toolyard.cli import main
sys.argv = ["toolyard", *sys.argv[1:]]
main()
"""


def toolyard(folder: Path, *words: str) -> str:
    command = [sys.executable, "-c", WITHOUT_SCIPY, *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_default_commands_need_no_scipy(tmp_path: Path) -> None:
    for model in ("scripted/random", "scripted/oracle"):
        toolyard(tmp_path, "run", "nestools", "-m", model, "--limit", "30", "--name", model.partition("/")[2])
    runs = [str(path.parent) for path in sorted(tmp_path.glob("runs/*/manifest.json"))]
    assert len(runs) == 2
    assert "differences between groups" in (tmp_path / "runs/random/report.md").read_text()
    assert "average" in toolyard(tmp_path, "score", runs[1])
    assert toolyard(tmp_path, "report", runs[1])
    assert "scripted/oracle" in toolyard(tmp_path, "compare", *runs)
