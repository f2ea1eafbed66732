"""The episodes that are started while there is time, and what is kept of how far a run has come."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from toolyard.run.plan.minutes import REACHED, Reached, reached_in, seeded_order
from toolyard.run.play.episodes import Unit
from toolyard.run.run import Run


def units_in_time(
    run: Run, units: Sequence[Unit], now: Callable[[], float] = time.monotonic
) -> Iterator[Unit]:
    """The episodes to play: all of them, or with `--minutes` those of items that are started in time.

    Every start is written down before it is made, so that a run that was killed finishes it first.
    """
    minutes = run.settings.minutes
    if minutes is None:
        yield from units
        return
    end = now() + 60 * minutes
    manifest = run.store.manifest() or {}
    order = seeded_order(run.benchmark, run.samples, run.config.seed)
    places = {cluster: place for place, cluster in enumerate(order, 1)}
    before = reached_in(manifest) or Reached(0, len(order), 0.0)
    reached = replace(before, minutes=before.minutes + minutes)
    for unit in sorted(units, key=lambda unit: places[unit.samples[0].cluster]):
        place = places[unit.samples[0].cluster]
        if place > reached.items:
            if now() >= end:
                return
            reached = replace(reached, items=place)
            run.store.write_manifest({**manifest, REACHED: reached.to_json()})
        yield unit
    run.store.write_manifest({**manifest, REACHED: replace(reached, items=len(order)).to_json()})


def kept_reach(run: Run) -> dict[str, object]:
    """What the manifest on disk says of the items that were started, to be kept in the next one."""
    return {REACHED: kept} if (kept := (run.store.manifest() or {}).get(REACHED)) else {}
