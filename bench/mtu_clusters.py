"""Tool clusters against the labels of SGD-X: how text and threshold were chosen, and what they reach elsewhere.

python bench/mtu_clusters.py [--corpus ../shared/data/corpora/sgd] [--splits 20]

Text and threshold are chosen on one half of the services and measured on the other; seed 0 gives the values that
the package uses, the other seeds say how much that depends on the halves. Not chosen on a half, but written with
all of SGD in sight: the table of verbs, the rule that tools of one service stay apart, and
the rule that of nearly equal thresholds the lowest is taken.
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from mtu_cluster_labels import (
    READINGS,
    TEXTS,
    UNITS,
    Agreement,
    Labelled,
    agreement,
    choose,
    halves,
    labelled_tools,
    scan,
)

from toolyard.benchmarks.mtu.synth.instruct.tool_library import cluster_tools, reduction_table
from toolyard.core.benchmark import Embed, Table
from toolyard.models.embed.embedding import load_embedder

HERE = Path(__file__).resolve().parent
CORPUS = HERE.parents[1] / "shared" / "data" / "corpora" / "sgd"


def show(table: Table) -> None:
    """Prints a table as Markdown."""
    print(f"\n### {table.title}\n\n| {' | '.join(table.columns)} |\n|{'---|' * len(table.columns)}")
    for row in table.rows:
        cells = (
            "–" if cell is None else f"{cell:.3f}" if isinstance(cell, float) else str(cell) for cell in row
        )
        print(f"| {' | '.join(cells)} |")


def search_table(selection: Sequence[Labelled], embed: Embed) -> Table:
    """Every text at every third threshold of the search, on the half that was chosen on."""
    tried = [each for text in TEXTS for each in scan(selection, embed, text)[::3]]
    rows = tuple(
        (
            each.text,
            f"{each.threshold:.2f}",
            each.agreement.clusters,
            each.agreement.homogeneity,
            each.agreement.adjusted_rand_index,
        )
        for each in tried
        if each.threshold <= 0.6
    )
    columns = ("text", "threshold", "clusters", "homogeneity", "ARI")
    return Table("Search on the selection half (services, seed 0)", columns, rows)


def held_out(
    labelled: Sequence[Labelled], embed: Embed, seed: int, unit: str, texts: Sequence[str]
) -> tuple[str, float, dict[str, Agreement]]:
    """What the choice of one half reaches on the other, in every reading."""
    parts = halves(labelled, seed, unit)
    chosen = choose(parts.selection, embed, texts)
    tools = [each.tool for each in parts.held_out]
    clusters = cluster_tools(tools, embed, chosen.threshold, TEXTS[chosen.text])
    reached = {reading: agreement(clusters, parts.held_out, reading) for reading in READINGS}
    return chosen.text, chosen.threshold, reached


def split_rows(
    labelled: Sequence[Labelled], embed: Embed, splits: int, unit: str, texts: Sequence[str], label: str
) -> list[tuple[Any, ...]]:
    """Seed 0, mean, worst and number of failures over the splits, one row per reading."""
    results = [held_out(labelled, embed, seed, unit, texts) for seed in range(splits)]
    thresholds = Counter(f"{threshold:.2f}" for _, threshold, _ in results)
    rows: list[tuple[Any, ...]] = []
    for reading in READINGS:
        pure = [reached[reading].homogeneity for _, _, reached in results]
        rand = [reached[reading].adjusted_rand_index for _, _, reached in results]
        failed = sum(h < 0.9 or r < 0.65 for h, r in zip(pure, rand, strict=True))
        usual = ", ".join(f"{name} ({count})" for name, count in thresholds.most_common(3))
        rows.append(
            (
                *(label, unit, reading, pure[0], rand[0], statistics.mean(pure), min(pure)),
                *(statistics.mean(rand), min(rand), f"{failed}/{splits}", usual),
            )
        )
    return rows


def without_hints(labelled: Sequence[Labelled]) -> list[Labelled]:
    """The same tools, with the class of the verb read off their words alone."""
    return [replace(each, tool=replace(each.tool, verb=None)) for each in labelled]


def main() -> None:
    """Prints the tables and writes results/mtu_clusters.json."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--corpus", type=Path, default=CORPUS)
    parser.add_argument("--splits", type=int, default=20)
    options = parser.parse_args()
    embed = load_embedder("minilm")
    labelled = labelled_tools(options.corpus)
    ways = {
        **{text: (labelled, (text,)) for text in TEXTS},
        "chosen text": (labelled, tuple(TEXTS)),
        "chosen text, no verb hints": (without_hints(labelled), tuple(TEXTS)),
    }
    rows = [
        row
        for label, (tools, texts) in ways.items()
        for unit in UNITS
        for row in split_rows(tools, embed, options.splits, unit, texts, label)
    ]
    columns = (
        *("text", "halves by", "labels", "homogeneity seed 0", "ARI seed 0", "homogeneity mean", "worst"),
        *("ARI mean", "worst", "below 0.9/0.65", "thresholds"),
    )
    tables = [
        search_table(halves(labelled, 0).selection, embed),
        Table(f"Held-out half, {options.splits} splits", columns, tuple(rows)),
        reduction_table(cluster_tools([each.tool for each in labelled], embed)),
        replace(
            reduction_table(cluster_tools([e.tool for e in labelled if e.tool.service == e.base], embed)),
            title="Names per cluster, SGD without paraphrases",
        ),
    ]
    for table in tables:
        show(table)
    target = HERE / "results" / "mtu_clusters.json"
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps([asdict(table) for table in tables], indent=1) + "\n")


if __name__ == "__main__":
    main()
