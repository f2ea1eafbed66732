"""A NesTools record of our own in the official form: two ferries, seats on one, both prices split."""

import json
from pathlib import Path
from typing import Any

FERRY = {
    "api_name": "find_ferry",
    "api_description": "Find the next ferry between two ports.",
    "parameters": {
        "origin": {"type": "str", "description": "port of departure"},
        "destination": {"type": "str", "description": "port of arrival"},
        "date": {"type": "str", "description": "day of travel"},
    },
    "required": ["origin", "destination"],
    "responses": {
        "ferry_code": {"type": "str", "description": "code of the crossing"},
        "price": {"type": "float", "description": "price of a seat"},
    },
}
SEATS = {
    "api_name": "book_seats",
    "api_description": "Book seats on a ferry.",
    "parameters": {
        "ferry": {"type": "str", "description": "code of the crossing"},
        "seats": {"type": "int", "description": "number of seats"},
    },
    "required": ["ferry", "seats"],
    "responses": {"booking": {"type": "str", "description": "number of the booking"}},
}
SPLIT = {
    "api_name": "split_costs",
    "api_description": "Split prices between friends.",
    "parameters": {
        "prices": {"type": "list", "description": "prices to add up"},
        "friends": {"type": "int", "description": "number of friends"},
    },
    "required": ["prices", "friends"],
    "responses": {"share": {"type": "float", "description": "what each pays"}},
}
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
