"""The starter sets: rows with tools of their own, and rows of the world's tools, which this recipe makes again.

    python recipes/starter_sets.py [SET ...]            # rewrite the world's part of all sets, or of those named
    python recipes/starter_sets.py [SET ...] --check    # make it again and compare, byte for byte; execute what is restamped
    python recipes/starter_sets.py [SET ...] --hard     # the same for the hard sets
    python recipes/starter_sets.py [SET ...] --restamp [PATH ...]    # only play sets or answers again in a new world
    python recipes/starter_sets.py --renew SEED ROW ...              # other dialogues of MTU-Bench for the rows named

Rows of the world have numbers from 1000 up (tools of NesTools from 10000 up); everything below is kept as it is. The
requests of NesTools are written by hand (`synth/written`); here their calls are executed and checked. No model is
asked. Some minutes on two cores; needs the world extra.

A renewed row of MTU-Bench is left out, and one of the pipeline "world" under the seed given, of the same setting, stands at
the end under a number that no row had. Nothing else in what a model reads moves.
"""

from __future__ import annotations

import itertools
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from restamped_sets import executes_again, is_restamped, restamp, restamp_answers

from toolyard.benchmarks import load_benchmark
from toolyard.benchmarks.mtu.data.tool_pool import (
    FIELD,
    POOL,
    Lists,
    read_lists,
    replace_tool_list,
    restore_tool_list,
)
from toolyard.benchmarks.mtu.task.question import ToolList, find_tools
from toolyard.core.declared_world import VERSION
from toolyard.synth.chains.execution import EXECUTION
from toolyard.synth.command import synthesise
from toolyard.synth.data_card import MANIFEST
from toolyard.synth.settings import SynthSettings

SEED = 2026
SETS = ("nestools", "mtu", "toolbehonest")
FIRST = 1000
FIRST_TOOL = 10_000
# Records of the hard set of NesTools count from here.
FIRST_HARD = 3000
SETTINGS = ("S-S", "S-M", "M-S", "M-M", "OOD")
# Dialogues of MTU-Bench that the pipeline "world" adds to those written by hand, and the number from which theirs count.
MTU_DIALOGUES = 450
FIRST_OF_PIPELINE = 2000
# Dialogues of a setting that are made beyond those to renew.
SPARE = 10
NUMBER = re.compile(r"(?<=_)\d+")
Files = dict[str, str]


def lines(path: Path) -> list[Any]:
    """The objects of a JSONL file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def text(rows: Iterable[Any]) -> str:
    """A JSONL file."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def by_hand(path: Path, number: str, first: int = FIRST) -> list[Any]:
    """The rows of a file below the number from which rows are made."""
    return [row for row in lines(path) if row[number] < first]


def moved(row: Mapping[str, Any], first: int = FIRST) -> Any:
    """A row, or a line of the execution file, under its number in the starter set."""
    return {**row, "id": renumbered(row["id"], first)}


def renumbered(name: str, first: int) -> str:
    """`M-S_7_2` -> `M-S_1007_2`, `7` -> `1007`."""
    if name.isdigit():
        return str(int(name) + first)
    return NUMBER.sub(lambda found: str(int(found[0]) + first), name, count=1)


def nestools(old: Path, made: Path) -> Files:
    """Records, tool ids, distractors and pool together; a request or tool that was there keeps its number."""
    made_rows = lines(made / "test_data.jsonl")
    numbers = kept_numbers(lines(old / "test_data.jsonl"), made_rows)
    made_pool = lines(made / "pool.jsonl")
    tools = kept_tools(lines(old / "pool.jsonl"), made_pool)
    pool = sorted(
        ({**tool, "api_id": tools[tool["api_id"]]} for tool in made_pool), key=lambda tool: tool["api_id"]
    )
    executed = ({**row, "id": str(numbers[int(row["id"])])} for row in lines(made / EXECUTION))
    records = in_order({**row, "test_id": numbers[row["test_id"]]} for row in made_rows)
    for line in left_out(lines(old / "test_data.jsonl"), made_rows):
        print(line)
    files = {
        "test_data.jsonl": text([*by_hand(old / "test_data.jsonl", "test_id"), *records]),
        "pool.jsonl": text([*by_hand(old / "pool.jsonl", "api_id", FIRST_TOOL), *pool]),
        EXECUTION: text(sorted(executed, key=lambda row: int(row["id"]))),
    }
    for name, field in (("test_api_ids.jsonl", "api_ids"), ("distractors.jsonl", "distractors")):
        listed = in_order(
            {"test_id": numbers[row["test_id"]], field: [tools[tool] for tool in row[field]]}
            for row in lines(made / name)
        )
        listed = kept_distractors(old, files, listed) if field == "distractors" else listed
        files[name] = text([*by_hand(old / name, "test_id"), *listed])
    return files


def nestools_hard(old: Path, made: Path) -> Files:
    """Records that name their tools by number; numbers of tools are those of the starter set."""
    starter = load_benchmark("nestools").data.starter
    made_pool = lines(made / "pool.jsonl")
    tools = kept_tools(lines(starter / "pool.jsonl"), made_pool)
    pool = [{**tool, "api_id": tools[tool["api_id"]]} for tool in made_pool]
    files = {
        "test_data.jsonl": text(
            {key: value for key, value in hard_numbered(row).items() if key != "api"}
            for row in lines(made / "test_data.jsonl")
        ),
        "pool.jsonl": text(sorted(pool, key=lambda tool: tool["api_id"])),
        EXECUTION: text({**row, "id": str(int(row["id"]) + FIRST_HARD)} for row in lines(made / EXECUTION)),
    }
    for name, field in (("test_api_ids.jsonl", "api_ids"), ("distractors.jsonl", "distractors")):
        listed = [
            {**hard_numbered(row), field: [tools[tool] for tool in row[field]]} for row in lines(made / name)
        ]
        files[name] = text(kept_distractors(old, files, listed) if field == "distractors" else listed)
    return files


def hard_numbered(row: dict[str, Any]) -> dict[str, Any]:
    """A row under its number in the hard set."""
    return {**row, "test_id": row["test_id"] + FIRST_HARD}


def kept_distractors(old: Path, files: Files, made: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The distractors of each row: those that it had, where its tools are the same and all of them are still there."""
    pool = {tool["api_id"] for tool in map(json.loads, files["pool.jsonl"].splitlines())}
    needed = {
        row["test_id"]: row["api_ids"] for row in map(json.loads, files["test_api_ids.jsonl"].splitlines())
    }
    before = {row["test_id"]: row["api_ids"] for row in lines(old / "test_api_ids.jsonl")}
    had = {row["test_id"]: row["distractors"] for row in lines(old / "distractors.jsonl")}
    return [
        {**row, "distractors": had[number]}
        if needed[number] == before.get(number) and pool >= set(had.get(number, [0]))
        else row
        for row in made
        for number in [row["test_id"]]
    ]


def in_order(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows by their number."""
    return sorted(rows, key=lambda row: int(row["test_id"]))


def kept_numbers(old: Iterable[Any], made: Iterable[Any]) -> dict[int, int]:
    """The number in the starter set of every made row: that of its request there, or the next free one."""
    before = {row["task"]: row["test_id"] for row in old if row["test_id"] >= FIRST}
    free = itertools.count(max([FIRST, *before.values()]) + 1)
    return {row["test_id"]: before.get(row["task"]) or next(free) for row in made}


def left_out(old: Iterable[Any], made: Iterable[Any]) -> list[str]:
    """A line for every request of the starter set that the world does not answer any more."""
    there = {row["task"] for row in made}
    return [
        f"nestools: request {row['test_id']} is left out, its calls do not hold any more: {row['task']}"
        for row in old
        if row["test_id"] >= FIRST and row["task"] not in there
    ]


def kept_tools(old: Iterable[Any], made: Iterable[Any]) -> dict[int, int]:
    """The number in the starter set of every tool of a made pool: that of its name there, or the next free one."""
    before = {tool["api_name"]: tool["api_id"] for tool in old if tool["api_id"] >= FIRST_TOOL}
    free = itertools.count(max([FIRST_TOOL, *before.values()]) + 1)
    return {tool["api_id"]: before.get(tool["api_name"]) or next(free) for tool in made}


def pooled(files: Files, first: int = 0) -> Files:
    """The rows of MTU-Bench from a number up with the names of their tool lists, and the pool that has both."""
    rows = {name: [json.loads(line) for line in files[name].splitlines()] for name in files}
    ids: dict[str, str] = {}
    lists: dict[str, list[str]] = {}
    often: Counter[str] = Counter()
    for name in rows:
        for place, row in enumerate(rows[name]):
            setting, number = row["id"].split("_")[:2]
            if int(number) >= first:
                tools = [json.dumps(tool, ensure_ascii=False) for tool in listed_tools(row["question"])]
                for tool in dict.fromkeys(tools):
                    if tool not in ids:
                        called = json.loads(tool)["name"]
                        often[called] += 1
                        ids[tool] = called if often[called] == 1 else f"{called}#{often[called]}"
                rows[name][place] = replace_tool_list(row, f"{setting}_{number}")
                lists[f"{setting}_{number}"] = [ids[tool] for tool in tools]
    documents = ({"id": name, "document": json.loads(tool)} for tool, name in ids.items())
    pool = (*documents, *({"id": name, "list": listed} for name, listed in lists.items()))
    return {**{name: text(rows[name]) for name in rows}, POOL: text(pool)}


def listed_tools(question: str) -> tuple[Any, ...]:
    """The tool documents of a question."""
    found = find_tools(question)
    return found.documents if isinstance(found, ToolList) else ()


def mtu_hard(_old: Path, made: Path) -> Files:
    """The hard dialogues of each setting, with their tools in a pool."""
    names = [f"{setting}_eval.jsonl" for setting in SETTINGS]
    files = {name: (made / name).read_text("utf-8") for name in names if (made / name).exists()}
    return {**pooled(files), EXECUTION: (made / EXECUTION).read_text("utf-8")}


def mtu(old: Path, made: Path) -> Files:
    """The dialogues of each setting: those by hand, those written over the world, those of the pipeline "world"."""
    settings = SynthSettings("mtu", "world", rows=MTU_DIALOGUES, seed=SEED, out=made.parent / "mtu-world")
    parts = ((made, FIRST), (synthesise(settings).folder, FIRST_OF_PIPELINE))
    executed = [moved(row, first) for folder, first in parts for row in lines(folder / EXECUTION)]
    files = {}
    for setting in SETTINGS:
        name = f"{setting}_eval.jsonl"
        own = [row for row in lines(old / name) if int(row["id"].split("_")[1]) < FIRST]
        new = [moved(row, first) for folder, first in parts for row in lines(folder / name)]
        files[name] = text([*own, *new])
    return {**pooled(files, FIRST), EXECUTION: text(executed)}


def renew(folder: Path, seed: int, gone: Collection[str]) -> Files:
    """The set of MTU-Bench with other dialogues for those named; one that begins as another did is passed over."""
    lists, executed = read_lists(folder), {row["id"]: row for row in lines(folder / EXECUTION)}
    wanted = Counter(name.split("_")[0] for name in gone)
    files = {}
    with tempfile.TemporaryDirectory() as place:
        rows = len(SETTINGS) * (max(wanted.values()) + SPARE)
        made = synthesise(SynthSettings("mtu", "world", rows=rows, seed=seed, out=Path(place) / "mtu")).folder
        new_executed = {row["id"]: row for row in lines(made / EXECUTION)}
        for name in (f"{setting}_eval.jsonl" for setting in SETTINGS):
            old, new = by_dialogue(lines(folder / name), lists), by_dialogue(lines(made / name), {})
            begun, setting = {*map(first_request, old.values())}, name.partition("_")[0]
            free = itertools.count(1 + max(map(int, old), default=FIRST_OF_PIPELINE))
            kept = {number: turns for number, turns in old.items() if f"{setting}_{number}" not in gone}
            fresh = [number for number, turns in new.items() if first_request(turns) not in begun]
            for number, place_taken in zip(fresh[: wanted[setting]], free, strict=False):
                first = place_taken - int(number)
                kept[str(place_taken)] = [moved(row, first) for row in new[number]]
                line = moved(new_executed[f"{setting}_{number}"], first)
                executed[line["id"]] = line
            files[name] = text(itertools.chain(*kept.values()))
    held = (row for name, row in executed.items() if name not in gone)
    return {**pooled(files, FIRST), EXECUTION: text(held)}


def by_dialogue(rows: Iterable[dict[str, Any]], lists: Lists) -> dict[str, list[dict[str, Any]]]:
    """The rows of each dialogue of a setting by its number, with the tools that they name."""
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        if FIELD in row:
            question, _ = restore_tool_list(row, lists, row["id"])
            row = {key: value for key, value in row.items() if key != FIELD} | {"question": question}
        found.setdefault(row["id"].split("_")[1], []).append(row)
    return found


def first_request(turns: Sequence[Mapping[str, Any]]) -> str:
    """What the user says in the first turn of a dialogue that wants a call."""
    calling = (row for row in turns if any(row["answer"]))
    return str(next(calling, turns[0])["question"]).rpartition("User:")[2].strip()


def toolbehonest(old: Path, made: Path) -> Files:
    """The pairs in one list; a task that was there keeps its number, others get numbers that no pair has."""
    new = json.loads((made / "test_en.json").read_text("utf-8"))
    before = {item["task"]: int(item["id"]) for item in json.loads((old / "test_en.json").read_text("utf-8"))}
    free = itertools.count(max([FIRST, *before.values()]) + 1)
    numbers = {str(item["id"]): str(before.get(item["task"]) or next(free)) for item in new}
    pairs = [{**item, "id": int(numbers[str(item["id"])])} for item in new]
    executed = ({**row, "id": numbers[row["id"]]} for row in lines(made / EXECUTION))
    return {
        "test_en.json": json.dumps(pairs, ensure_ascii=False, indent=1) + "\n",
        EXECUTION: text(executed),
    }


def starter_files(name: str) -> Files:
    """Every file of a starter set that holds rows from the world, as this recipe makes it."""
    merge = {"nestools": nestools, "mtu": mtu, "toolbehonest": toolbehonest}[name]
    with tempfile.TemporaryDirectory() as folder:
        made = synthesise(SynthSettings(name, "written", seed=SEED, out=Path(folder) / name))
        files = merge(load_benchmark(name).data.starter, made.folder)
    return {**files, MANIFEST: json.dumps({"world": VERSION}, indent=2) + "\n"}


def hard_files(name: str) -> Files:
    """Every file of a hard set, as this recipe makes it."""
    with tempfile.TemporaryDirectory() as folder:
        made = synthesise(SynthSettings(name, "hard", seed=SEED, out=Path(folder) / name))
        data = load_benchmark(name).data
        files = HARD[name](data.hard or data.starter, made.folder)
    return {**files, MANIFEST: json.dumps({"world": VERSION}, indent=2) + "\n"}


def toolbehonest_hard(_old: Path, made: Path) -> Files:
    """The hard pairs as they were made."""
    return {name: (made / name).read_text("utf-8") for name in ("test_en.json", EXECUTION)}


HARD = {"nestools": nestools_hard, "mtu": mtu_hard, "toolbehonest": toolbehonest_hard}


def main() -> int:
    check, hard = "--check" in sys.argv[1:], "--hard" in sys.argv[1:]
    names = [name for name in sys.argv[1:] if name in SETS]
    if "--restamp" in sys.argv[1:]:
        given = [Path(name) for name in sys.argv[sys.argv.index("--restamp") + 1 :] if name not in SETS]
        folders = [load_benchmark(name).data.starter for name in names or (() if given else SETS)]
        found = [(restamp if path.is_dir() else restamp_answers)(path) for path in (*folders, *given)]
        return 1 if sum(found) else 0
    if "--renew" in sys.argv[1:]:
        seed, *gone = sys.argv[sys.argv.index("--renew") + 1 :]
        folder = load_benchmark("mtu").data.starter
        for file, content in renew(folder, int(seed), gone).items():
            (folder / file).write_text(content, "utf-8")
        return 0
    wrong = []
    for name in names or (HARD if hard else SETS):
        data = load_benchmark(name).data
        folder = data.hard if hard and data.hard else data.starter
        folder.mkdir(exist_ok=True)
        if check and is_restamped(folder):
            wrong += [] if executes_again(folder) else [folder.name]
            continue
        for file, content in (hard_files if hard else starter_files)(name).items():
            path = folder / file
            same = path.exists() and path.read_text("utf-8") == content
            print(f"{name}/{file}: {len(content):,} characters, {'the same' if same else 'differs'}")
            if not same and check:
                wrong.append(path.name)
            elif not same:
                path.write_text(content, "utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
