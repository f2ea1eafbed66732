"""A NesTools record of our own in the official form: two ferries, seats on one, both prices split."""

import json
from pathlib import Path
from typing import Any

from cases import cases

FERRY = cases(__file__, "FERRY")
SEATS = cases(__file__, "SEATS")
SPLIT = cases(__file__, "SPLIT")
ROW: dict[str, Any] = {
    "test_id": 7,
    "api": [FERRY, SEATS, SPLIT],
    "task": "Find the ferry from Turku to Mariehamn on May 3, 2025 and the one from Mariehamn to Turku. "
    "Book 2 seats on the first. Then, split both prices between 3 friends.",
    "call": [
        {
            "api_name": "find_ferry",
            "parameters": {"origin": "Turku", "destination": "Mariehamn", "date": "2025-05-03"},
            "responses": ["API_call_0", "API_call_1"],
        },
        {
            "api_name": "find_ferry",
            "parameters": {"origin": "Mariehamn", "destination": "Turku"},
            "responses": ["API_call_2", "API_call_3"],
        },
        {
            "api_name": "book_seats",
            "parameters": {"ferry": "API_call_0", "seats": 2},
            "responses": ["API_call_4"],
        },
        {
            "api_name": "split_costs",
            "parameters": {"prices": ["API_call_1", "API_call_3"], "friends": 3},
            "responses": ["API_call_5"],
        },
    ],
    "field": "Travel/Ferries",
}
IDS = {"test_id": 7, "api_ids": [311, 96, 20]}
WEATHER = {
    "api_name": "ask_weather",
    "api_id": 4000,
    "api_description": "Ask for the weather at sea.",
    "parameters": SEATS["parameters"],
    "required": SEATS["required"],
    "responses": SEATS["responses"],
}

Calls = list[dict[str, Any]]


def write_data(folder: Path, rows: list[Any], ids: list[Any] | None = None) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "test_data.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    if ids is not None:
        (folder / "test_api_ids.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ids), "utf-8")
    return folder
