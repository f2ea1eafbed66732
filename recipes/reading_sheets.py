"""Sheets for readers: rows of the starter sets and of the generators, shuffled, with nothing that tells which is which.

    python recipes/reading_sheets.py OUT [--seed N] [--starter 100] [--hard 0] [--generated 60] [--sets FOLDER]

`--sets` holds sets made by `synth BENCH --from world --out FOLDER/BENCH`. For each benchmark OUT gets sheets of forty rows
(`nestools_1.md`, ...) with the reader's instructions on top, and `key.jsonl`, which readers do not get: row, where it
stands. Labels come back as JSONL, one line per row.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from toolyard.benchmarks import load_benchmark
from toolyard.benchmarks.tooleyes.scoring.baselines import oracle
from toolyard.core.benchmark import RunSetup
from toolyard.core.types import Options
from toolyard.run.play.offline import play_offline

SHEET = 40
LETTERS = {"nestools": "n", "mtu": "m", "toolbehonest": "t", "tooleyes": "e"}
INSTRUCTIONS = """# Rows to read: {name}

{what}

Give every row one label:

- `good`: a person could have written it, and gold is what a careful assistant would do;
- `stiff`: gold is right, but these are not a person's words (field names, glued-on requests, odd grammar, nothing wanted);
- `bad`: gold is wrong, ambiguous or unreachable: a value that cannot be known, another listed tool that does it as well and
  is not accepted, a request that gold does not fulfil, a plan that the tools do not allow.

Judge by what stands here only. Write one JSON object per row, in the order of the sheet:

{{"id": "{first}", "label": "good", "reason": ""}}

with a reason (one sentence, naming the value or the tool) for every `stiff` and `bad`.
"""
WHAT = {
    "nestools": "A request, the tools offered, and gold: the calls that fulfil it. `API_call_N` is what the N-th returned "
    "value stands for: each call lists the labels of what it returns, in the order of the tool's results. Parameters in "
    "[brackets] are optional. 'Also right' lists values that are accepted beside gold. By execution accepted: any calls of "
    "the same tools that return the same under three seeds and leave out no wish.",
    "mtu": "A dialogue with the tools offered. After each turn of the user stands gold: the calls wanted, or none. `tool.x` "
    "as a value is the result x of a call. Parameters in [brackets] are optional. 'Also right': accepted beside "
    "gold. Accepted too, by execution: any calls of the same tools that return the same under three seeds and leave "
    "out no wish. The model sees the results of earlier turns.",
    "toolbehonest": "A task with tools that can do it and its plan, and a twin that must not be doable: either its tools or "
    "its task differ. `UnsolvableQuery` marks the step that no listed tool can do. A row is bad if the twin can be done "
    "after all, or if the plan of either is wrong or has an equal rival.",
    "tooleyes": "A question to an assistant with tools of a simulated world (there it is 15 May 2024; what they "
    "return is right in it), what the user adds when asked back, a gold episode with its results (cut), the gold "
    "answer, and the facts that an answer must state, written as places in the results (call 0 is the first). A row "
    "is bad if the facts do not decide the question, cannot be known from the results, or a right answer could miss one.",
}
# Tools that a row shows whole beside those of gold; of longer lists only the names.
MOST_TOOLS = 40
# Characters of a result in a gold episode.
MOST_CHARACTERS = 900


def lines(path: Path) -> list[Any]:
    """The objects of a JSONL file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def listed(name: str, description: str, parameters: Iterable[str], results: Iterable[str]) -> str:
    """A tool in one line."""
    returns = ", ".join(results)
    return f"- **{name}**({', '.join(parameters)}): {description}" + (
        f" Returns {returns}." if returns else ""
    )


def said(value: Any) -> str:
    """A value as it stands in data."""
    return json.dumps(value, ensure_ascii=False)


def offered(gold: Iterable[str], others: list[str], draw: random.Random) -> str:
    """The tools of a row in any order; where there are many, only the names of those that gold does not call."""
    if len(others) <= MOST_TOOLS:
        tools = [*gold, *others]
        draw.shuffle(tools)
        return "**Tools**\n\n" + "\n".join(tools)
    names = sorted(re.findall(r"\*\*(.+?)\*\*", " ".join(tool.split("(")[0] for tool in others)))
    return "**Tools**\n\n" + "\n".join(gold) + f"\n\n{len(others)} more: {', '.join(names)}"


def nested_tool(tool: Mapping[str, Any], gold: bool) -> str:
    """A tool of NesTools; parameters are described only where gold calls it."""
    parameters = []
    for name, about in tool["parameters"].items():
        shown = f"{name}: {about['type']} ({about['description']})" if gold else f"{name}"
        parameters.append(shown if name in tool["required"] else f"[{shown}]")
    return listed(tool["api_name"], tool["api_description"], parameters, tool["responses"] if gold else ())


def nestools(folder: Path, draw: random.Random) -> dict[str, str]:
    """Every row of a NesTools set as text, by its number."""
    pool = {tool["api_id"]: tool for tool in lines(folder / "pool.jsonl")}
    called = {row["test_id"]: row["api_ids"] for row in lines(folder / "test_api_ids.jsonl")}
    beside = {row["test_id"]: row["distractors"] for row in lines(folder / "distractors.jsonl")}
    texts = {}
    for row in lines(folder / "test_data.jsonl"):
        own = [nested_tool(pool[number], True) for number in called[row["test_id"]]]
        others = [nested_tool(pool[number], False) for number in beside[row["test_id"]] if number in pool]
        calls = "\n".join(
            f"{number}. {call['api_name']}({said(call['parameters'])}) -> {', '.join(call['responses'])}"
            for number, call in enumerate(row["call"], 1)
        )
        text = f"**Request**: {row['task']}\n\n**Gold**\n\n{calls}\n"
        if row.get("alternatives"):
            text += f"\nAlso right: {said(row['alternatives'])}\n"
        texts[str(row["test_id"])] = f"{text}\n{offered(own, others, draw)}"
    return texts


def dialogue_tool(tool: Mapping[str, Any]) -> str:
    """A tool of MTU-Bench."""
    shown = [f"{one['name']}: {_about(one)}" for one in tool.get("required_parameters", [])]
    shown += [f"[{one['name']}: {_about(one)}]" for one in tool.get("optional_parameters", [])]
    results = (one["name"] for one in tool.get("result_parameters", []))
    return listed(tool["name"], tool.get("description", ""), shown, results)


def _about(parameter: Mapping[str, Any]) -> str:
    extra = {
        key: value for key, value in parameter.items() if key not in ("name", "type", "description") and value
    }
    return parameter.get("description", "") + (f" {said(extra)}" if extra else "")


def mtu(folder: Path, draw: random.Random) -> dict[str, str]:
    """Every dialogue of an MTU-Bench set as text, by its name."""
    record = load_benchmark("mtu")
    turns = defaultdict(list)
    for sample in record.data.load(folder, Options(record.task.styles[0])):
        turns[sample.cluster].append(sample)
    texts = {}
    for name, samples in turns.items():
        tools = {tool["name"]: tool for sample in samples for tool in sample.input["tools"]}
        called = {call["name"] for sample in samples for call in sample.gold["calls"]}
        own = [dialogue_tool(tool) for tool in tools.values() if tool["name"] in called]
        others = [dialogue_tool(tool) for tool in tools.values() if tool["name"] not in called]
        text = "".join(
            f"_{day}_\n\n" for day in re.findall(r"Today is [^\n.]*", samples[0].input["question"])[:1]
        )
        replies = [turn["assistant"] for turn in samples[-1].input["history"]]
        for place, sample in enumerate(samples):
            text += f"**User**: {sample.input['user']}\n"
            calls = sample.gold["calls"]
            text += "".join(f"- gold: {call['name']}({said(call['arguments'])})\n" for call in calls)
            text += "" if calls else "- gold: no call\n"
            text += (
                f"- also right: {said(sample.gold['alternatives'])}\n"
                if "alternatives" in sample.gold
                else ""
            )
            text += f"\n**Assistant**: {replies[place]}\n\n" if place < len(replies) else ""
        texts[name] = f"{text}\n{offered(own, others, draw)}"
    return texts


def toolbehonest(folder: Path, draw: random.Random) -> dict[str, str]:
    """Every pair of a ToolBeHonest set as text, by its number."""
    del draw
    texts = {}
    for row in json.loads((folder / "test_en.json").read_text("utf-8")):
        first, second = row["tools"].split("\n"), row["unsolvable_tools"].split("\n")
        text = f"**Task**: {row['task']}\n\n**Tools**\n\n" + "\n".join(first)
        text += f"\n\n**Plan**: {' -> '.join(row['planning_tools'])}\n\n**Twin**\n\n"
        if row["unsolvable_task"] != row["task"]:
            text += f"Task: {row['unsolvable_task']}\n\n"
        names = [{line.split(". ", 1)[-1] for line in each} for each in (first, second)]
        gone, new = names[0] - names[1], names[1] - names[0]
        text += "Tools: the same.\n" if not gone | new else ""
        text += "".join(f"Not listed any more: {line}\n" for line in sorted(gone))
        text += "".join(f"Listed in addition: {line}\n" for line in sorted(new))
        text += f"\nPlan of the twin: {' -> '.join(row['planning_tools_unsolvable'])}"
        text += f"\nAlso right: {said(row['alternatives'])}" if row.get("alternatives") else ""
        texts[str(row["id"])] = text
    return texts


def tooleyes(folder: Path, draw: random.Random) -> dict[str, str]:
    """Every question of a ToolEyes set with its gold episode as text, by its name."""
    del draw
    record = load_benchmark("tooleyes")
    options = Options(record.task.styles[0])
    samples = record.data.load(folder, options)
    rows = {row["id"]: row for path in sorted(folder.glob("*.jsonl")) for row in lines(path)}
    texts = {}
    for sample, played in zip(
        samples, play_offline(RunSetup.default(record, options), samples, oracle), strict=True
    ):
        turns = [turn["value"] for turn in played.notes["conversation"]]
        text = f"**Question**: {sample.input['query']}\n\n"
        text += f"User, when asked: {said(sample.input['slots'])}\n\n" if sample.input["slots"] else ""
        text += "**Gold episode**\n\n" + "\n\n".join(turn[:MOST_CHARACTERS] for turn in turns)
        texts[sample.id] = f"{text}\n\n**Checked**: {said(rows[sample.id]['checks'])}"
    return texts


SHOWN = {"nestools": nestools, "mtu": mtu, "toolbehonest": toolbehonest, "tooleyes": tooleyes}


def drawn(
    texts: Mapping[str, str], number: int, source: str, draw: random.Random
) -> list[tuple[str, str, str]]:
    """Some rows of a set: where from, name, text."""
    names = draw.sample(sorted(texts), min(number, len(texts)))
    return [(source, name, texts[name]) for name in names]


def write_sheets(name: str, rows: list[tuple[str, str, str]], out: Path) -> None:
    """The sheets of one benchmark and its lines of the key."""
    numbered = [(f"{LETTERS[name]}{place:03}", *row) for place, row in enumerate(rows, 1)]
    for sheet, start in enumerate(range(0, len(numbered), SHEET), 1):
        part = numbered[start : start + SHEET]
        text = INSTRUCTIONS.format(name=name, what=WHAT[name], first=part[0][0])
        text += "".join(f"\n---\n\n## {number}\n\n{shown}\n" for number, _, _, shown in part)
        (out / f"{name}_{sheet}.md").write_text(text, "utf-8")
    with (out / "key.jsonl").open("a", encoding="utf-8") as key:
        key.writelines(
            json.dumps({"id": number, "benchmark": name, "source": source, "row": row}) + "\n"
            for number, source, row, _ in numbered
        )


def main() -> None:
    """Writes the sheets of all benchmarks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--starter", type=int, default=100)
    parser.add_argument("--hard", type=int, default=0)
    parser.add_argument("--generated", type=int, default=60)
    parser.add_argument("--sets", type=Path)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "key.jsonl").unlink(missing_ok=True)
    for name, show in SHOWN.items():
        draw = random.Random(f"{given.seed} {name}")
        data = load_benchmark(name).data
        rows = drawn(show(data.starter, draw), given.starter, "starter", draw) if given.starter else []
        if given.hard and data.hard is not None:
            rows += drawn(show(data.hard, draw), given.hard, "hard", draw)
        if given.sets is not None and (given.sets / name).is_dir():
            rows += drawn(show(given.sets / name, draw), given.generated, "generated", draw)
        draw.shuffle(rows)
        write_sheets(name, rows, given.out)


if __name__ == "__main__":
    main()
