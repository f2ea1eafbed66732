"""Fixed fault schedules: a run ends like one that nobody disturbed; parts of a campaign become one page."""

import base64
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from cases import cases
from faults.faulty_endpoint import FAILURES, HARD_FAILURES, ODDITIES, Mix
from faults.playing import Clean, clean_run, play
from faults.processes import ForkServer, Loop
from faults.schedules import CASES, Blow, Schedule
from faults.small_data import write_small_data

CASE = {case.name: case for case in CASES}
FAULTY = Mix(failing=0.3, odd=0.3)


@dataclass(frozen=True, slots=True)
class Theatre:
    """What all schedules share."""

    folder: Path
    server: ForkServer
    loop: Loop
    clean: dict[str, Clean]

    def clean_of(self, name: str) -> Clean:
        """The undisturbed run of a case, made at its first use."""
        if name not in self.clean:
            data = self.folder / "data" / CASE[name].data
            self.clean[name] = clean_run(
                CASE[name], data, self.folder / f"clean {name}", self.server, self.loop
            )
        return self.clean[name]


@pytest.fixture(scope="module")
def theatre(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Theatre]:
    folder = tmp_path_factory.mktemp("faults")
    write_small_data(folder / "data")
    server, loop = ForkServer(), Loop()
    yield Theatre(folder, server, loop, {})
    server.close()
    loop.close()


SCHEDULES = {
    "killed twice": ("nestools", FAULTY, (Blow("SIGKILL", requests=2), Blow("SIGKILL", requests=1))),
    "terminated": ("mtu, own history", FAULTY, (Blow("SIGTERM", requests=4),)),
    "stopped twice in a row": ("toolbehonest", FAULTY, (Blow("Ctrl-C twice", requests=5),)),
    "stopped while it scores": ("tooleyes, judged", Mix(odd=0.5), (Blow("Ctrl-C", "end"),)),
    "torn line": ("mtu, recorded history", FAULTY, (Blow("SIGKILL", requests=6), Blow("last line torn"))),
    "corrupted line": (
        "nestools",
        Mix(),
        (Blow("SIGKILL", requests=3, delay=0.1), Blow("last line corrupted")),
    ),
    "damaged manifest": ("toolbehonest", FAULTY, (Blow("SIGKILL", requests=6), Blow("manifest truncated"))),
    "no room": ("nestools, two trials", Mix(), (Blow("SIGKILL"), Blow("file size limit", drawn=0.3))),
    "two processes": ("mtu, recorded history", FAULTY, (Blow("two processes", requests=2),)),
    "changed data": ("nestools", Mix(), (Blow("SIGKILL", requests=3, delay=0.1), Blow("changed data"))),
    "cost limit": ("tooleyes", FAULTY, (Blow("cost limit", drawn=0.2), Blow("SIGKILL", requests=2))),
    "charged by letters": (
        "nestools, two trials",
        replace(FAULTY, charging="by letters"),
        (Blow("cost limit", drawn=0.9), Blow("cost limit", drawn=2.0)),
    ),
    "charged for long thoughts": (
        "tooleyes, judged",
        Mix(odd=0.3, charging="with long thoughts"),
        (Blow("cost limit", drawn=3.0), Blow("SIGTERM", requests=2)),
    ),
    "many calls": ("nestools", Mix(odd=0.6, floods=True), (Blow("SIGTERM", requests=3),)),
    "foreign document": ("nestools", Mix(), (Blow("foreign OpenAPI document", drawn=0.1), Blow("SIGKILL"))),
    "foreign command": ("nestools", Mix(), (Blow("SIGKILL"), Blow("foreign MCP command", drawn=0.2))),
    "foreign address": ("nestools", Mix(), (Blow("SIGKILL"), Blow("foreign MCP address", drawn=0.3))),
    "foreign module": ("nestools", Mix(), (Blow("SIGKILL"), Blow("foreign Python module", drawn=0.4))),
    "computing tools": ("tooleyes, computing tools", FAULTY, (Blow("SIGTERM", requests=2),)),
}


@pytest.mark.parametrize("name", SCHEDULES)
def test_a_run_ends_like_one_that_nobody_disturbed(name: str, theatre: Theatre) -> None:
    case, mix, blows = SCHEDULES[name]
    schedule = Schedule(7, CASE[case], 3, replace(mix, seed=7), blows)
    outcome = play(
        schedule,
        theatre.folder / name.replace(" ", "_"),
        theatre.clean_of(case),
        theatre.server,
        theatre.loop,
    )
    assert [str(problem) for problem in outcome.problems] == []


def test_an_endpoint_that_never_heals_leaves_unscored_samples_and_exit_2(theatre: Theatre) -> None:
    schedule = Schedule(
        3, CASE["toolbehonest"], 2, Mix(seed=3, hopeless=0.3), (Blow("SIGKILL", requests=3),), heals=False
    )
    clean = theatre.clean_of("toolbehonest")
    outcome = play(schedule, theatre.folder / "never", clean, theatre.server, theatre.loop)
    assert [str(problem) for problem in outcome.problems] == []
    assert outcome.codes[-1] == ("finishing", 2)
    assert outcome.unscored > 0


def test_a_mix_draws_every_fault_and_the_same_ones_again() -> None:
    mix = Mix(seed=1, failing=0.3, hard=0.1, odd=0.3, floods=True)
    drawn = [mix.fault(str(number), attempt) for number in range(300) for attempt in range(4)]
    assert set(drawn) == {None, *FAILURES, *HARD_FAILURES, *ODDITIES}
    assert drawn == [mix.fault(str(number), attempt) for number in range(300) for attempt in range(4)]


BENCH = Path(__file__).parents[2] / "bench" / "faults"
CALLS = {
    "kind": "calls", "seed": 4, "calls": 30, "tools": 2, "seconds": 3, "per_tool": {"A/B/c": 20, "A/B/d": 10},
    "outcomes": {"sensible": {"answered": 30}}, "escapes": [], "internal_errors": {}, "over_limit": {},
    "reached_for_the_host": {}, "slowest": [2.5, "7 A/B/c {}"], "slowest_in_process": [0.25, "8 A/B/d {}"],
    "grown_kilobytes_in_second_half": 2048,
}  # fmt: skip
FAULT = {"what": "KeyError at x.py:1", "file": "0123456789ab", "input": base64.b64encode(b"{`}").decode()}
DOOR = cases(__file__, "DOOR")


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

    from toolyard.world.kernel.registry import extra_tools, library

    tools = [*library().values(), *extra_tools().values()]
    draws, turns = Draws(tools), len(tools) * len(MANNERS)
    seen: Counter[tuple[str, str]] = Counter()
    for number in range(turns * COMPUTING_EVERY // (COMPUTING_EVERY - 1)):
        if number % COMPUTING_EVERY:
            drawn = draws.drawn(0, number)
            seen[drawn.tool.id, drawn.manner] += 1
    assert set(seen.values()) == {1}
    assert len(seen) == turns
    assert repr(draws.drawn(3, 1001)) == repr(Draws(tools).drawn(3, 1001))
