"""Parts of a long run as files, so that many processes or machines can share it and one page tells of all."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from faults.playing import Outcome, Problem
from faults.schedules import draw_schedule

KINDS = ("schedules", "calls", "doors")
Shard = Mapping[str, Any]


def write_shard(path: Path | None, kind: str, content: Mapping[str, Any]) -> None:
    """Writes one part; without a path there is nothing to do."""
    if path is not None:
        text = json.dumps({"kind": kind, **content}, indent=1, ensure_ascii=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        whole = path.with_name(f"{path.name}.part")
        whole.write_text(text + "\n", encoding="utf-8")
        whole.replace(path)


def read_shards(paths: Iterable[Path]) -> dict[str, list[Shard]]:
    """The parts by kind; ends the program where a file is none."""
    found: dict[str, list[Shard]] = {kind: [] for kind in KINDS}
    for path in sorted(paths):
        content = json.loads(path.read_text(encoding="utf-8"))
        if content.get("kind") not in KINDS:
            sys.exit(f"{path}: kind {content.get('kind')!r} is none of {', '.join(KINDS)}; see --out")
        found[content["kind"]].append(content)
    return found


def from_outcome(outcome: Outcome) -> dict[str, Any]:
    """An outcome as JSON; its schedule follows from its number."""
    return {
        "seed": outcome.schedule.seed,
        "codes": outcome.codes,
        "injected": dict(outcome.injected),
        "unscored": outcome.unscored,
        "seconds": round(outcome.seconds, 2),
        "problems": [asdict(problem) for problem in outcome.problems],
    }


def to_outcome(row: Mapping[str, Any]) -> Outcome:
    """The outcome of such a row."""
    return Outcome(
        draw_schedule(row["seed"]),
        [Problem(**problem) for problem in row["problems"]],
        [(blow, code) for blow, code in row["codes"]],
        Counter(row["injected"]),
        row["unscored"],
        row["seconds"],
    )


def outcomes_of(shards: Iterable[Shard]) -> list[Outcome]:
    """All outcomes by number; ends the program where one was played twice."""
    rows = sorted((row for shard in shards for row in shard["outcomes"]), key=lambda row: int(row["seed"]))
    twice = [number for number, times in Counter(row["seed"] for row in rows).items() if times > 1]
    if twice:
        sys.exit(f"schedules in more than one part: {', '.join(map(str, twice[:10]))}; give each once")
    return [to_outcome(row) for row in rows]
