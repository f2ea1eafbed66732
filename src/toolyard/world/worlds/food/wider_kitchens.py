"""Kitchens of a whole region, and those of countries that belong to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

_INSIDE: Mapping[str, frozenset[str]] = {
    wider: frozenset(names.split(","))
    for wider, names in (
        ("Asian", "Chinese,Japanese,Korean,Thai,Indian,Vietnamese,Indonesian,Malaysian,Singaporean,Filipino,Sri Lankan,"
                  "Nepalese"),
        ("European", "Italian,French,Spanish,Greek,German,British,Irish,Scottish,Swiss,Austrian,Belgian,Dutch,Danish,"
                     "Swedish,Portuguese,Polish,Hungarian,Russian,Ukrainian"),
        ("Eastern European", "Polish,Hungarian,Russian,Ukrainian"),
        ("Mediterranean", "Italian,Spanish,Greek"),
        ("Latin American", "Mexican,Brazilian,Peruvian,Argentine,Cuban,Colombian,Venezuelan"),
        ("African", "Ethiopian,Nigerian,Ghanaian,Kenyan,South African,Moroccan,Egyptian,Mozambican"),
        ("Caribbean", "Cuban,Jamaican"),
    )
}  # fmt: skip


def with_wider(names: Sequence[str]) -> tuple[str, ...]:
    """Kitchens as a recipe has them, the narrowest first, followed by every region that one of them belongs to."""
    own = narrow(names)
    return tuple(
        dict.fromkeys((*own, *(wider for wider, inside in _INSIDE.items() if inside & set(own)), *names))
    )


def narrow(names: Sequence[str]) -> tuple[str, ...]:
    """The kitchens of countries among some; all of them where there is none."""
    return tuple(name for name in names if name not in _INSIDE) or tuple(names)
