"""The gold answers of our own ToolEyes questions, as they were when somebody last read them against their questions.

    python recipes/tooleyes_gold.py            # questions whose gold reads otherwise today: read these
    python recipes/tooleyes_gold.py --write    # keeps today's answers, once they were read

Gold points into what tools return, so that it follows the world; that it still answers the question, only a reader can
say. A test holds today's answers against the kept ones (`recipes/labels/tooleyes_gold.json`).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from toolyard.benchmarks.tooleyes import BENCHMARK
from toolyard.benchmarks.tooleyes.baselines import oracle
from toolyard.benchmarks.tooleyes.parse import parse
from toolyard.core.benchmark import RunSetup
from toolyard.core.types import Options
from toolyard.run.data import load_samples
from toolyard.run.offline import play_offline

KEPT = Path(__file__).resolve().parent / "labels" / "tooleyes_gold.json"
OPTIONS = Options("zero-shot")


def answers() -> dict[str, str]:
    """Today's gold answer of every question, its places filled."""
    samples = load_samples(BENCHMARK, "starter", OPTIONS)
    played = play_offline(RunSetup.default(BENCHMARK, OPTIONS), samples, oracle)
    by_id = {sample.id: sample for sample in samples}
    return {item.sample: parse(by_id[item.sample], item, "paper").answer for item in played}


def kept() -> dict[str, str]:
    """The answers that were read."""
    content: dict[str, str] = json.loads(KEPT.read_text("utf-8"))
    return content


def differences(read: dict[str, str], today: dict[str, str]) -> list[str]:
    """Question, former and present answer, of every one that differs."""
    names = sorted(name for name in {*read, *today} if read.get(name) != today.get(name))
    return [f"{name}\n  read:  {read.get(name)}\n  today: {today.get(name)}" for name in names]


def main() -> int:
    today = answers()
    if "--write" in sys.argv[1:]:
        KEPT.write_text(json.dumps(today, ensure_ascii=False, indent=0, sort_keys=True) + "\n", "utf-8")
        return 0
    changed = differences(kept(), today)
    print("\n".join([*changed, f"{len(changed)} of {len(today)} gold answers are to be read"]))
    return 1 if changed else 0


if __name__ == "__main__":
    raise SystemExit(main())
