"""Views: a record of a table as a service shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from toolyard.world.kernel.views import View


@dataclass(frozen=True)
class Race:
    name: str
    circuit: dict[str, str]
    ms: int


RACES = [Race(f"Race {n}", {"city": f"City {n}"}, 83_456 + n) for n in range(5)]
VIEW: View[dict[str, Any]] = View(
    {"race": "name", "city": "circuit.city", "seconds": lambda race: race.ms / 1000}
)


def test_a_field_is_a_path_or_a_function_of_the_record() -> None:
    assert VIEW.row(RACES[0]) == {"race": "Race 0", "city": "City 0", "seconds": 83.456}


def test_a_page_holds_some_rows_and_counts_all() -> None:
    page = VIEW.page(RACES, 3, 10)
    assert (page["total"], page["offset"]) == (5, 3)
    assert [row["race"] for row in page["items"]] == ["Race 3", "Race 4"]
