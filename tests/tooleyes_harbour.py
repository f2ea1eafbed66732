"""A harbour office with two tools: what the ToolEyes tests talk to."""

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

from toolyard.benchmarks.tooleyes import BENCHMARK
from toolyard.benchmarks.tooleyes.data.documents import SPECIAL
from toolyard.core.types import Evidence, Sample, Transcript


def document(name: str, *required: str, optional: tuple[str, ...] = ()) -> dict[str, Any]:
    properties = {each: {"type": "string", "description": each} for each in (*required, *optional)}
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return {"name": name, "description": f"{name}.", "parameters": schema}


DOCUMENTS = [document("find_berth", "ship", optional=("length",)), document("tide", "port", "day"), *SPECIAL]
HARBOUR = Sample(
    "harbour",
    {
        "query": "Where can the Meridian moor?",
        "path": "Travel/Hotels",
        "documents": DOCUMENTS,
        "official_id": "h",
    },
    None,
    groups={"scenario": "PL", "subcategory": "Travel/Hotels"},
)
FORCED = (
    "Thought: I cannot solve this task due to trying too many times.\nAction: finish\n"
    'Action Input: {"answer": "I cannot handle the task."}'
)


def call(action: str, arguments: object, thought: str = "I look it up.") -> str:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return f"Thought: {thought}\nAction: {action}\nAction Input: {text}"


def finish(answer: str = "Berth 7 is free.") -> str:
    return call("finish", {"answer": answer}, "I know enough.")


def saved(*turns: str | tuple[str, str]) -> Transcript:
    """A stored trajectory: plain texts are the assistant's, pairs are (who, text)."""
    entries = [("assistant", turn) if isinstance(turn, str) else turn for turn in turns]
    conversation = [{"from": source, "value": value} for source, value in entries]
    return Transcript(HARBOUR.id, notes={"conversation": conversation, "saved": True})


def replies(turns: int, score: int = 8, **others: str) -> dict[str, Evidence]:
    """The same verdict on everything, less what is given by name."""
    names = ["intent", "validity", "integrity", "quality", *(f"match/{place}" for place in range(turns))]
    text = f"Scoring Reason: as seen.\nEvaluation Score: {score}"
    return {one: Evidence(HARBOUR.id, one, reply=others.get(one.replace("/", "_"), text)) for one in names}


def own_queries(folder: Path, wanted: Collection[str]) -> Path:
    """A file with these queries of the starter set."""
    rows = (BENCHMARK.data.starter / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    path = folder / "queries.jsonl"
    path.write_text("\n".join(row for row in rows if json.loads(row)["id"] in wanted), encoding="utf-8")
    return path
