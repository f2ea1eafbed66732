"""A small corpus of our own in the common schema, with every situation that the pipeline has rules for."""

import json
from pathlib import Path
from typing import Any


def call(tool: str, service: str, parameters: Any, results: Any = None, **more: Any) -> dict[str, Any]:
    return {"tool": tool, "service": service, "parameters": parameters, "results": results, **more}


def turn(user: str, assistant: str, label: str, *calls: Any, **more: Any) -> dict[str, Any]:
    return {"user": user, "assistant": assistant, "label": label, "calls": list(calls), **more}


def parameter(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "type": "string", "description": f"The {name.replace('_', ' ')}.", **more}


TOOLS = [
    {
        "name": "find_ferry",
        "service": "ferry",
        "description": "Looks up ferries between two ports.",
        "verb": "query",
        "required": [parameter("from_port"), parameter("to_port")],
        "optional": [
            parameter("day", format="YYYY-MM-DD"),
            parameter("cabin", choices=["inside", "outside"]),
        ],
        "results": [parameter("ship"), parameter("departure")],
        "topics": ["Bus"],
    },
    {
        "name": "book_ferry",
        "service": "ferry",
        "description": "Buys places on a ship.",
        "verb": "create",
        "required": [parameter("ship"), parameter("places")],
        "results": [parameter("ticket")],
        "topics": ["Bus"],
    },
    {
        "name": "get_weather",
        "service": "weather",
        "description": "Tells the weather of a town.",
        "verb": "query",
        "required": [parameter("town")],
        "results": [parameter("sky")],
        "topics": ["Weather"],
    },
    {
        "name": "order_pizza",
        "service": "pizza",
        "description": "Orders a pizza to a table.",
        "verb": "create",
        "required": [parameter("kind")],
        "topics": ["Pizza"],
    },
]

FERRY = call(
    "find_ferry",
    "ferry",
    {"from_port": "Turku", "to_port": "Tallinn"},
    [{"ship": "Silver Gull", "departure": "08:30"}, {"ship": "Old Anchor", "departure": "17:00"}],
)
BOOKED = call("book_ferry", "ferry", {"ship": "Silver Gull", "places": "2"}, [{"ticket": "T-81"}])
SUNNY = call("get_weather", "weather", {"town": "Tartu"}, [{"sky": "sunny"}])
WANTS = {"intents": [["ferry", "find_ferry"]]}


def ferry_dialogue(number: int) -> dict[str, Any]:
    """Asks for what is missing, finds, books, is thanked."""
    return {
        "id": f"ferry-{number}",
        "topics": ["Bus"],
        "services": ["ferry"],
        "licence": "CC0 1.0",
        "turns": [
            turn("I want to cross the sea.", "Between which ports?", "missing", **WANTS),
            turn(
                "From Turku to Tallinn.",
                "The Silver Gull leaves at 08:30. Shall I book it?",
                "call",
                FERRY,
                **WANTS,
            ),
            turn("Yes, please. Book it for 2 people.", "Done, the ticket is T-81.", "call", BOOKED),
            turn("Thanks, that is all.", "Have a good trip.", "chat"),
        ],
    }


def weather_dialogue(number: int) -> dict[str, Any]:
    """Begins with a call, asks about what it returned."""
    return {
        "id": f"weather-{number}",
        "topics": ["Weather"],
        "services": ["weather"],
        "turns": [
            turn("What is the weather like in Tartu?", "It is sunny.", "call", SUNNY),
            turn("So no rain?", "No, it is sunny.", "exists"),
            turn("Good.", "Enjoy the day.", "chat"),
        ],
    }


def pizza_dialogue(number: int) -> dict[str, Any]:
    """A held-out topic."""
    order = call("order_pizza", "pizza", {"kind": "Funghi"}, [{}])
    return {
        "id": f"pizza-{number}",
        "topics": ["Pizza"],
        "turns": [turn("A Funghi, please.", "Coming.", "call", order)],
    }


def single(number: int, town: str) -> dict[str, Any]:
    """One utterance with its call, without a reply."""
    asked = call("get_weather", "weather", {"town": town})
    return {
        "id": f"single-{number}",
        "topics": ["Weather"],
        "turns": [turn(f"Tell me the weather in {town}", "", "call", asked)],
    }


def single_ferry(number: int, port: str) -> dict[str, Any]:
    """Another utterance with its call, without a reply."""
    asked = call("find_ferry", "ferry", {"from_port": port, "to_port": "Tallinn"})
    text = f"Find a ferry from {port} to Tallinn"
    return {"id": f"single-ferry-{number}", "topics": ["Bus"], "turns": [turn(text, "", "call", asked)]}


def broken() -> list[dict[str, Any]]:
    """One dialogue for each filter."""
    return [
        {"id": "undefined", "turns": [turn("Sing.", "La.", "call", call("sing", "voice", {}))]},
        {
            "id": "fabricated",
            "turns": [
                turn(
                    "Weather in Tartu, in a poem.",
                    "",
                    "call",
                    call("get_weather", "weather", {"town": "Tartu", "style": "poem"}),
                )
            ],
        },
        {
            "id": "lacking",
            "turns": [
                turn("A ferry from Turku.", "", "call", call("find_ferry", "ferry", {"from_port": "Turku"}))
            ],
        },
        {
            "id": "misspelt",
            "turns": [
                turn(
                    "A ferry from Turku to Tallinn, on deck.",
                    "",
                    "call",
                    call(
                        "find_ferry", "ferry", {"from_port": "Turku", "to_port": "Tallinn", "cabin": "deck"}
                    ),
                )
            ],
        },
        {
            "id": "invented",
            "turns": [
                turn("How is the weather?", "", "call", call("get_weather", "weather", {"town": "Tartu"}))
            ],
        },
        {"id": "silent", "turns": [turn("Hello.", "Hello.", "chat")]},
        {"id": "unlabelled", "turns": [{"user": "Hello.", "assistant": "Hello."}]},
        {"id": "ferry-0", "turns": [{"user": "The same id again."}]},
        {"id": "no turns", "turns": []},
    ]


def dialogues() -> list[dict[str, Any]]:
    """All of them."""
    towns = ("Narva", "Rakvere", "Paide", "Valga", "Elva", "Turku")
    return [
        *(ferry_dialogue(number) for number in range(3)),
        *(weather_dialogue(number) for number in range(2)),
        pizza_dialogue(0),
        *(single(number, town) for number, town in enumerate(towns)),
        *(single_ferry(number, town) for number, town in enumerate(towns)),
        *broken(),
    ]


def write_corpus(folder: Path, rows: list[dict[str, Any]] | None = None) -> Path:
    """The corpus in a folder `harbour` of the given one, which is returned."""
    place = folder / "harbour"
    place.mkdir(parents=True)
    for name, items in (("dialogues.jsonl", dialogues() if rows is None else rows), ("tools.jsonl", TOOLS)):
        (place / name).write_text("".join(json.dumps(item) + "\n" for item in items), "utf-8")
    return folder
