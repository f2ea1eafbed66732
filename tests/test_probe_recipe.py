"""recipes/probe_real.py on a scripted model: stages in their order, what is done is not done again, tables."""

import sys
from pathlib import Path

import pytest

from owntools_desk import DESK
from toolyard.lines import encode
from toolyard.owntools.mirror.mirror_making import make_mirror
from toolyard.owntools.sources import load_source

RECIPES = Path(__file__).parents[1] / "recipes"


def test_stages_are_kept_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(str(RECIPES))
    import probe_real

    (tmp_path / "desk.jsonl").write_bytes(b"".join(map(encode, DESK)))
    make_mirror(load_source(str(tmp_path / "desk.jsonl")), tmp_path / "sources" / "desk")
    out = str(tmp_path / "out")
    words = ["probe_real", "--sources", str(tmp_path / "sources"), "--out", out, "-m", "scripted/random"]
    words += ["--rows", "2", "--rewritings", "1", "--styles", "default", "--suites", "nestools,mtu"]
    monkeypatch.setattr(probe_real, "ORDER", (("profile", "default"), ("rules", "default")))
    for _ in range(2):
        monkeypatch.setattr(sys, "argv", words)
        probe_real.main()
    assert [each["stage"] for each in probe_real.stages(Path(out))] == ["profile", "rules"]
    assert (tmp_path / "out" / "desk" / "default" / "rules" / "suggestion.json").is_file()
    capsys.readouterr()
    monkeypatch.setattr(sys, "argv", ["probe_real", "--out", out, "--markdown"])
    probe_real.main()
    told = capsys.readouterr().out
    assert "| desk | default | nestools | 2 |" in told
    assert "| desk | default | rule | " in told
