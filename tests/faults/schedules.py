"""Fault schedules: what is run, how its endpoint misbehaves, and what happens to the process and its files."""

import random
from dataclasses import dataclass, replace

from cases import cases
from faults.faulty_endpoint import CHARGING, Mix


@dataclass(frozen=True, slots=True)
class Case:
    """A small run: its name, its benchmark, the folder of its data, further arguments, whether a judge is asked."""

    name: str
    benchmark: str
    data: str
    arguments: tuple[str, ...] = ()
    judged: bool = False


CASES = (
    Case("nestools", "nestools", "nestools"),
    Case("mtu, recorded history", "mtu", "mtu"),
    Case("toolbehonest", "toolbehonest", "toolbehonest"),
    Case("tooleyes", "tooleyes", "tooleyes"),
    Case("mtu, own history", "mtu", "mtu", ("--history", "own")),
    Case("nestools, two trials", "nestools", "nestools", ("--limit", "2", "--trials", "2")),
    Case("tooleyes, judged", "tooleyes", "tooleyes", ("--limit", "2"), judged=True),
    Case("tooleyes, computing tools", "tooleyes", "calculator"),
)

# Benchmarks that ask once for each sample.
FLOODED = ("nestools", "toolbehonest")
KILLS = ("SIGKILL", "SIGTERM", "Ctrl-C", "Ctrl-C twice")
DISK = ("disk full", "file size limit", "read-only directory")
DAMAGE = cases(__file__, "DAMAGE")
OTHER = ("two processes", "changed data", "clock jump", "cost limit", "scored half-way", "reported half-way")
# A session of another command, whose tools come from a stranger.
FOREIGN = ("foreign OpenAPI document", "foreign MCP command", "foreign MCP address", "foreign Python module")
BLOWS = (*KILLS, *DISK, *DAMAGE, *OTHER, *FOREIGN)


@dataclass(frozen=True, slots=True)
class Blow:
    """What happens in one session: its kind, when (phase, requests seen, seconds more), and a number to draw from."""

    kind: str
    phase: str = "requests"
    requests: int = 1
    delay: float = 0.0
    drawn: float = 0.5


@dataclass(frozen=True, slots=True)
class Schedule:
    """One run from its first session to its end.

    `heals`: its endpoint does in the end. `cached`: completions are kept in a folder. `cold`: nothing is left of
    earlier runs. `interpreter`: every session starts a fresh one.
    """

    seed: int
    case: Case
    concurrency: int
    mix: Mix
    blows: tuple[Blow, ...]
    heals: bool = True
    cached: bool = False
    cold: bool = False
    interpreter: bool = False

    def __str__(self) -> str:
        blows = ", ".join(f"{blow.kind} ({blow.phase} {blow.requests})" for blow in self.blows)
        faults = f"{self.mix.failing:.0%} failing, {self.mix.hard:.0%} hard, {self.mix.odd:.0%} odd"
        cache = ", cached" if self.cached else ""
        return (
            f"{self.seed}: {self.case.name}{cache}, {self.concurrency} at once, {faults}, charged "
            f"{self.mix.charging}; {blows}"
        )


def draw_blow(kind: str, rng: random.Random) -> Blow:
    """One blow at a random moment: while it starts, among its requests, or when all are answered."""
    phase = rng.choices(("start", "requests", "end"), (1, 5, 2))[0]
    return Blow(kind, phase, rng.randint(1, 8), round(rng.random() ** 2 * 0.4, 3), rng.random())


def may_happen(kind: str, case: Case, *, cached: bool) -> bool:
    """Whether a run of that case has the file that an accident needs."""
    if kind.startswith("evidence"):
        return case.judged
    return cached or not kind.startswith("cache")


def draw_schedule(seed: int) -> Schedule:
    """The schedule of that number: at least one kill, then up to two blows of any kind; in each third a foreign source."""
    rng = random.Random(f"schedule {seed}")
    # Few draw the case whose tools need a process of their own, which takes seconds to start.
    case = CASES[seed % len(CASES) if seed % 24 == len(CASES) - 1 else seed % (len(CASES) - 1)]
    cached = rng.random() < 0.25
    others = [kind for kind in (*DISK, *DAMAGE, *OTHER) if may_happen(kind, case, cached=cached)]
    kinds = [rng.choice(KILLS), *rng.choices((*others, *KILLS), k=rng.choice((0, 1, 2, 2)))]
    mix = Mix(
        seed=seed,
        failing=rng.choice((0.0, 0.1, 0.3, 0.45)),
        hard=rng.choice((0.0, 0.0, 0.03, 0.08)),
        odd=rng.choice((0.0, 0.2, 0.5)),
        hopeless=rng.choice((0.0, 0.0, 0.0, 0.3)),
    )
    interpreter = seed % 50 == 49
    if interpreter:
        # It waits between attempts as long as for users, for minutes if it is told to.
        mix = replace(mix, failing=0.0, hopeless=0.0)
    drawn = Schedule(
        seed=seed,
        case=case,
        concurrency=rng.choice((1, 2, 4, 8)),
        mix=mix,
        blows=tuple(draw_blow(kind, rng) for kind in kinds),
        heals=rng.random() < 0.85,
        cached=cached,
        cold=rng.random() < 0.25,
        interpreter=interpreter,
    )
    charging = rng.choices(CHARGING, (2, 1, 1))[0]
    mix = replace(mix, charging=charging, floods=case.benchmark in FLOODED)
    blows = drawn.blows if seed % 3 else with_foreign(drawn.blows, seed)
    return replace(drawn, mix=mix, blows=blows)


def with_foreign(blows: tuple[Blow, ...], seed: int) -> tuple[Blow, ...]:
    """The blows with a foreign source somewhere among them, drawn apart from all else."""
    rng = random.Random(f"foreign {seed}")
    place = rng.randint(0, len(blows))
    return (*blows[:place], draw_blow(FOREIGN[seed // 3 % len(FOREIGN)], rng), *blows[place:])
