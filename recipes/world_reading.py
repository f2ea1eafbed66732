"""The reading of tools: calls that are fixed before anybody sees an answer, sheets of answers, and counts of labels.

    python recipes/world_reading.py draw --seed 22 --count 100 > tools.txt
    python recipes/world_reading.py documents tools.txt > documents.md      # for whoever writes the calls
    python recipes/world_reading.py answers calls.jsonl > sheet.md          # for the readers, who did not build the tools
    python recipes/world_reading.py counts LABELS.jsonl [LABELS.jsonl]
    python recipes/world_reading.py table                                   # all readings, as docs/world.md has them
    python recipes/world_reading.py later                                   # do fine tools stay fine in later readings?

A line of `calls.jsonl` is {"tool": id, "calls": [three sensible arguments, one wrong]}, written from the documents alone.
Every tool is answered in a fresh world. A line of labels is {"tool": id, "label": "fine", "gravity": "", "reason": ""};
of two files of labels the agreement is told as well.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from toolyard.stats.agreement import share as share_of
from toolyard.world.executor import call
from toolyard.world.registry import any_tool, library
from toolyard.world.state import World

LABELS = ("fine", "implausible", "wrong")
CALLS = 4
FOLDER = Path(__file__).resolve().parent / "labels"
# The two readings of all tools, and the hundreds drawn after them.
CENSUSES = ("world_tools_all_22", "world_tools_all_23")
LATER = ("world_tools_seed24", "world_tools_seed25", "world_tools_seed26")
# File of labels, and how it was read.
READINGS = (
    ("world_tools_seed14", "one reader, own calls"),
    ("world_tools_seed15", "one reader, own calls"),
    ("world_tools_seed16", "one stricter reader, further calls where all looked well"),
    ("world_tools_seed17", "one reader, own calls"),
    ("world_tools_seed18", "one reader, own calls"),
    ("world_tools_seed19", "two strict readers, as many calls as they liked"),
    ("world_tools_seed20", "two strict readers, as many calls as they liked"),
    ("world_tools_seed21", "four strict readers, as many calls as they liked"),
    ("world_tools_all_22", "eight readers, four calls fixed before"),
    ("world_tools_all_23", "eight others, four other calls fixed before"),
    ("world_tools_seed24", "four others, four other calls fixed before"),
    ("world_tools_seed25", "four others, four other calls fixed before"),
    ("world_tools_seed26", "four others, four other calls fixed before"),
    ("world_tools_seed26_second", "the same answers, read again by four others"),
)
Labels = Mapping[str, Mapping[str, Any]]


def rows(path: Path) -> list[Any]:
    """The objects of a JSONL file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def drawn(seed: int, count: int) -> list[str]:
    """Tools drawn at random, in the order of the library."""
    return sorted(random.Random(seed).sample(sorted(library()), count))


def document(tool_id: str) -> str:
    """A tool as a model is shown it."""
    return f"## {tool_id}\n```json\n{json.dumps(any_tool(tool_id).to_json(), ensure_ascii=False)}\n```\n"


def answered(row: Mapping[str, Any]) -> Iterator[str]:
    """The document of a tool and its calls with their answers."""
    if len(row["calls"]) != CALLS:
        raise SystemExit(
            f"{row['tool']}: {len(row['calls'])} calls, wanted three sensible ones and a wrong one"
        )
    yield document(row["tool"])
    world = World.fresh(0)
    for place, arguments in enumerate(row["calls"], 1):
        result = call(world, row["tool"], arguments)
        kind = "wrong on purpose" if place == CALLS else "sensible"
        yield f"### {place} ({kind})\n`{json.dumps(arguments, ensure_ascii=False)}`\n\n{result.text}\n"


def by_tool(path: Path) -> Labels:
    """Labels of a file by tool."""
    found = {row["tool"]: row for row in rows(path)}
    odd = {row["label"] for row in found.values()} - set(LABELS)
    if odd:
        raise SystemExit(f"{path}: unknown labels {sorted(odd)}, wanted {', '.join(LABELS)}")
    return found


def share(hits: int, total: int) -> str:
    """A share in percent with its interval."""
    found = share_of(hits, total)
    if found.value is None or found.low is None or found.high is None:
        return "none"
    return f"{100 * found.value:.1f} % [{100 * found.low:.1f}, {100 * found.high:.1f}]"


def grave_of(labels: Labels) -> int:
    """How many would mislead somebody."""
    return sum(row.get("gravity") == "grave" for row in labels.values() if row["label"] != "fine")


def summary(labels: Labels) -> str:
    """Counts in one line, with the share at fault."""
    counts = Counter(row["label"] for row in labels.values())
    grave = grave_of(labels)
    faulty = len(labels) - counts["fine"]
    told = ", ".join(f"{counts[label]} {label}" for label in LABELS)
    return f"{len(labels)} tools: {told}; at fault {share(faulty, len(labels))}, gravely {share(grave, len(labels))}"


def agreement(first: Labels, second: Labels) -> str:
    """How far two readers agree on what is at fault."""
    both = sorted(first.keys() & second.keys())
    faulty = [[tool for tool in both if labels[tool]["label"] != "fine"] for labels in (first, second)]
    either, each = set(faulty[0]) | set(faulty[1]), set(faulty[0]) & set(faulty[1])
    same = len(both) - len(either) + len(each)
    told = f"at fault to both {len(each)}, to either {len(either)}"
    return f"both read {len(both)}: agreed on {share(same, len(both))}; {told}"


def counted(paths: list[Path]) -> Iterator[str]:
    """What the files of labels say."""
    read = [by_tool(path) for path in paths]
    for path, labels in zip(paths, read, strict=True):
        yield f"{path.name}: {summary(labels)}"
    if len(read) == 2:
        yield agreement(*read)


def table() -> list[str]:
    """All readings in the order in which they came; each was repaired before the next."""
    lines = [
        "| labels | tools | read by | fine | implausible | wrong | at fault | seriously |",
        "|---|---:|---|---:|---:|---:|---:|---:|",
    ]
    for name, how in READINGS:
        labels = by_tool(FOLDER / f"{name}.jsonl")
        counts = Counter(row["label"] for row in labels.values())
        graded = any(row.get("gravity") for row in labels.values())
        faulty = share(len(labels) - counts["fine"], len(labels))
        told = " | ".join(str(counts[label]) for label in LABELS)
        grave = share(grave_of(labels), len(labels)) if graded else "–"
        lines.append(f"| `{name}` | {len(labels)} | {how} | {told} | {faulty} | {grave} |")
    return lines


def later() -> str:
    """How often tools that both censuses called fine, and the others, were at fault when they were drawn later."""
    censuses = [by_tool(FOLDER / f"{name}.jsonl") for name in CENSUSES]
    counts: Counter[tuple[bool, bool]] = Counter()
    for labels in (by_tool(FOLDER / f"{name}.jsonl") for name in LATER):
        for tool, row in labels.items():
            fine = all(census[tool]["label"] == "fine" for census in censuses)
            counts[fine, row["label"] != "fine"] += 1
    clean, others = (
        share(counts[fine, True], counts[fine, True] + counts[fine, False]) for fine in (True, False)
    )
    return f"Tools that both censuses called fine were at fault in {clean} of later readings, the others in {others}."


def main() -> None:
    """Draw, show, answer or count."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parts = parser.add_subparsers(dest="part", required=True)
    draw = parts.add_parser("draw")
    draw.add_argument("--seed", type=int, required=True)
    draw.add_argument("--count", type=int, default=100)
    parts.add_parser("table")
    parts.add_parser("later")
    for name in ("documents", "answers", "counts"):
        parts.add_parser(name).add_argument("paths", type=Path, nargs="+" if name == "counts" else 1)
    asked = parser.parse_args()
    if asked.part == "draw":
        lines: Iterator[str] = iter(drawn(asked.seed, asked.count))
    elif asked.part == "table":
        lines = iter(table())
    elif asked.part == "later":
        lines = iter([later()])
    elif asked.part == "documents":
        lines = map(document, asked.paths[0].read_text("utf-8").split())
    elif asked.part == "answers":
        lines = (text for row in rows(asked.paths[0]) for text in answered(row))
    else:
        lines = counted(asked.paths)
    for line in lines:
        sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main()
