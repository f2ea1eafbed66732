"""Joins the parts of a campaign into docs/reliability.md and the corpus that tests replay.

python bench/faults/join.py PARTS/*.json --repeated AGAIN.json

What was repaired since the parts were made stands in repaired.md, which the page takes in.
Exit 1 where something did not hold, in which case the page says so too.
"""

from __future__ import annotations

import argparse
import base64
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "src")]

from found import Calls, Doors, calls_of, doors_of  # noqa: E402 - found through the line above
from reliability import page  # noqa: E402
from shards import Shard, outcomes_of, read_shards  # noqa: E402

PAGE = ROOT / "docs" / "reliability.md"
REPAIRED = Path(__file__).with_name("repaired.md")
CORPUS = ROOT / "tests" / "faults" / "corpus"


def main() -> int:
    """Writes the page; 1 where a part tells of something that did not hold."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("parts", nargs="+", type=Path, help="What --out wrote, of any of the three programs.")
    parser.add_argument(
        "--repeated", nargs="*", type=Path, default=[], help="Schedules played again after a repair."
    )
    parser.add_argument("--page", type=Path, default=PAGE, help="Where the page goes.")
    parser.add_argument("--corpus", type=Path, default=CORPUS, help="Where inputs that broke a door go.")
    options = parser.parse_args()
    parts = read_shards(options.parts)
    outcomes, calls, doors = (
        outcomes_of(parts["schedules"]),
        calls_of(parts["calls"]),
        doors_of(parts["doors"]),
    )
    repeated = outcomes_of(read_shards(options.repeated)["schedules"])
    repaired = REPAIRED.read_text(encoding="utf-8")
    options.page.write_text(page(outcomes, calls, doors, repeated, repaired), encoding="utf-8")
    kept = keep_inputs(parts["doors"], options.corpus)
    bad = [outcome.schedule.seed for outcome in outcomes if outcome.problems]
    print(told(len(outcomes), bad, calls, doors, kept))
    return int(bool(bad or calls.found or doors.faults))


def told(schedules: int, bad: list[int], calls: Calls, doors: Doors, kept: int) -> str:
    """One line for each kind of part, and one for each thing that was found."""
    lines = [
        f"{schedules:,} schedules, {len(bad)} with problems{': ' if bad else ''}{', '.join(map(str, bad))}",
        f"{calls.calls:,} calls of {calls.tools:,} tools, {len(calls.found)} findings",
        f"{doors.inputs:,} inputs through {len(doors.rows)} doors, {len(doors.faults)} faults, {kept} inputs kept",
    ]
    return "\n".join([*lines, *calls.found, *doors.faults])


def keep_inputs(parts: list[Shard], corpus: Path) -> int:
    """Puts every input that broke a door where the tests replay it; how many there were."""
    count = 0
    for door in (door for part in parts for door in part["doors"]):
        for fault in door["faults"]:
            folder = corpus / door["slug"]
            folder.mkdir(parents=True, exist_ok=True)
            (folder / fault["file"]).write_bytes(base64.b64decode(fault["input"]))
            count += 1
    return count


if __name__ == "__main__":
    sys.exit(main())
