"""Tokens per second and share of the chip's peak of a training, for settings beside one another.

    python bench/train_speed.py rows.jsonl.xz --base smollm2
    python bench/train_speed.py rows.jsonl.xz --base smollm2 --method full --batch-tokens 16384,65536 --compile no,yes
    python bench/train_speed.py rows.jsonl.xz --base smollm2 --method lora --packing no --append

Every line is `toolyard train --dry-run` with its settings: one step to warm up, then a few timed ones, which leave
nothing behind. The table is written anew after every line (`--append` keeps the lines it had); a line that fails says why.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from toolyard.core.errors import ToolyardError
from toolyard.train import command
from toolyard.train.row_tokens import Encoded
from toolyard.train.settings import TrainSettings
from toolyard.train.step_plan import pack_rows, plan_steps

RESULTS = Path(__file__).resolve().parent / "results" / "train_speed.md"
COLUMNS = (
    "method",
    "batch tokens",
    "micro tokens",
    "packed",
    "compiled",
    "attention",
    "tokens per second",
    "share of peak",
)


def line(
    arguments: argparse.Namespace, method: str, batch: int, micro: int, packed: str, *, compiled: bool
) -> dict[str, Any]:
    """The facts of one setting."""
    with tempfile.TemporaryDirectory() as out:
        settings = TrainSettings(
            data=arguments.data, base=arguments.base, out=Path(out), method=method, batch_tokens=batch,
            micro_tokens=micro, packing=packed, compile=compiled, limit=arguments.limit, dry_run=True,
        )  # fmt: skip
        try:
            return command.train(settings, _silent, _silent).facts
        except (ToolyardError, RuntimeError) as error:
            return {"failed": f"{type(error).__name__}: {' '.join(str(error).split())[:120]}"}


def packing_speed(rows: int = 2000, tokens: int = 16384) -> float:
    """Tokens per second that one core lays side by side, of made rows like those of tool prompts."""
    rng = np.random.default_rng(0)
    made = []
    for number in range(rows):
        length = int(rng.integers(200, 1400))
        made.append(Encoded(str(number), "", np.zeros(length, np.int32), np.arange(length) >= length - 60))
    plan = plan_steps([len(row) for row in made], seed=0, epochs=1, batch_tokens=tokens)
    started = time.process_time()
    packed = sum(
        pack.real_tokens
        for step in plan
        for pack in pack_rows([made[place] for place in step], micro_tokens=2 * tokens, packing=True)
    )
    return packed / (time.process_time() - started)


def _silent(_: object) -> None:
    """Nothing is shown while it is measured."""


def shown(facts: dict[str, Any]) -> str:
    """Speed and share, or why there are none."""
    if "failed" in facts:
        return f"– | {facts['failed'].replace('|', '/')} | –"
    share = facts["share_of_peak"]
    return f"{facts['attention']} | {facts['tokens_per_second']:,} | " + (
        "–" if share is None else f"{100 * share:.1f} %"
    )


def main() -> None:
    """Measures every combination and keeps the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--base", default="smollm2")
    parser.add_argument("--method", default="lora,full")
    parser.add_argument("--batch-tokens", default="16384,65536")
    parser.add_argument("--micro-tokens", default="32768")
    parser.add_argument("--packing", default="yes")
    parser.add_argument("--compile", default="no")
    parser.add_argument("--limit", type=int, default=2000, help="rows")
    parser.add_argument("--steps", type=int, default=10, help="timed steps")
    parser.add_argument("--append", action="store_true", help="keep the lines that the table has")
    parser.add_argument("--out", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    command.TIMED_STEPS = arguments.steps
    lines = [f"| {' | '.join(COLUMNS)} |", "|---" * len(COLUMNS) + "|"]
    if arguments.append and arguments.out.exists():
        lines = [each for each in arguments.out.read_text().splitlines() if each.startswith("|")]
    words = (
        arguments.method, arguments.batch_tokens, arguments.micro_tokens, arguments.packing, arguments.compile,
    )  # fmt: skip
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    packing = packing_speed()
    for method, batch, micro, packed, compiled in product(*(word.split(",") for word in words)):
        facts = line(arguments, method, int(batch), int(micro), packed, compiled=compiled == "yes")
        lines.append(f"| {method} | {batch} | {micro} | {packed} | {compiled} | {shown(facts)} |")
        print(lines[-1], flush=True)
        where = f"{facts.get('base', arguments.base)} on {facts.get('device', 'this machine')}"
        head = [f"# {where}; packing alone: {packing / 1e6:.0f} million tokens per second on one core", ""]
        arguments.out.write_text("\n".join([*head, *lines]) + "\n")


if __name__ == "__main__":
    main()
