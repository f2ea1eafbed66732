"""Parts of a long campaign become one page, and every tool gets its turn in every manner."""

import base64
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench" / "faults"
CALLS = {
    "kind": "calls", "seed": 4, "calls": 30, "tools": 2, "seconds": 3, "per_tool": {"A/B/c": 20, "A/B/d": 10},
    "outcomes": {"sensible": {"answered": 30}}, "escapes": [], "internal_errors": {}, "over_limit": {},
    "reached_for_the_host": {}, "slowest": [2.5, "7 A/B/c {}"], "slowest_in_process": [0.25, "8 A/B/d {}"],
    "grown_kilobytes_in_second_half": 2048,
}  # fmt: skip
FAULT = {"what": "KeyError at x.py:1", "file": "0123456789ab", "input": base64.b64encode(b"{`}").decode()}
DOOR = {
    "name": "text values",
    "group": "text",
    "slug": "text-values",
    "inputs": 7,
    "seconds": 60,
    "slowest": 0.5,
    "by_atheris": 3,
    "kept": 2,
}


def joined(folder: Path, *parts: object) -> tuple[int, str, str]:
    """Exit code, output and page of parts."""
    for number, part in enumerate(parts):
        (folder / f"{number}.json").write_text(json.dumps(part))
    files = sorted(map(str, folder.glob("*.json")))
    page = folder / "page.md"
    done = subprocess.run(
        [sys.executable, str(BENCH / "join.py"), *files, "--page", str(page), "--corpus", str(folder / "corpus")],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr, page.read_text() if page.exists() else ""


def played(seed: int, *problems: object) -> dict[str, object]:
    codes = [["SIGKILL", -9], ["finishing", 0]]
    return {
        "seed": seed, "codes": codes, "injected": {"429": 2}, "unscored": 0, "seconds": 1.0, "problems": problems,
    }  # fmt: skip


def test_parts_are_added_up(tmp_path: Path) -> None:
    parts = [{"kind": "schedules", "outcomes": [played(seed)]} for seed in (0, 1)]
    door = {**DOOR, "faults": []}
    code, said, page = joined(
        tmp_path, *parts, CALLS, {**CALLS, "seed": 5}, {"kind": "doors", "seed": 1, "doors": [door]}
    )
    assert (code, said.splitlines()[1]) == (0, "60 calls of 2 tools, 0 findings")
    assert "| SIGKILL | 2 | killed 2 |" in page
    assert "20 to 40 of each" in page and "| text | 1 | 7 | 3 | 2 | 1.0 | 0.50 |" in page


def test_what_was_found_is_told_and_kept(tmp_path: Path) -> None:
    breach = {"invariant": "key", "session": 1, "text": "in 1.out"}
    schedules = {"kind": "schedules", "outcomes": [played(3, breach)]}
    doors = {"kind": "doors", "seed": 1, "doors": [{**DOOR, "faults": [FAULT]}]}
    code, said, page = joined(tmp_path, schedules, {**CALLS, "escapes": ["9 A/B/c boom"]}, doors)
    assert code == 1 and "1 with problems: 3" in said
    assert "did not hold: 3." in page and "9 A/B/c boom" in page and "KeyError at x.py:1" in page
    assert (tmp_path / "corpus" / "text-values" / "0123456789ab").read_bytes() == b"{`}"


def test_a_schedule_played_in_two_parts_is_refused(tmp_path: Path) -> None:
    part = {"kind": "schedules", "outcomes": [played(7)]}
    code, said, page = joined(tmp_path, part, part)
    assert (code, page) == (1, "") and "schedules in more than one part: 7" in said


def test_every_tool_gets_every_manner_as_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCH))
    from drawn_calls import COMPUTING_EVERY, MANNERS, Draws

    from toolyard.world.kernel.registry import extras, library

    tools = [*library().values(), *extras().values()]
    draws, turns = Draws(tools), len(tools) * len(MANNERS)
    seen: Counter[tuple[str, str]] = Counter()
    for number in range(turns * COMPUTING_EVERY // (COMPUTING_EVERY - 1)):
        if number % COMPUTING_EVERY:
            drawn = draws.drawn(0, number)
            seen[drawn.tool.id, drawn.manner] += 1
    assert set(seen.values()) == {1}
    assert len(seen) == turns
    assert repr(draws.drawn(3, 1001)) == repr(Draws(tools).drawn(3, 1001))
