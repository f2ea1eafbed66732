"""Fixed fault schedules: whatever happens on the way, a run ends like one that nobody disturbed."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

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
