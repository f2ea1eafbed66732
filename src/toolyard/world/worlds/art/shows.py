"""Art: which works the shows and books of the museum have, and on whom they dwell."""

from __future__ import annotations

from collections.abc import Mapping

# The artist on whom each show and each book dwells.
SHOWN = ("Claude Monet", "Vincent van Gogh", "Rembrandt van Rijn", "Katsushika Hokusai", "Auguste Rodin", "Edgar Degas",
          "Albrecht Dürer", "Wassily Kandinsky")  # fmt: skip
WRITTEN_ON = ("Vincent van Gogh", "Claude Monet", "Rembrandt van Rijn", "Katsushika Hokusai", "Claude Monet",
               "Albrecht Dürer")  # fmt: skip
# Which works a show or a book has: by culture, classification, period and words of the title; none given fits all.
WORKS_OF_SHOWS: Mapping[str, tuple[str, ...]] = {
    "Light and Water": ("Harbour", "Boats", "River", "Bridge"), "Artists Look at Themselves": ("Portrait", "Self-Portrait"),
    "The Printed World": ("Prints",), "East and West": ("Japanese", "Chinese"), "Bronze and Stone": ("Sculpture",),
    "Paris 1880": ("French 18",), "Drawing from Life": ("Drawings",), "Colour and Form": ("Paintings",),
}  # fmt: skip
WORKS_OF_BOOKS: Mapping[str, tuple[str, ...]] = {
    "Masterpieces of the Collection": (), "Dutch Painting in Focus": ("Dutch Paintings",),
    "Prints of the Edo Period": ("Japanese Prints",), "Impressionist Letters": ("Impressionism",),
    "A Handbook of Drawing": ("Drawings",),
}  # fmt: skip


def fitting(
    listed: Mapping[str, tuple[str, ...]], number: int, artist: list[str], kind: str, title: str, year: int
) -> list[str]:
    """One of the shows or books that have works like this one."""
    told = f"{title} {artist[1]} {kind} {artist[4]} {artist[1]} {year}"
    found = [name for name, signs in listed.items() if not signs or any(sign in told for sign in signs)]
    return [found[number % len(found)]] if found else []
