"""Whether `outcome` judges fresh answers as a person does: right ones that differ from gold, wrong ones that look right.

    python recipes/fresh_answers.py      # scores records/answers/fresh_answers, writes the table of docs/validity.md
    python recipes/fresh_answers.py --disagreements      # also prints every answer that its author judged otherwise

Somebody who had not seen the scorer wrote one right and one wrong answer to 60 drawn rows of each benchmark, and said
which is which before scoring; somebody else did so for 60 other rows, and a third one for 60 rows of two benchmarks, of
which 20 were kept (`fourth`) until rules had been changed. Four new people wrote the fifth, four others the sixth, which
no rule has seen. One answer a line:

    {"data": "hard", "id": "hard-restock", "answer": "...", "calls": [["name", {...}]], "intended": "right", "idea": "..."}
"""

from __future__ import annotations

import json
import lzma
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from calibration import PAGE, cell
from results import ANSWERS

from toolyard.lines import read_lines
from toolyard.run.api import evaluate
from toolyard.run.run import Run
from toolyard.run.settings import Settings

FOLDER = ANSWERS.parent / "fresh_answers"
PLACE = re.compile(r"(<!-- fresh-answers:start -->\n).*?(<!-- fresh-answers:end -->)", re.DOTALL)
READINGS = ("first", "second", "third", "fourth", "fifth", "sixth")
SETS, KINDS = ("starter", "hard"), ("right", "wrong")


def replies(row: dict[str, Any]) -> list[str]:
    """What the model says, round by round: its calls, then its answer."""
    if "calls" not in row:
        return [row["answer"]]
    rounds = [*row["calls"], ["finish", {"answer": row["answer"]}]]
    return [f"Thought: Next.\nAction: {name}\nAction Input: {json.dumps(given)}" for name, given in rounds]


def verdicts(benchmark: str, data: str, rows: list[dict[str, Any]], scratch: Path) -> dict[str, float]:
    """`outcome` of each answer."""
    file = scratch / f"{benchmark}_{data}_{rows[0]['intended']}.jsonl"
    lines = [json.dumps({"id": row["id"], "response": reply}) for row in rows for reply in replies(row)]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    run = evaluate(
        benchmark,
        f"scripted/replay:{file}",
        data=data,
        ids=tuple(str(row["id"]) for row in rows),
        runs=scratch / "runs",
        name=file.stem,
    )
    return {
        line["sample"]: line["profiles"]["paper"]["values"]["outcome"]
        for line in read_lines(run.folder / "scores.jsonl")
    }


def agreements(file: Path, scratch: Path) -> dict[str, list[float]]:
    """Whether the verdict is the author's, for each answer of a file, right and wrong ones apart."""
    rows = [json.loads(line) for line in lzma.decompress(file.read_bytes()).splitlines()]
    found: dict[str, list[float]] = {kind: [] for kind in KINDS}
    benchmark = file.name.partition(".")[0]
    for data in SETS:
        # Some rows have left their set since they were answered.
        there = {sample.id for sample in Run.plan(Settings(benchmark, "scripted/empty", data=data)).samples}
        for kind in KINDS:
            some = [row for row in rows if (row["data"], row["intended"]) == (data, kind)]
            some = [row for row in some if str(row["id"]) in there]
            if not some:
                continue
            judged = verdicts(benchmark, data, some, scratch)
            found[kind] += [judged[str(row["id"])] == (kind == "right") for row in some]
            if "--disagreements" in sys.argv:
                others = (row for row in some if judged[str(row["id"])] != (kind == "right"))
                print(*(json.dumps({"file": str(file), **row}) for row in others), sep="\n")
    return found


def table() -> str:
    """How many of the right answers are accepted and of the wrong ones refused, in percent with intervals."""
    lines = [
        "| reading | benchmark | right answers | accepted [95 %] | wrong answers | refused [95 %] |",
        "|---|---|---:|---:|---:|---:|",
    ]
    for reading in READINGS:
        for file in sorted((FOLDER / reading).glob("*.jsonl.xz")):
            with tempfile.TemporaryDirectory() as scratch:
                right, wrong = agreements(file, Path(scratch)).values()
            counts = f"{len(right)} | {cell(right)} | {len(wrong)} | {cell(wrong)}"
            lines.append(f"| {reading} | {file.name.partition('.')[0]} | {counts} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    written = table()
    PAGE.write_text(
        PLACE.sub(lambda found: found.group(1) + written + found.group(2), PAGE.read_text(encoding="utf-8")),
        encoding="utf-8",
    )
    print(written)
