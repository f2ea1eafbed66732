"""A chat template that leaves tools out: said under the table and on the page, as native calling measures nothing then."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolyard.report.report_files import write_report
from toolyard.report.tables.run_tables import UNSEEN_TOOLS, results_note
from toolyard.run.api import evaluate


@pytest.mark.parametrize(("style", "said"), [("native", True), ("default", False)])
def test_tools_that_the_model_never_saw_are_named(tmp_path: Path, style: str, said: bool) -> None:
    run = evaluate("nestools", "local", style=style, limit=1, shortest=True, max_tokens=5, runs=tmp_path)
    report = write_report(run.folder)
    assert (UNSEEN_TOOLS in results_note(report)) == said
    for name in ("report.md", "report.html"):
        assert (UNSEEN_TOOLS in (report.folder / name).read_text()) == said
