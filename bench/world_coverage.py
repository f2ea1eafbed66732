"""How much of what people ask for the tool library knows, and whether it refuses what does not exist.

python bench/world_coverage.py [--kind NAME ...] [--sample N] [--seed N] [--json]
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from coverage_rules import Argument, Probe, Verdict, judge, read_arguments, read_kinds

from toolyard.world import World, call

RESULTS = Path(__file__).parent / "results" / "world_coverage.md"
MISSES_SHOWN = 6


@dataclass(frozen=True)
class Outcome:
    """What one call came to."""

    kind: str
    tool: str
    argument: str
    verdict: Verdict


@dataclass(frozen=True)
class Row:
    """The counts of one kind, or of one tool."""

    name: str
    arguments: int
    tools: int
    known: int
    unknown: int
    wrongly_refused: int
    rightly_refused: int
    wrongly_accepted: int

    @property
    def known_percent(self) -> float | None:
        """Share of the real arguments that were answered."""
        return percent(self.known, self.known + self.unknown + self.wrongly_refused)

    @property
    def refused_percent(self) -> float | None:
        """Share of the impossible arguments that were refused."""
        return percent(self.rightly_refused, self.rightly_refused + self.wrongly_accepted)


def percent(part: int, whole: int) -> float | None:
    """A share in per cent with one decimal; none of nothing."""
    return round(100 * part / whole, 1) if whole else None


def outcomes(
    kind: str, arguments: Sequence[Argument], probes: Sequence[Probe], seed: int
) -> Iterator[Outcome]:
    """Every argument given to every tool of its kind, each in a fresh world."""
    for argument in arguments:
        for probe in probes:
            if argument.refuse and not probe.refusals:
                continue
            observation = call(World.fresh(seed), probe.tool, probe.filled(argument))
            verdict = judge(argument, probe, observation.value, observation.error)
            yield Outcome(kind, probe.tool, argument.text, verdict)


def row(name: str, found: Sequence[Outcome]) -> Row:
    """The counts of some outcomes."""
    counts = {verdict: sum(1 for one in found if one.verdict == verdict) for verdict in Verdict}
    return Row(
        name=name,
        arguments=len({(one.kind, one.argument) for one in found}),
        tools=len({one.tool for one in found}),
        known=counts[Verdict.KNOWN],
        unknown=counts[Verdict.UNKNOWN],
        wrongly_refused=counts[Verdict.WRONGLY_REFUSED],
        rightly_refused=counts[Verdict.RIGHTLY_REFUSED],
        wrongly_accepted=counts[Verdict.WRONGLY_ACCEPTED],
    )


def grouped(found: Sequence[Outcome], field: str) -> list[Row]:
    """One row per kind or per tool, in order of the alphabet."""
    groups: dict[str, list[Outcome]] = {}
    for one in found:
        groups.setdefault(getattr(one, field), []).append(one)
    return [row(name, groups[name]) for name in sorted(groups)]


def shown(value: float | None) -> str:
    """A share as the table prints it."""
    return "-" if value is None else f"{value:.1f}"


def table(rows: Sequence[Row], heading: str) -> str:
    """Rows as a table in Markdown."""
    lines = [
        f"| {heading} | arguments | tools | known | unknown | wrongly refused | known % "
        "| rightly refused | wrongly accepted | refused % |",
        "|---|" + "---:|" * 9,
    ]
    for one in rows:
        cells = (
            one.name, one.arguments, one.tools, one.known, one.unknown, one.wrongly_refused,
            shown(one.known_percent), one.rightly_refused, one.wrongly_accepted, shown(one.refused_percent),
        )  # fmt: skip
        lines.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    return "\n".join(lines)


def misses(found: Sequence[Outcome]) -> str:
    """The first arguments of each kind that no tool knew, and those that some tool wrongly accepted."""
    lines = []
    for kind in sorted({one.kind for one in found}):
        own = [one for one in found if one.kind == kind]
        known = {one.argument for one in own if one.verdict == Verdict.KNOWN}
        asked = dict.fromkeys(
            one.argument for one in own if one.verdict in (Verdict.UNKNOWN, Verdict.WRONGLY_REFUSED)
        )
        unknown = [text for text in asked if text not in known]
        accepted = list(dict.fromkeys(one.argument for one in own if one.verdict == Verdict.WRONGLY_ACCEPTED))
        parts = [
            f"{label} {len(names)} ({', '.join(names[:MISSES_SHOWN])}{', ...' if len(names) > MISSES_SHOWN else ''})"
            for label, names in (("unknown to every tool", unknown), ("wrongly accepted", accepted))
            if names
        ]
        if parts:
            lines.append(f"* **{kind}**: " + "; ".join(parts))
    return "\n".join(lines)


def page(found: Sequence[Outcome], seed: int) -> str:
    """The whole report in Markdown."""
    total = row("all", found)
    return "\n\n".join(
        (
            "# Coverage of the tool library",
            f"{total.arguments:,} arguments, {len(found):,} calls of {total.tools} tools, world seed {seed}. "
            "What counts as known is said in `records/coverage/README.md`.",
            table([*grouped(found, "kind"), total], "kind"),
            "## By tool",
            table(grouped(found, "tool"), "tool"),
            "## What was missed",
            misses(found),
        )
    )


def sampled(arguments: list[Argument], size: int | None, seed: int, kind: str) -> list[Argument]:
    """All arguments, or so many drawn by chance."""
    if size is None or size >= len(arguments):
        return arguments
    return random.Random(f"{seed} {kind}").sample(arguments, size)


def measured(names: Sequence[str], size: int | None, seed: int) -> list[Outcome]:
    """The outcomes of the wanted kinds, all without names; stops where a name is no kind."""
    kinds = read_kinds()
    strange = [name for name in names if name not in kinds]
    if strange:
        sys.exit(f"no kind {strange[0]!r}; the kinds are {', '.join(kinds)}")
    found: list[Outcome] = []
    for kind in names or kinds:
        found += outcomes(kind, sampled(read_arguments(kind), size, seed, kind), kinds[kind], seed)
    return found


def as_json(found: Sequence[Outcome], seed: int) -> str:
    """The counts as one JSON object."""

    def figures(one: Row) -> dict[str, object]:
        return asdict(one) | {"known_percent": one.known_percent, "refused_percent": one.refused_percent}

    return json.dumps(
        {
            "seed": seed,
            "total": figures(row("all", found)),
            "kinds": [figures(one) for one in grouped(found, "kind")],
            "tools": [figures(one) for one in grouped(found, "tool")],
        },
        indent=2,
    )


def main() -> None:
    """Prints the table; a run over all kinds and arguments writes it to results/world_coverage.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="seed of the world and of --sample")
    parser.add_argument("--kind", action="append", default=[], help="measure only this kind; may be repeated")
    parser.add_argument("--sample", type=int, help="at most so many arguments of each kind")
    parser.add_argument("--json", action="store_true", help="print the counts as JSON")
    options = parser.parse_args()
    found = measured(options.kind, options.sample, options.seed)
    if options.json:
        print(as_json(found, options.seed))
    else:
        print(table([*grouped(found, "kind"), row("all", found)], "kind"))
        if options.kind:
            print(misses(found))
    if not options.kind and options.sample is None:
        RESULTS.write_text(page(found, options.seed) + "\n", "utf-8")


if __name__ == "__main__":
    main()
