"""The page of a campaign: what was injected, what happened, what held."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterable, Sequence

from faults.faulty_endpoint import FAILURES, HARD_FAILURES, ODDITIES
from faults.playing import INTERRUPTED, INVARIANTS, Outcome
from faults.schedules import BLOWS, CASES

ENDS = {
    0: "done",
    1: "one line for the user",
    2: "done, with unscored samples",
    INTERRUPTED: "stopped (130)",
    128 + signal.SIGTERM: "stopped (143)",
    -signal.SIGINT: "ended by Ctrl-C",
    -signal.SIGTERM: "ended by SIGTERM",
    -signal.SIGKILL: "killed",
    None: "nothing to do it to yet",
}
INTRODUCTION = """# Reliability

What happens to a run whose endpoint misbehaves and whose process, disk and files meet with accidents. Each schedule is
a small run of one benchmark against a local endpoint that fails by seed; the process is killed at least once, at a
random moment, and up to two more accidents follow; then the same command is given until the run is done. Sound
answers depend on the request alone, so that the end can be compared, byte by byte, with an undisturbed run.

This page is written by

    python bench/faults/campaign.py --schedules 1000 --write

Which faults a schedule draws follows from its number; how many of them are met depends on timing. `bench/faults`
says how to play one schedule again, `tests/faults/test_campaign.py` plays a few of them with the tests.
"""
# Breaches of the campaign whose page is in docs that were repaired after it, and the tests that hold the repairs.
REPAIRED = {
    258: "an interruption inside a call from C is sent again instead of being lost with a complaint: "
    "`test_a_signal_where_nothing_can_be_raised_stops_a_moment_later` in tests/cli/test_stopping.py",
    341: "a run that has lost a line is no longer called finished: "
    "`test_a_run_that_lost_a_line_is_no_longer_finished` in tests/run/test_one_run.py",
    431: "the command mends a damaged manifest again, so that changed data are refused after it: "
    "`test_the_command_mends_a_damaged_manifest_and_refuses_changed_data_after` in tests/run/test_one_run.py",
    964: "as 431",
}
LIMITS = """## Not covered

* Waits between attempts are shortened and an answer's size limit is lowered in these runs, so that a schedule takes
  seconds; every fiftieth schedule runs a fresh interpreter with everything as it is for users.
* A full disk is a small disk in memory, or a limit on the size of files where none can be mounted; power loss is
  simulated by torn, zeroed and corrupted files. The clock jump moves file times and `time.time`.
* An answer that was paid for but not yet written when the process was killed is asked for again, and paid for twice.
* Runs are small (2 to 12 samples); drawing of reports is not part of a schedule.
"""


def page(outcomes: Sequence[Outcome]) -> str:
    """The page in Markdown."""
    parts = [INTRODUCTION, _held(outcomes), _blows(outcomes), _faults(outcomes), _cases(outcomes), LIMITS]
    return "\n".join(parts)


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """One section with a table."""
    lines = [" | ".join(columns), " | ".join("---" for _ in columns)]
    lines += [" | ".join(map(str, row)) for row in rows]
    return f"## {title}\n\n" + "".join(f"| {line} |\n" for line in lines)


def _held(outcomes: Sequence[Outcome]) -> str:
    broken = Counter(
        name for outcome in outcomes for name in {problem.invariant for problem in outcome.problems}
    )
    whole = len(outcomes)
    seeds = [outcome.schedule.seed for outcome in outcomes if outcome.problems]
    rows = [(text, f"{whole - broken[name]:,} of {whole:,}") for name, text in INVARIANTS.items()]
    return table("What must hold, and in how many schedules it did", ("invariant", "held"), rows) + failing(
        seeds
    )


def failing(seeds: Sequence[int]) -> str:
    """The schedules in which something did not hold, and what has been repaired since."""
    if not seeds:
        return ""
    told = f"\nSchedules in which something did not hold: {', '.join(map(str, seeds))}.\n"
    repaired = [f"* {seed}: {REPAIRED[seed]}.\n" for seed in seeds if seed in REPAIRED]
    if not repaired:
        return told
    since = (
        "\nRepaired after this campaign, which has not been played again since; what holds each repair:\n\n"
    )
    return told + since + "".join(repaired)


def _blows(outcomes: Sequence[Outcome]) -> str:
    rows = []
    for kind in (*BLOWS, "finishing"):
        codes = [code for outcome in outcomes for blow, code in outcome.codes if is_of(blow, kind)]
        ends = Counter(ENDS.get(code, f"exit {code}") for code in codes)
        rows.append(
            (kind, f"{len(codes):,}", "; ".join(f"{end} {count:,}" for end, count in ends.most_common()))
        )
    return table("Accidents, and how the session ended", ("accident", "sessions", "end"), rows)


def is_of(blow: str, kind: str) -> bool:
    """Whether a session's label names that kind of accident."""
    return blow == kind or blow.startswith((f"{kind}: ", f"{kind}, "))


def _faults(outcomes: Sequence[Outcome]) -> str:
    injected = sum((outcome.injected for outcome in outcomes), Counter[str]())
    meaning = (
        (FAILURES, "asked again in the same session"),
        (HARD_FAILURES, "ends the sample or the session, asked again in the next"),
        (ODDITIES, "read like any other answer"),
    )
    rows = [(kind, f"{injected[kind]:,}", text) for kinds, text in meaning for kind in kinds]
    return table("Faults of the endpoint", ("fault", "times", "what a sound client does"), rows)


def _cases(outcomes: Sequence[Outcome]) -> str:
    rows = []
    for case in CASES:
        of_case = [outcome for outcome in outcomes if outcome.schedule.case.name == case.name]
        sessions = sum(code is not None for outcome in of_case for _, code in outcome.codes)
        stays = [outcome for outcome in of_case if not outcome.schedule.heals]
        unscored = sum(outcome.unscored for outcome in stays)
        rows.append((case.name, f"{len(of_case):,}", f"{sessions:,}", f"{len(stays):,}", f"{unscored:,}"))
    columns = ("run", "schedules", "sessions", "endpoints that never heal", "unscored in the end")
    return table("Runs", columns, rows)
