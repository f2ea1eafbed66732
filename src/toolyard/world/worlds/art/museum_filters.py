"""Art: what filters of the museum may say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolyard.world.faults import invalid, not_found
from toolyard.world.shared.subjects import known_words
from toolyard.world.state import World
from toolyard.world.tables import fold
from toolyard.world.worlds.art.collection import Resource, resources

# Filters whose values come from a list of the museum.
_LISTED = frozenset(
    "century classification color culture medium period place support technique worktype gallery".split()
)
# Of these a real museum has many more: other words than the listed ones just match nothing.
_OPEN = frozenset("classification medium period place support technique worktype".split())
_CULTURES = frozenset(
    "african,armenian,assyrian,australian,aztec,babylonian,belgian,brazilian,byzantine,canadian,cambodian,coptic,cuban,czech,"
    "danish,egyptian,etruscan,european,finnish,flemish,greek,indian,indonesian,iranian,irish,islamic,korean,maya,mesopotamian,"
    "mexican,native american,nepalese,ottoman,persian,peruvian,phoenician,polish,portuguese,roman,scottish,sumerian,swedish,"
    "thai,tibetan,turkish,vietnamese".split(",")
)
_FLOORS = ("0", "1", "2", "3", "4", "5")


def names_meant(world: World, kind: str, text: str) -> set[str]:
    """The folded names that a bar-separated list of ids and names stands for."""
    by_id = {str(row["id"]): row["title"] for row in resources(world.seed).get(kind, ())}
    parts = [part.strip() for part in text.split("|")]
    own = (
        set(parts) if kind == "gallery" else set()
    )  # works are in gallery 1201, which is called Gallery 1201
    return {fold(by_id.get(part, part)) for part in parts} | own


def shown_of(row: Resource, field: str) -> list[str]:
    """The values of a field as they are written."""
    value: Any = row.get(field)
    return [
        str(item) for item in (value if isinstance(value, list) else [value] if value is not None else [])
    ]


def values_of(row: Resource, field: str) -> list[str]:
    """The values of a field as they are compared."""
    return [fold(item) for item in shown_of(row, field)]


def check_named(world: World, field: str, text: str) -> None:
    """A not_found fault where a filter names what no list of the museum has and no word stands for."""
    if field not in _LISTED or fold(text) in ("any", "none"):
        return
    rows = resources(world.seed)
    known = {fold(row["title"]) for row in rows.get(field, ())}
    known |= {value for kind in rows.values() for row in kind for value in values_of(row, field)}
    unknown = {
        name
        for name in names_meant(world, field, text) - known
        if not (name in _CULTURES if field == "culture" else field in _OPEN and known_words(name))
    }
    if unknown:
        raise not_found(field, sorted(unknown)[0][:60], known=[row["title"] for row in rows.get(field, ())])


def check_marks(filters: Mapping[str, Any]) -> None:
    """Faults for floors that the museum does not have and fields that no record has."""
    floors = [part.strip() for part in filters.get("floor", "").split("|") if part.strip()]
    wrong = [floor for floor in floors if floor not in _FLOORS]
    if wrong:
        raise invalid("floor", wrong[0][:20], f"floors are {', '.join(_FLOORS)}")
    odd = [name for name in filters.get("fields", ()) if name not in Resource.__annotations__]
    if odd:
        raise invalid(
            "fields", odd[0][:40], f"fields are {', '.join(list(Resource.__annotations__)[:12])} and others"
        )
