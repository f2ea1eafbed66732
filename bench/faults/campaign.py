"""Plays fault schedules and checks what must hold after each; `join.py` makes docs/reliability.md of what it writes.

python bench/faults/campaign.py --seed 0 --schedules 250 --out parts/schedules-0.json
python bench/faults/campaign.py --only 417 --keep
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "src")]

from shards import from_outcome, write_shard  # noqa: E402 - found through the lines above

from faults.playing import Clean, Outcome, clean_run, play  # noqa: E402
from faults.processes import ForkServer, Loop  # noqa: E402
from faults.schedules import CASES, Schedule, draw_schedule  # noqa: E402
from faults.small_data import write_small_data  # noqa: E402


def main() -> int:
    """Plays what was asked for; 1 where something does not hold."""
    options = arguments()
    seeds = options.only or range(options.seed, options.seed + options.schedules)
    folder = Path(tempfile.mkdtemp(prefix="toolyard-faults-"))
    started = time.monotonic()
    outcomes: list[Outcome] = []
    for outcome in watched(played([draw_schedule(seed) for seed in seeds], folder, options.workers)):
        outcomes.append(outcome)
        if len(outcomes) % 10 == 0:
            write(outcomes, options.out)
    write(outcomes, options.out)
    bad = [outcome for outcome in outcomes if outcome.problems]
    minutes = (time.monotonic() - started) / 60
    print(f"{len(outcomes)} schedules in {minutes:.1f} min, {len(bad)} with problems; files: {folder}")
    if not bad and not options.keep:
        shutil.rmtree(folder)
    return 1 if bad else 0


def write(outcomes: list[Outcome], path: Path | None) -> None:
    """Writes what was played so far as a part."""
    outcomes.sort(key=lambda outcome: outcome.schedule.seed)
    write_shard(path, "schedules", {"outcomes": [from_outcome(outcome) for outcome in outcomes]})


def arguments() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--schedules", type=int, default=50, help="How many.")
    parser.add_argument("--seed", type=int, default=0, help="Number of the first.")
    parser.add_argument("--only", type=int, nargs="+", help="Only the schedules of these numbers.")
    parser.add_argument(
        "--workers", type=int, default=4, help="Schedules at once; most of their time they wait."
    )
    parser.add_argument("--out", type=Path, help="Write the outcomes there, as a part for join.py.")
    parser.add_argument("--keep", action="store_true", help="Keep the files.")
    return parser.parse_args()


def played(schedules: list[Schedule], folder: Path, workers: int) -> Iterator[Outcome]:
    """The outcome of each schedule, as they come."""
    write_small_data(folder / "data")
    server, loop = ForkServer(), Loop()
    try:
        wanted = {schedule.case.name for schedule in schedules}
        clean: dict[str, Clean] = {
            case.name: clean_run(
                case, folder / "data" / case.data, folder / f"clean {case.name}", server, loop
            )
            for case in CASES
            if case.name in wanted
        }
        with ThreadPoolExecutor(workers) as pool:
            tasks = [
                pool.submit(play, item, folder / str(item.seed), clean[item.case.name], server, loop)
                for item in schedules
            ]
            for task in as_completed(tasks):
                yield task.result()
    finally:
        server.close()
        loop.close()


def watched(outcomes: Iterator[Outcome]) -> Iterator[Outcome]:
    """The same outcomes, failing ones printed with the number to play them again."""
    for count, outcome in enumerate(outcomes, 1):
        if outcome.problems:
            print(f"FAILED {outcome.schedule} (again: --only {outcome.schedule.seed})")
            for problem in outcome.problems:
                print(f"    {problem}")
        if count % 25 == 0:
            print(f"{count} played", flush=True)
        yield outcome


if __name__ == "__main__":
    sys.exit(main())
