"""Every page begins with one line of verdict, in the colour of good or bad news."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from owntools_desk import DESK, damaged, written
from toolyard.certify.certificate import Certificate, ProbeOutcome
from toolyard.certify.certificate_files import render_certificate
from toolyard.cli.app import app
from toolyard.owntools.lint.lint_page import render_review
from toolyard.owntools.lint.lint_rules import review_documents
from toolyard.owntools.probe.model_profile import Headline, ToolProfile
from toolyard.owntools.probe.probe_page import render_profile
from toolyard.owntools.sources import load_source
from toolyard.stats.bootstrap import Estimate

LINE = re.compile(r'<p class="verdict (yes|no)">(.*?)</p>')
PASSED = ProbeOutcome("chat/plain/1", "chat", "plain", True, True, "", "")


def verdict_in(page: str) -> tuple[str, str]:
    [(kind, text)] = LINE.findall(page)
    assert page.index('class="verdict ') < page.index("<table")
    return kind, text


def test_a_certificate_names_its_defects() -> None:
    assert verdict_in(render_certificate(Certificate("m", (PASSED,)))) == (
        "yes",
        "Sound: 1 of 1 probe passed.",
    )
    lost = replace(PASSED, passed=False, why="usage_missing", layer="server", defects=("usage_missing",))
    kind, text = verdict_in(render_certificate(Certificate("m", (PASSED, lost))))
    assert (kind, text) == ("no", "1 defect found: usage_missing; 1 of 2 probes passed.")


@pytest.mark.parametrize(("sound", "kind"), [(True, "yes"), (False, "no")])
def test_a_review_counts_its_findings(tmp_path: Path, sound: bool, kind: str) -> None:
    found = review_documents(load_source(str(written(tmp_path, DESK if sound else damaged()))), "words")
    assert verdict_in(render_review(found))[0] == kind
    if not sound:
        assert verdict_in(render_review(found))[1] == "6 errors in 9 tools."


@pytest.mark.parametrize(("low", "kind", "above"), [(0.4, "yes", 1), (0.1, "no", 0)])
def test_a_probe_says_in_how_many_suites_the_model_beats_the_baseline(
    low: float, kind: str, above: int
) -> None:
    headline = Headline("mtu", "average", Estimate(0.5, low, 0.6), 9, "empty", 0.2, "runs/a")
    profile = ToolProfile("m", "desk", "default", (), (), (headline,), (), (), (), (), (), ())
    found = verdict_in(render_profile(profile))
    assert found == (
        kind,
        f"Better than the best trivial baseline in {above} of 1 suite; 0 of 0 samples went wrong.",
    )


def test_traffic_counts_what_has_a_finding(tmp_path: Path) -> None:
    user = {"role": "user", "content": "hello"}
    answer = {"choices": [{"message": {"role": "assistant", "content": "Hello."}}]}
    line = {"request": {"model": "m", "messages": [user]}, "response": answer}
    (tmp_path / "log.jsonl").write_text(json.dumps(line) + "\n")
    page = tmp_path / "traffic.html"
    done = CliRunner().invoke(app, ["traffic", str(tmp_path / "log.jsonl"), "--html", str(page)])
    assert done.exit_code == 0
    assert verdict_in(page.read_text()) == ("yes", "0 of 1 trajectories with a finding.")
