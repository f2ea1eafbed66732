"""The page of a campaign: what was injected, what happened, what held."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path

from found import Calls, Door, Doors

from faults.faulty_endpoint import FAILURES, HARD_FAILURES, ODDITIES
from faults.playing import INTERRUPTED, INVARIANTS, Outcome
from faults.schedules import BLOWS, CASES, FOREIGN

ENDS = {
    0: "done",
    1: "one-line message",
    2: "done, with unscored samples",
    INTERRUPTED: "stopped (130)",
    128 + signal.SIGTERM: "stopped (143)",
    -signal.SIGINT: "ended by Ctrl-C",
    -signal.SIGTERM: "ended by SIGTERM",
    -signal.SIGKILL: "killed",
    None: "not applicable yet",
}
INTRODUCTION = """# Reliability

What happens if the endpoint fails, the process is killed, the disk is full or files are damaged? Each schedule is a small
run of one benchmark against a local endpoint with seeded faults. The process is killed at least once at a random moment,
up to two more accidents follow, and the same command is repeated until the run is done. Correct answers depend on the
request alone, so the end is compared byte by byte with an undisturbed run. In every third schedule another command reads a
foreign source beside the run, half of the time with a signal: a hostile OpenAPI document, MCP server or Python module.

This page is written by

    python bench/faults/join.py PARTS/*.json

from the results of the three programs of `bench/faults` (`--repeated` takes schedules that were played again). The number of
a schedule decides its faults; timing decides how many of them occur. `bench/faults/README.md` shows how to play one schedule
again. `tests/faults/test_campaign.py` plays a few with the tests.
"""
PEERS = Path(__file__).with_name("peers.md").read_text(encoding="utf-8")
PROMISES = Path(__file__).with_name("promises.md").read_text(encoding="utf-8")
LIMITS = """## Not covered

* Waits between attempts and the size limit of answers are smaller in these runs, so that a schedule takes seconds. Every
  fiftieth schedule runs a fresh interpreter with the settings of users.
* A full disk is a small disk in memory, or a limit on file sizes. Power loss is simulated by torn, zeroed and corrupted
  files. The clock jump moves file times and `time.time`.
* A signal is sent after the command has installed its handlers. Before that, while Python starts, the interpreter prints its
  own message; from our first line on, the process ends without any (`tests/cli/test_stopping.py`).
* An answer that was paid for but not yet written when the process was killed is requested and paid for again.
* A foreign source that hangs is given up after 3 s instead of 30. `probe` compares texts by hashed words, so that no weights
  are needed. Case files name the source without `--header` and `--base-url`.
* Runs are small (2 to 12 samples). Drawing reports is not part of a schedule.
* The training loop was read and not attacked; `tests/train/test_training.py` kills it on a small model.
* SIGKILL leaves scratch files (`NAME.PID.part`), and on systems other than Linux an MCP server that hangs. Scratch files are
  never read; remove them by hand.
* An export into a folder that holds files replaces them one by one: a kill leaves old and new ones side by side until the
  same command runs again.
"""


def page(
    outcomes: Sequence[Outcome], calls: Calls, doors: Doors, repeated: Sequence[Outcome], repaired: str
) -> str:
    """The page in Markdown; what was not run is left out."""
    parts = [INTRODUCTION]
    if outcomes:
        parts += [_held(outcomes), _blows(outcomes), _faults(outcomes), _foreign(outcomes), _cases(outcomes)]
    parts += [_calls(calls)] if calls.calls else []
    parts += [_doors(doors)] if doors.rows else []
    return "\n".join([*parts, PROMISES, _again(outcomes, repeated, repaired), PEERS, LIMITS])


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
    failing = (
        f"\nAll of it held in {whole - len(seeds):,} of {whole:,} schedules. "
        f"Schedules in which something did not hold: {', '.join(map(str, seeds))}.\n"
        if seeds
        else ""
    )
    return table("What must hold, and how often it did", ("invariant", "held"), rows) + failing


def _again(outcomes: Sequence[Outcome], repeated: Sequence[Outcome], repaired: str) -> str:
    """What was repaired since, and the schedules that were played again after it; never said to be the whole again."""
    if not repeated:
        return f"## Fixed since\n\n{repaired}"
    failed = {outcome.schedule.seed for outcome in outcomes if outcome.problems}
    lines = []
    for words, group in (
        (
            "Of the schedules in which something had not held",
            [o for o in repeated if o.schedule.seed in failed],
        ),
        ("Of other schedules", [o for o in repeated if o.schedule.seed not in failed]),
    ):
        bad = [str(outcome.schedule.seed) for outcome in group if outcome.problems]
        end = f"something did not hold in {', '.join(bad)}" if bad else "all of it held in each"
        numbers = spans(outcome.schedule.seed for outcome in group)
        lines.append(f"* {words}, {len(group)} were played after the repair ({numbers}): {end}.\n")
    whole = f"The {len(outcomes):,} schedules above were not played again as a whole."
    return f"## Fixed since\n\n{repaired}\n{''.join(lines)}\n{whole}\n"


def spans(numbers: Iterable[int]) -> str:
    """Numbers in order, with runs of three and more as first to last: `0 to 193, 195, 198`."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    shown = ([f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run) for run in runs)
    return ", ".join(chain.from_iterable(shown))


def _blows(outcomes: Sequence[Outcome]) -> str:
    rows = []
    for kind in (*(kind for kind in BLOWS if kind not in FOREIGN), "finishing"):
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
        (FAILURES, "repeated in the same session"),
        (HARD_FAILURES, "ends the sample or the session, repeated in the next"),
        (ODDITIES, "read like any other answer"),
    )
    rows = [(kind, f"{injected[kind]:,}", text) for kinds, text in meaning for kind in kinds]
    return table("Faults of the endpoint", ("fault", "times", "what a correct client does"), rows)


def _foreign(outcomes: Sequence[Outcome]) -> str:
    """Foreign sources by kind: sessions, different variants, and the commands that read them with their ends."""
    rows = []
    for kind in FOREIGN:
        variants = {name for outcome in outcomes for name in outcome.injected if is_of(name, kind)}
        ends: dict[str, Counter[str]] = {}
        for blow, code in (each for outcome in outcomes for each in outcome.codes if is_of(each[0], kind)):
            command = blow.removeprefix(f"{kind}, ").removesuffix(", before")
            ends.setdefault(command, Counter())[ENDS.get(code, f"exit {code}")] += 1
        text = "; ".join(
            f"`{command}` {counts.total():,} ({', '.join(f'{end} {count:,}' for end, count in counts.most_common())})"
            for command, counts in sorted(ends.items())
        )
        rows.append((kind, f"{sum(each.total() for each in ends.values()):,}", len(variants), text))
    columns = ("source", "sessions", "variants", "commands, and how they ended")
    return table("Foreign sources", columns, rows)


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


def _calls(calls: Calls) -> str:
    kinds = sorted({kind for outcomes in calls.outcomes.values() for kind in outcomes})
    rows = [
        (kind, *(f"{outcomes[kind]:,}" for outcomes in calls.outcomes.values()))
        for kind in sorted(kinds, key=lambda kind: -sum(each[kind] for each in calls.outcomes.values()))
    ]
    fewest, most = min(calls.per_tool.values()), max(calls.per_tool.values())
    text = (
        f"\n{calls.calls:,} calls of {calls.tools:,} tools, {fewest:,} to {most:,} of each, half of them in compatibility "
        f"mode. The slowest took {calls.slowest[0]:.1f} s (`{_tool(calls.slowest[1])}`), the slowest outside a "
        f"worker {calls.slowest_here[0]:.2f} s (`{_tool(calls.slowest_here[1])}`); no process grew by more than "
        f"{calls.grown / 1024:,.0f} MB in its second half.\n"
    )
    found = "".join(f"* {_inert(item)}\n" for item in calls.found)
    told = f"\nFound: {len(calls.found)}.\n\n{found}" if found else "\nNothing else was found.\n"
    return table("Calls of tools, and how they ended", ("end", *calls.outcomes), rows) + text + told


def _tool(what: str) -> str:
    return what.split(" ")[1] if " " in what else "none"


def _inert(text: str) -> str:
    """Text of strangers as code within a line."""
    return "`" + text.replace("`", "'")[:300] + "`"


def _doors(doors: Doors) -> str:
    groups: dict[str, list[Door]] = {}
    for door in doors.rows.values():
        groups.setdefault(door.group, []).append(door)
    rows = [
        (
            group,
            len(found),
            f"{sum(door.inputs for door in found):,}",
            f"{sum(door.by_atheris for door in found):,}",
            f"{sum(door.kept for door in found):,}",
            f"{sum(door.seconds for door in found) / 60:.1f}",
            f"{max(door.slowest for door in found):.2f}",
        )
        for group, found in groups.items()
    ]
    columns = ("group of parsers", "parsers", "inputs", "by atheris", "kept", "minutes", "slowest, s")
    found = "".join(f"* {_inert(item)}\n" for item in doors.faults)
    told = f"\nFaults: {len(doors.faults)}.\n\n{found}" if found else "\nNo fault was found.\n"
    return table("Mutated input of parsers and loaders", columns, rows) + told
