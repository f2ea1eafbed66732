"""GPT-4's released answers to MTU-Bench, scored again beside the rows of the paper.

    python recipes/mtu_gpt4.py [FOLDER]        # FOLDER holds benchmark/ and responses/; default ../shared/data/mtu

No model is asked; a few seconds. Two answers to S-M carry the id of another row; their content says which they
answer, and they are put right here before scoring. Every mismatch with the paper is explained below its line.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import orjson

from toolyard.benchmarks.mtu import BENCHMARK
from toolyard.benchmarks.mtu.papers.published import POOLED
from toolyard.benchmarks.mtu.scoring.metrics import FIGURES_OF
from toolyard.core.metrics import Row
from toolyard.core.types import Options, Sample
from toolyard.stats.bootstrap import estimate

DEFAULT = Path(__file__).resolve().parents[2] / "shared" / "data" / "mtu"
SHORT = {
    "tool_selection": "TS",
    "parameter_selection": "PS",
    "tool_number": "TN",
    "tool_order": "TO",
    "average_turn_success": "ATS",
    "soft_average_turn_success": "SATS",
    "success_rate": "SR",
    "task_process_rate": "TPR",
    "average": "Avg",
}
# 0-based line of the S-M file -> the label it carries, and the row that its content answers.
MISLABELLED = {22: ("S-M_23", "S-M_24"), 30: ("S-M_30", "S-M_31")}
NOT_LISTED = ("S-S_90", "S-S_92", "S-S_94", "S-S_98")


def relabelled(folder: Path, target: Path) -> Path:
    """The released answers with the two S-M labels put right, in a folder of their own."""
    for file in sorted((folder / "responses").glob("*_response.jsonl")):
        rows = [orjson.loads(line) for line in file.read_bytes().splitlines() if line.strip()]
        if file.name.startswith("S-M"):
            for line, (label, answered) in MISLABELLED.items():
                if rows[line]["id"] != label:
                    sys.exit(
                        f"{file} line {line + 1} is {rows[line]['id']}, wanted {label}: another release?"
                    )
                rows[line]["id"] = answered
        (target / file.name).write_bytes(b"\n".join(orjson.dumps(row) for row in rows))
    return target


@dataclass(frozen=True, slots=True)
class Answered:
    """One scored turn, and whether its answer holds an Action Input from which no call could be read."""

    sample: Sample
    row: Row
    input_unread: bool


def scored(samples: Sequence[Sample], predictions: Path) -> list[Answered]:
    """Every answered turn under the official profile."""
    by_id = {sample.id: sample for sample in samples}
    turns = []
    for transcript in BENCHMARK.scoring.read_predictions(predictions, tuple(samples)):
        sample = by_id[transcript.sample]
        if transcript.error is None:
            prediction = BENCHMARK.scoring.parse(sample, transcript, "official")
            score = BENCHMARK.scoring.score(sample, prediction, {}, "official")
            unread = "Action Input" in transcript.text and not prediction.calls
            turns.append(Answered(sample, Row(score, sample.cluster, sample.groups), unread))
    return turns


def figures(turns: Iterable[Answered], setting: str) -> dict[str, float]:
    """The setting's figures in percent."""
    names = (*FIGURES_OF[setting], "average")
    members = [turn.row for turn in turns if turn.sample.groups["setting"] == setting]
    found = estimate([BENCHMARK.scoring.metric(name) for name in names], members, resamples=10)
    return {name: 100 * (found[name].value or 0.0) for name in names}


def printed(group: str) -> dict[str, float]:
    """GPT-4's row of the paper for e.g. `S-S hard`, in percent."""
    tables = ("Table 2", "Table 3", "Table 11", "Table 12")
    row = next(
        row
        for row in BENCHMARK.published
        if (row.model, row.group) == ("GPT-4", group) and row.table in tables
    )
    return {name: 100 * (value or 0.0) for name, value in row.figures.items()}


def pooled(setting: str) -> dict[str, float]:
    """The paper's normal and hard rows together, weighted by turns or by dialogues."""
    rows = [row for row in BENCHMARK.published if row.table in POOLED.values()]
    row = next(row for row in rows if (row.model, row.group) == ("GPT-4", setting))
    return {name: 100 * (value or 0.0) for name, value in row.figures.items()}


def show(title: str, ours: Mapping[str, float], paper: Mapping[str, float], why: str) -> None:
    """One block of the table: our figures, the paper's, the differences, and the explanation."""
    names = list(ours)
    print(f"\n{title}")
    print("            " + "".join(f"{SHORT[name]:>9}" for name in names))
    print("  official  " + "".join(f"{ours[name]:9.2f}" for name in names))
    print("  paper     " + "".join(f"{paper[name]:9.2f}" for name in names))
    print("  difference" + "".join(f"{ours[name] - paper[name]:+9.2f}" for name in names))
    print(f"  {why}")


def unread_counted_wrong(turns: Sequence[Answered]) -> list[Answered]:
    """The turns, with an Action Input that could not be read counted as wrong instead of as no call."""
    return [replace(turn, row=_wrong(turn.row)) if turn.input_unread else turn for turn in turns]


def _wrong(row: Row) -> Row:
    values = {**row.score.values, "right": 0.0, "tool_selection": 0.0, "parameter_selection": 0.0}
    return replace(row, score=replace(row.score, values=values))


def by_level(turns: Sequence[Answered], level: str) -> list[Answered]:
    """The turns of one difficulty."""
    return [turn for turn in turns if turn.sample.groups.get("difficulty") == level]


def main(folder: Path) -> None:
    """Prints the reproduction table."""
    samples = BENCHMARK.data.load(folder, Options())
    with tempfile.TemporaryDirectory() as scratch:
        rows = scored(samples, relabelled(folder, Path(scratch)))
    hard, normal = by_level(rows, "hard"), by_level(rows, "normal")
    print("All rows, official profile:")
    for setting in ("S-S", "S-M", "M-S", "M-M"):
        values = figures(rows, setting)
        print(f"  {setting}  " + "  ".join(f"{SHORT[name]} {value:.4f}" for name, value in values.items()))
    show("S-S hard (ids 0-51)", figures(hard, "S-S"), printed("S-S hard"), "Exact.")
    show(
        "S-M hard (ids 0-38)",
        figures(hard, "S-M"),
        printed("S-M hard"),
        "Exact, with the two labels put right.",
    )
    single_turn(normal)
    multi_turn(rows)


def single_turn(normal: Sequence[Answered]) -> None:
    """The normal rows of S-S and S-M, which are not exact."""
    show(
        "S-S normal (ids 52-103)",
        figures(normal, "S-S"),
        printed("S-S normal"),
        "The paper's shares are 46/48 and 25/48: the same right answers over four rows fewer.",
    )
    kept = [turn for turn in normal if turn.sample.id not in NOT_LISTED]
    show(
        "S-S normal without four rows whose gold tool is not in the tool list (90, 92, 94, 98)",
        figures(kept, "S-S"),
        printed("S-S normal"),
        "Exact; any four of the six wrong rows would do, so that which four were dropped is not known.",
    )
    show(
        "S-M normal (ids 39-93)",
        figures(normal, "S-M"),
        printed("S-M normal"),
        "The difference is that of one row of three calls whose wrong parameter would be right (S-M_42 or S-M_92).",
    )


def multi_turn(turns: Sequence[Answered]) -> None:
    """M-S and M-M, whose normal and hard dialogues the release does not mark: pooled."""
    show(
        "M-S, all dialogues",
        figures(turns, "M-S"),
        pooled("M-S"),
        "Seven answers to turns without a call have an Action Input that is no JSON, four of them None in so\n"
        "  many words; the released parser takes them for no call, which is right there.",
    )
    show(
        "M-S, an unreadable Action Input counted as wrong",
        figures(unread_counted_wrong(turns), "M-S"),
        pooled("M-S"),
        "TS, PS and SR exact; ATS, SATS and TPR within 0.04, which is not explained.",
    )
    show(
        "M-M, all dialogues",
        figures(turns, "M-M"),
        pooled("M-M"),
        "Not reproduced, 5 to 8 points high. Counting extra calls, the other direction of substrings, names "
        "alone,\n  a missing thought as wrong and two dialogues 19 were tried; none fits. The cause is "
        "not known.",
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT)
