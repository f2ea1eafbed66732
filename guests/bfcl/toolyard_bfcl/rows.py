"""Rows of BFCL v4 as samples, read from the installed wheel or from a folder of the same form.

    {"id": "simple_python_0", "question": [[{"role": "user", "content": "..."}]], "function": [{"name": "area", ...}]}
    possible_answer/: {"id": "simple_python_0", "ground_truth": [{"area": {"base": [10], "unit": ["cm", ""]}}]}

Multi-turn rows have one list of messages a turn, and `initial_config` and `involved_classes` in place of `function`;
their ground truth has a list of calls a turn: [["cd(folder='a')", "ls()"], ["pwd()"]]
"""

import copy
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from toolyard import Choice, DataError, Finding, Options, Sample, json_lines
from toolyard_bfcl.calls import read_gold
from toolyard_bfcl.wheel import require_wheel, wheel_module

SIMPLE = ("simple_python", "simple_java", "simple_javascript")
GROUPS = {
    "non_live": (*SIMPLE, "multiple", "parallel", "parallel_multiple"),
    "live": ("live_simple", "live_multiple", "live_parallel", "live_parallel_multiple"),
    "irrelevance": ("irrelevance", "live_irrelevance"),
    "relevance": ("live_relevance",),
    "multi_turn": tuple(f"multi_turn_{kind}" for kind in ("base", "miss_func", "miss_param", "long_context")),
}
GROUP_OF = {category: group for group, members in GROUPS.items() for category in members}
CATEGORIES = tuple(GROUP_OF)
# The leaderboard's weights; its 40 for memory and web search are left out.
WEIGHTS = {"non_live": 10, "live": 10, "irrelevance": 10, "multi_turn": 30}
# They need a search engine, or an embedder and long conversations before the question; the last repeats other rows.
LEFT_OUT = ("memory", "web_search", "format_sensitivity")
CHOICE = Choice("categories", f"all, or of {', '.join(GROUPS)} and single categories, with commas", "all")
PREFIX = "BFCL_v4_"


# Prompts may read category, group, language, turns, functions, added (functions that a later turn brings) and the services'
# classes and state; only scoring may read the functions as the checker wants them and the possible answers.
RowSample: TypeAlias = Sample[Mapping[str, Any], Mapping[str, Any]]


def load(path: Path, options: Options) -> tuple[RowSample, ...]:
    """The samples of the chosen categories that the folder has."""
    require_wheel()
    words = [word.strip() for word in options.values.get(CHOICE.name, CHOICE.default).split(",")]
    known = {"all": CATEGORIES, **GROUPS, **{category: (category,) for category in CATEGORIES}}
    if strange := [word for word in words if word not in known]:
        raise DataError(
            f"no category {strange[0]!r} (left out: {', '.join(LEFT_OUT)}); wanted {', '.join(known)}"
        )
    chosen = [category for category in CATEGORIES if any(category in known[word] for word in words)]
    present = [category for category in chosen if (path / f"{PREFIX}{category}.json").is_file()]
    if not present:
        raise DataError(f"{path} has no {PREFIX}{chosen[0]}.json; wanted a folder like that of bfcl-eval")
    return tuple(sample for category in present for sample in _load_category(path, category))


def _load_category(path: Path, category: str) -> Iterator[RowSample]:
    rows = read_rows(path / f"{PREFIX}{category}.json")
    golden = path / "possible_answer" / f"{PREFIX}{category}.json"
    answers = {row["id"]: row["ground_truth"] for row in read_rows(golden)} if golden.is_file() else {}
    name, wheel = category.removeprefix("simple_"), wheel_module("utils")
    language = name if name in ("java", "javascript") else "python"
    wheel.populate_test_cases_with_predefined_functions(rows)
    plain = [copy.deepcopy(row["function"]) for row in rows]
    # The wheel's own words for Java and JavaScript; its checker wants the documents without them.
    wheel.add_language_specific_hint_to_function_doc(rows)
    for row, functions in zip(rows, plain, strict=True):
        if row["id"] not in answers and "relevance" not in category:
            raise DataError(f"{golden} has no ground_truth of {row['id']}")
        shown = {"category": category, "group": GROUP_OF[category], "language": language}
        shown |= {"turns": row["question"], "functions": row["function"]}
        shown |= {"added": row.get("missed_function", {}), "state": row.get("initial_config", {})}
        shown |= {"classes": row.get("involved_classes", [])}
        gold = {"functions": functions, "answers": answers.get(row["id"], [])}
        if shown["classes"]:
            documents = [*functions, *(each for added in shown["added"].values() for each in added)]
            names = {each["name"]: list(each["parameters"]["properties"]) for each in documents}
            gold["answers"] = [[read_gold(text, names) for text in turn] for turn in gold["answers"]]
        yield Sample(row["id"], shown, gold, groups={"category": category, "group": GROUP_OF[category]})


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a file."""
    rows: list[dict[str, Any]] = []
    for where, row in json_lines(path, "wanted one object a line"):
        if not isinstance(row, dict) or not isinstance(row.get("id"), str):
            raise DataError(f"{where} is no object with an id; wanted one a line")
        rows.append(row)
    return rows


def audit(path: Path, samples: Sequence[RowSample]) -> tuple[Finding, ...]:  # noqa: ARG001
    """The rows on which the wheel refuses every answer."""
    known = {sample.id for sample in samples}
    errata = read_rows(Path(__file__).with_name("errata.jsonl"))
    refused = [row for row in errata if row["id"] in known and row["style"] == "all"]
    return tuple(Finding(row["id"], row["reason"], "note", "official_unreadable") for row in refused)


def floor_of(samples: Sequence[RowSample]) -> dict[str, float]:
    """What an answer without any call scores: every irrelevance row, and nothing else."""
    groups = [sample.input["group"] for sample in samples]
    weight = sum(WEIGHTS.get(group, 0) for group in set(groups))
    silent = groups.count("irrelevance")
    offline = WEIGHTS["irrelevance"] / weight if silent else 0.0
    return {"accuracy": silent / len(groups), "irrelevance": 1.0, "offline": offline}
