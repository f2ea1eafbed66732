"""A chat template that leaves tools out: said under the table and on the page, as native calling measures nothing then."""

import shutil
from pathlib import Path

import orjson
import pytest

from toolyard.models.shown_tools import UNSEEN_TOOLS
from toolyard.report.report_files import write_report
from toolyard.report.tables.run_tables import results_note
from toolyard.run.api import evaluate
from toolyard_command import toolyard


@pytest.mark.parametrize(("style", "said"), [("native", True), ("default", False)])
def test_tools_that_the_model_never_saw_are_named(tmp_path: Path, style: str, said: bool) -> None:
    run = evaluate("nestools", "local", style=style, limit=1, shortest=True, max_tokens=5, runs=tmp_path)
    report = write_report(run.folder)
    assert (UNSEEN_TOOLS in results_note(report)) == said
    for name in ("report.md", "report.html"):
        assert (UNSEEN_TOOLS in (report.folder / name).read_text()) == said


def test_ways_compare_and_estimate_name_the_runs_whose_tools_were_never_seen(tmp_path: Path) -> None:
    said = toolyard(
        "ways", "nestools", "-m", "local", "--ways", "default,native", "--shortest", "--limit", "1",
        "--max-tokens", "5", "--runs", str(tmp_path), "--html", str(tmp_path / "ways.html"), "--json",
    )  # fmt: skip
    assert said.returncode == 0, said.stderr
    assert orjson.loads(said.stdout)["unseen_tools"] == ["native"]
    assert f"native: {UNSEEN_TOOLS}" in (tmp_path / "ways.html").read_text()
    (native,) = (path.parent for path in tmp_path.glob("*/manifest.json") if b"native" in path.read_bytes())
    copied = shutil.copytree(native, tmp_path / "copy")
    compared = toolyard("compare", str(native), str(copied), "--json")
    assert orjson.loads(compared.stdout)["nestools"]["remarks"][0].endswith(f": {UNSEEN_TOOLS}")
    estimated = toolyard(
        "estimate", "nestools", "-m", "local", "--style", "native", "--shortest", "--limit", "1",
        "--max-tokens", "5", "--runs", str(tmp_path),
    )  # fmt: skip
    assert f"nestools: {UNSEEN_TOOLS}" in " ".join(estimated.stdout.split())
