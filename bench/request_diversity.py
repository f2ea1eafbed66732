"""How varied the requests of MTU-Bench and ToolBeHonest sets are: starter sets beside official ones and fresh ones.

    python bench/request_diversity.py NAME=BENCH:PATH [NAME=BENCH:PATH ...] [--closest]      # PATH may be `starter`

A request is all that the user says in a dialogue, or the task of a pair. 6-grams shared and near neighbours are those of
`nestools_diversity.py`; some seconds. With `--closest` also the highest MiniLM similarity of two requests of one group
(setting or subtask), which takes minutes on long dialogues.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path

from nestools_diversity import near_neighbours, shared_grams, words

from toolyard.benchmarks import load_benchmark
from toolyard.core.types import Options, Sample
from toolyard.models.embed.embedding import load_embedder

RESULT = Path(__file__).parent / "results" / "request_diversity.md"
GROUP = {"mtu": "setting", "toolbehonest": "subtask"}


def requests(benchmark: str, path: str) -> dict[str, list[str]]:
    """The requests of a set, by group; the twin of a pair says the same and is left out."""
    record = load_benchmark(benchmark)
    folder = record.data.starter if path == "starter" else Path(path)
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for sample in record.data.load(folder, Options(record.task.styles[0])):
        found[sample.groups[GROUP[benchmark]]][sample.cluster] = _said(sample)
    return {group: [*dict.fromkeys(texts.values())] for group, texts in found.items()}


def _said(sample: Sample) -> str:
    if "task" in sample.input:
        return str(sample.input["task"])
    turns = sample.input["history"]
    return " ".join([*(str(turn["user"]) for turn in turns), str(sample.input["user"])])


def closest_pair(groups: dict[str, list[str]]) -> float:
    """The highest similarity of two requests of one group."""
    embed = load_embedder("minilm")
    closest = 0.0
    for texts in groups.values():
        vectors = embed(texts)
        alike = vectors @ vectors.T
        for place in range(len(texts)):
            alike[place, place] = 0.0
        closest = max(closest, float(alike.max()))
    return closest


def figures(benchmark: str, path: str, closest: bool) -> dict[str, str]:
    """One column of the table."""
    groups = requests(benchmark, path)
    every = [text for texts in groups.values() for text in texts]
    found = {
        "requests": str(len(every)),
        "words per request": f"{sum(len(words(text)) for text in every) / len(every):.1f}",
        "6-grams shared": f"{shared_grams(every):.3f}",
        "near neighbours": f"{near_neighbours(every):.3f}",
    }
    return {**found, "closest pair": f"{closest_pair(groups):.2f}"} if closest else found


def main() -> int:
    """Prints the table and keeps it."""
    closest = "--closest" in sys.argv[1:]
    named = [each.partition("=") for each in sys.argv[1:] if each != "--closest"]
    if not named or not all(":" in where for _, _, where in named):
        print("give NAME=BENCH:PATH, e.g. ours=mtu:starter", file=sys.stderr)
        return 1
    columns = {name: figures(*where.split(":", 1), closest) for name, _, where in named}
    rows = [("figure", *columns), ("---", *("---:" for _ in columns))]
    rows += [(key, *(column[key] for column in columns.values())) for key in next(iter(columns.values()))]
    text = "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n"
    print(text, end="")
    RESULT.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
