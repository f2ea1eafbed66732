"""How varied a NesTools data set is, and how far words alone lead: any folders side by side.

    python bench/nestools_diversity.py FOLDER [FOLDER ...]

6-grams shared    share of a query's runs of six words that stand in another query as well, over all queries
near neighbours   queries whose closest other query is more than 0.6 alike (Jaccard, sets of words)
unsaid values     plain gold values that the query does not spell out
word overlap      records whose gold tools are exactly the offered tools that share most words with the query,
                  given how many are wanted; needs the offered tools (`distractors.jsonl`)
"""

from __future__ import annotations

import math
import re
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from toolyard.benchmarks.nestools.data.audit import is_spelled_out
from toolyard.benchmarks.nestools.data.rows import has_distractors, load, nested_calls, offered_tools
from toolyard.core.nesting import depth, edges, is_label
from toolyard.core.types import Options, Sample
from toolyard.text.json_values import leaves

RESULT = Path(__file__).parent / "results" / "nestools_diversity.md"
GRAM = 6
NEAR = 0.6
_WORD = re.compile(r"[a-z0-9]+")


def words(text: str) -> list[str]:
    """Lower-case words."""
    return _WORD.findall(text.lower())


def shared_grams(queries: Sequence[str]) -> float:
    """The share of six-word runs that another query has as well."""
    runs = [{tuple(said[n : n + GRAM]) for n in range(len(said) - GRAM + 1)} for said in map(words, queries)]
    having = Counter(run for own in runs for run in own)
    total = sum(map(len, runs))
    return sum(having[run] > 1 for own in runs for run in own) / total if total else 0.0


def near_neighbours(queries: Sequence[str]) -> float:
    """The share of queries with another one closer than NEAR."""
    sets = [set(words(query)) for query in queries]
    close = [
        any(one is not other and len(one & other) > NEAR * len(one | other) for other in sets) for one in sets
    ]
    return sum(close) / len(close)


def solved_by_words(samples: Sequence[Sample]) -> float | None:
    """The share of records whose tools the query's words find."""
    known = [sample for sample in samples if has_distractors(sample)]
    if not known:
        return None
    said = {tool["api_name"]: set(tool_words(tool)) for sample in known for tool in offered_tools(sample)}
    having = Counter(word for own in said.values() for word in own)
    rarity = {word: math.log(len(said) / count) for word, count in having.items()}
    return sum(_solved(sample, said, rarity) for sample in known) / len(known)


def _solved(sample: Sample, said: dict[str, set[str]], rarity: dict[str, float]) -> bool:
    query = set(words(sample.input["query"]))
    gold = {tool["api_name"] for tool in sample.input["tools"]}
    offered = sorted(tool["api_name"] for tool in offered_tools(sample))
    score = {name: sum(rarity[word] for word in query & said[name]) for name in offered}
    best = sorted(offered, key=lambda name: -score[name])[: len(gold)]
    return set(best) == gold


def tool_words(tool: Any) -> list[str]:
    """The words of a tool's name and description."""
    return words(f"{tool['api_name'].replace('_', ' ')} {tool['api_description']}")


def figures(folder: Path) -> dict[str, float | int | None]:
    """One column of the table."""
    samples = load(folder, Options())
    queries = [sample.input["query"] for sample in samples]
    calls = [sample.gold["calls"] for sample in samples]
    plain = [
        leaf for row in calls for call in row for leaf in leaves(call["parameters"])
        if not is_label(leaf) and not isinstance(leaf, bool)
    ]  # fmt: skip
    lost = sum(
        not is_label(leaf) and not is_spelled_out(leaf, query.lower())
        for row, query in zip(calls, queries, strict=True)
        for call in row
        for leaf in leaves(call["parameters"])
    )
    shapes = {(len(row), edges(nested_calls(row))) for row in calls}
    lengths = [len(query) for query in queries]
    mean = sum(lengths) / len(lengths)
    return {
        "records": len(samples),
        "domains": len({sample.groups["domain"] for sample in samples}),
        "structures": len(shapes),
        "depth 3 and more": sum(depth(len(row), edges(nested_calls(row))) > 2 for row in calls) / len(calls),
        "calls per record": sum(map(len, calls)) / len(calls),
        "parameters per call": sum(len(c["parameters"]) for row in calls for c in row) / sum(map(len, calls)),
        "different gold tools": len({tool["api_name"] for s in samples for tool in s.input["tools"]}),
        "unsaid values": lost / len(plain),
        "query length, mean": mean,
        "query length, deviation": math.sqrt(sum((n - mean) ** 2 for n in lengths) / len(lengths)),
        "6-grams shared": shared_grams(queries),
        "near neighbours": near_neighbours(queries),
        "word overlap": solved_by_words(samples),
    }


def main() -> int:
    folders = [Path(name) for name in sys.argv[1:]]
    if not folders:
        print("name one folder or more that holds test_data.jsonl", file=sys.stderr)
        return 1
    columns = [figures(folder) for folder in folders]
    rows = [("figure", *(folder.name for folder in folders)), ("---", *("---:" for _ in folders))]
    rows += [(name, *(_shown(column[name]) for column in columns)) for name in columns[0]]
    lines = [f"| {' | '.join(row)} |" for row in rows]
    print("\n".join(lines))
    RESULT.write_text("\n".join(lines) + "\n", "utf-8")
    return 0


def _shown(cell: float | None) -> str:
    if cell is None:
        return "-"
    return str(cell) if isinstance(cell, int) else f"{cell:.3f}" if cell < 100 else f"{cell:.0f}"


if __name__ == "__main__":
    raise SystemExit(main())
