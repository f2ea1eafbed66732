"""Sentences embedded per second: in batches of like length, and one by one, with the same weights.

python bench/embedding.py            1,000 made-up sentences of 4 to 18 words, best of 3
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from toolyard.models.assets import EMBEDDER, require_asset
from toolyard.models.embed.minilm import MiniLM

HERE = Path(__file__).resolve().parent
WORDS = (
    *("find", "the", "cheapest", "flight", "from", "a", "city", "to", "another", "one", "and", "book"),
    *("hotel", "room", "weather", "tomorrow", "convert", "currency", "send", "message", "list", "files"),
    *("in", "folder", "translate", "text", "play", "song", "by", "artist", "near", "station"),
)


def sentences(count: int, seed: int = 0) -> list[str]:
    """Made-up sentences of 4 to 18 words."""
    rng = random.Random(seed)
    return [" ".join(rng.choices(WORDS, k=rng.randint(4, 18))) for _ in range(count)]


def best(rounds: int, work: Callable[[], object]) -> float:
    """The shortest time of some rounds."""
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times)


def main() -> None:
    """Prints a table and writes results/embedding.json."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sentences", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    texts = sentences(chosen.sentences)
    started = time.perf_counter()
    encoder = MiniLM(require_asset(EMBEDDER))
    load = time.perf_counter() - started
    batched = best(chosen.rounds, lambda: encoder.encode(texts))
    single = best(chosen.rounds, lambda: [encoder.encode([text]) for text in texts])
    alone = np.concatenate([encoder.encode([text]) for text in texts])
    difference = float(np.abs(encoder.encode(texts) - alone).max())
    print(f"{len(texts)} sentences, weights read and graph built in {load:.2f} s\n")
    print("| way | seconds | sentences/s |\n|---|---|---|")
    print(f"| batched by length | {batched:.2f} | {len(texts) / batched:.0f} |")
    print(f"| one by one | {single:.2f} | {len(texts) / single:.0f} |")
    print(f"\nlargest difference of a coordinate: {difference:.1e}")
    seconds = {"load": load, "batched": batched, "one_by_one": single}
    machine = {"python": platform.python_version(), "cores": os.cpu_count()}
    result = {**vars(chosen), "seconds": seconds, "largest_difference": difference, "machine": machine}
    target = HERE / "results" / "embedding.json"
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
