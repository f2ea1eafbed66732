"""Makes MTU-Instruct from the corpora and says how many dialogues, how long, how much memory and how large.

    python bench/synth_mtu.py SOURCES OUT [option=value ...]

Memory is the greatest resident set of this process and of any of its children.
"""

from __future__ import annotations

import resource
import sys
import time
from pathlib import Path

from toolyard.cli.output import print_tables
from toolyard.synth.command import synthesise
from toolyard.synth.pipeline import StageProgress
from toolyard.synth.settings import SynthSettings


def main(sources: Path, out: Path, options: dict[str, str]) -> None:
    """Prints the tables of the card, then the measurements."""
    started = time.perf_counter()
    stages: dict[str, float] = {}

    def note(state: StageProgress) -> None:
        stages.setdefault(state.stage, time.perf_counter() - started)

    base_settings = SynthSettings(
        benchmark="mtu", origin="corpora", sources=sources, out=out, options=options
    )
    made = synthesise(base_settings, note)
    seconds = time.perf_counter() - started
    print_tables(made.tables)
    for stage, since in stages.items():
        print(f"{since:8.1f} s  {stage} begins")
    own, children = (
        resource.getrusage(who).ru_maxrss / 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    cpu = sum(
        usage.ru_utime + usage.ru_stime
        for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )
    size = sum(file.stat().st_size for file in out.rglob("*") if file.is_file()) / 1e6
    print(f"{made.rows} dialogues in {seconds:.0f} s ({cpu:.0f} s of processor time)")
    print(f"peak memory: {own:.0f} MiB here, {children:.0f} MiB in the largest child; files {size:.0f} MB")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), dict(pair.split("=", 1) for pair in sys.argv[3:]))
