"""ToolEyes samples: the official files, and queries of our own with an outcome that a machine can check.

Official: a folder with `Test_Data/scenario_data_{raw,zero_processed,five_processed}.json` (any one of them alone is
enough; without a processed file the documents come from `Tool_Library/*/*/config_gpt4.json`):

    {"id": "Turn 1: Draw a number below 10.", "path": "ToolEyes/Tool_Library/Random/Random", "scenario": "TG",
     "conversations": [{"from": "system", "value": "... following tools:\\n[{...}]\\n\\nLet's Begin!"},
                       {"from": "user", "value": "Draw a number below 10."}]}

Our own: every `*.jsonl` of a folder, or one such file; `docs/synth.md` explains each field:

    {"id": "ip-visitor", "path": "IP/IP", "scenario": "IR",
     "query": "From which city did my visitor come?",
     "slots": {"address, ip": "The address was 8.8.4.4."},
     "change": {"after_round": 2, "text": "The time zone would be good to know, too."},
     "checks": {"facts": [["Lisbon"], ["Europe/Lisbon"]], "state": []},
     "plan": [{"tool": "ask_to_user", "arguments": {"question": "Which address did the visitor have?"}},
              {"tool": "ip_details", "arguments": {"ip": "8.8.4.4"}}],
     "answer": "Your visitor came from {1.city}, time zone {1.time_zone}."}
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from toolyard.benchmarks.tooleyes.data.documents import SPECIAL, documents_in_prompt, is_document
from toolyard.benchmarks.tooleyes.data.queries import QueryLine, read_gold, read_queries
from toolyard.benchmarks.tooleyes.data.sample import QueryGold, ToolEyesSample
from toolyard.benchmarks.user_files import json_lines, read_json
from toolyard.core.errors import DataError
from toolyard.core.types import Failure, JsonValue, Options, Record, Sample
from toolyard.text.parsing import excerpt

SCENARIOS: Mapping[str, tuple[str, ...]] = {
    "TG": ("Advice", "Faker", "Joke", "Random", "Translation"),
    "DU": ("Comparison", "NLP", "Predict", "Validation", "Word"),
    "RS": ("Calendar", "News", "Paper", "Search", "Trend", "Weather"),
    "PL": ("Entertainment", "Food", "Health", "Job", "Location", "Music", "Product", "Travel"),
    "IR": ("Animal", "Anti_Malware", "Art", "Competition", "Database", "Entity", "IP", "Social", "Vehicle"),
    "AM": ("Calculator", "Execute", "File", "Mail", "URL", "Zapier"),
    "FT": ("Finance", "Stock"),
}
PROCESSED = {
    "zero-shot": "scenario_data_zero_processed.json",
    "five-shot": "scenario_data_five_processed.json",
}
RAW = "scenario_data_raw.json"
WANTED = "want the official folder with Test_Data/, one of its files, or *.jsonl with queries of your own"
# A folder of the tool library; nothing that leads out of it.
_NAME = re.compile(r"\w[\w .&-]{0,79}")
WANTED_DOCUMENTS = "wanted is a list of tool documents"


def load(path: Path, options: Options) -> tuple[ToolEyesSample, ...]:  # noqa: ARG001 - the signature of every loader
    """All samples of a file or folder, in its order."""
    if path.is_file():
        return read_queries(path) if path.suffix == ".jsonl" else _official_file(path)
    folder = path / "Test_Data"
    if folder.is_dir():
        return _official_samples(folder)
    files = sorted(path.glob("*.jsonl"))
    if not files:
        raise DataError(f"{path} holds neither Test_Data nor *.jsonl; {WANTED}")
    return _require_unique_ids(path, tuple(sample for file in files for sample in read_queries(file)))


def _require_unique_ids(path: Path, samples: tuple[ToolEyesSample, ...]) -> tuple[ToolEyesSample, ...]:
    repeated = [name for name, count in Counter(sample.id for sample in samples).items() if count > 1]
    if repeated:
        raise DataError(f"{path}: id {repeated[0]!r} occurs twice; every query needs an id of its own")
    return samples


def _official_samples(folder: Path) -> tuple[ToolEyesSample, ...]:
    """The official queries with both system prompts, as far as the folder has them."""
    prompts = {
        style: _read_rows(folder / name) for style, name in PROCESSED.items() if (folder / name).exists()
    }
    if not prompts:
        return _make_samples(folder / RAW, _read_rows(folder / RAW), {})
    rows = next(iter(prompts.values()))
    for style, others in prompts.items():
        if [row.get("id") for row in others] != [row.get("id") for row in rows]:
            raise DataError(
                f"{folder / PROCESSED[style]}: other queries than beside it; get both files again"
            )
    return _make_samples(folder / next(iter(prompts)), rows, prompts)


def _official_file(path: Path) -> tuple[ToolEyesSample, ...]:
    rows = _read_rows(path)
    processed = bool(rows) and "conversations" in rows[0]
    style = "five-shot" if "five" in path.name else "zero-shot"
    return _make_samples(path, rows, {style: rows} if processed else {})


def _read_rows(path: Path) -> list[Record]:
    rows = read_json(path, WANTED)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise DataError(f"{path} is not a list of objects; {WANTED}")
    return rows


def _make_samples(
    path: Path, rows: list[Record], prompts: Mapping[str, list[Record]]
) -> tuple[ToolEyesSample, ...]:
    seen: Counter[str] = Counter()
    samples = []
    for number, row in enumerate(rows):
        where = f"{path} row {number}"
        group = subcategory_of_path(row.get("path"), where)
        seen[group] += 1
        texts = {style: _system_message(others[number], where) for style, others in prompts.items()}
        documents = _documents_of_tools(texts, path, group, where)
        samples.append(_make_sample(row, group, seen[group], texts, documents, where))
    return tuple(samples)


def _make_sample(
    row: Record, group: str, number: int, texts: Mapping[str, str], documents: list[Record], where: str
) -> ToolEyesSample:
    query = row_query(row)
    if not query:
        raise DataError(f"{where}: no query; {WANTED}")
    scenario, subcategory = scenario_of_group(group), group.split("/")[1]
    return Sample(
        id=f"{scenario}/{subcategory}/{number}",
        input={
            "query": query,
            "path": group,
            "documents": documents,
            "system": dict(texts),
            "official_id": str(row.get("id") or f"Turn 1: {query}"),
        },
        gold=official_gold(group, query),
        groups={"scenario": scenario, "subcategory": group},
    )


def row_query(row: Record) -> str:
    """The query of a raw row, or the first thing the user says in a processed one."""
    if isinstance(row.get("query"), str):
        return str(row["query"]).strip()
    for turn in row_turns(row):
        if turn.get("from") == "user":
            return str(turn.get("value") or "").strip().removesuffix("Begin!").strip()
    return ""


def row_turns(row: Record) -> Iterator[Record]:
    """The turns of a processed row that are objects."""
    turns = row.get("conversations")
    return (turn for turn in (turns if isinstance(turns, list) else ()) if isinstance(turn, dict))


def subcategory_of_path(path: JsonValue, where: str) -> str:
    """Category/Subcategory, the last two parts of an official path."""
    parts = str(path or "").strip("/").split("/")
    if len(parts) < 2:
        raise DataError(f"{where}: path {excerpt(repr(path))}; wanted is .../Category/Subcategory")
    return "/".join(parts[-2:])


def scenario_of_group(group: str) -> str:
    """The scenario that a Category/Subcategory belongs to (the paper's Figure 11); unknown ones have none."""
    category = group.split("/")[0]
    return next((name for name, categories in SCENARIOS.items() if category in categories), "")


def _system_message(row: Record, where: str) -> str:
    for turn in row_turns(row):
        if turn.get("from") == "system":
            return str(turn.get("value") or "")
    raise DataError(f"{where}: no system message; {WANTED}")


def _documents_of_tools(texts: Mapping[str, str], path: Path, group: str, where: str) -> list[Record]:
    if texts:
        documents = documents_in_prompt(next(iter(texts.values())))
        if isinstance(documents, Failure):
            raise DataError(f"{where}: the system prompt has no readable tool documents ({documents.kind})")
        return documents
    if not all(map(_NAME.fullmatch, group.split("/"))):
        raise DataError(f"{where}: {excerpt(group)} is not a folder of the tool library")
    config = path.parent.parent / "Tool_Library" / group / "config_gpt4.json"
    if not config.exists():
        raise DataError(
            f"{where}: no documents for {group}; want {config} or a processed file, which holds them"
        )
    listed = read_json(config, WANTED_DOCUMENTS)
    known = [each for each in listed if is_document(each)] if isinstance(listed, list) else []
    if not isinstance(listed, list) or len(known) < len(listed):
        raise DataError(f"{config}: not every entry has a name and parameters; {WANTED_DOCUMENTS}")
    names = {document["name"] for document in known}
    return [*known, *(document for document in SPECIAL if document["name"] not in names)]


CHECKS = Path(__file__).parent / "official_checks.jsonl"
_FIELDS = frozenset({"key", "checks", "plan", "answer"})


def official_gold(group: str, query: str) -> QueryGold | None:
    """What must be true after an official query; None where our world does not determine it."""
    return _gold_by_query().get(query_key(group, query))


def query_key(group: str, query: str) -> str:
    """The name of an official query: a hash of where it belongs and what it says."""
    return hashlib.sha256(f"{group}\n{' '.join(query.split())}".encode(errors="surrogatepass")).hexdigest()[
        :20
    ]


@cache
def _gold_by_query() -> dict[str, QueryGold]:
    found = {}
    for where, row in json_lines(CHECKS, "want one JSON object a line"):
        if not isinstance(row, dict) or set(row) != _FIELDS:
            raise DataError(f"{where}: want the fields {', '.join(sorted(_FIELDS))}")
        found[str(row["key"])] = read_gold(QueryLine(where, row))
    return found
