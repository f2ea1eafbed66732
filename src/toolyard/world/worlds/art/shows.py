"""Art: which works the shows and books of the museum have, and on whom they dwell."""

from __future__ import annotations

from collections.abc import Mapping

# Artists: name, culture, born, died, period.
ARTISTS = """Vincent van Gogh|Dutch|1853|1890|Post-Impressionism
Claude Monet|French|1840|1926|Impressionism
Rembrandt van Rijn|Dutch|1606|1669|Baroque
Edgar Degas|French|1834|1917|Impressionism
Pablo Picasso|Spanish|1881|1973|Modern
Winslow Homer|American|1836|1910|Realism
John Singer Sargent|American|1856|1925|Realism
Katsushika Hokusai|Japanese|1760|1849|Edo period
Utagawa Hiroshige|Japanese|1797|1858|Edo period
Albrecht Dürer|German|1471|1528|Renaissance
Francisco Goya|Spanish|1746|1828|Romanticism
J. M. W. Turner|British|1775|1851|Romanticism
William Blake|British|1757|1827|Romanticism
Paul Cézanne|French|1839|1906|Post-Impressionism
Paul Gauguin|French|1848|1903|Post-Impressionism
Mary Cassatt|American|1844|1926|Impressionism
Paul Klee|Swiss|1879|1940|Modern
Wassily Kandinsky|Russian|1866|1944|Modern
Auguste Rodin|French|1840|1917|Modern
Dong Qichang|Chinese|1555|1636|Ming dynasty"""
# Artists of whom the museum owns a work or two: name, culture, born, died.
FURTHER_ARTISTS = """Édouard Manet|French|1832|1883
Pierre-Auguste Renoir|French|1841|1919
Henri de Toulouse-Lautrec|French|1864|1901
Jean-Auguste-Dominique Ingres|French|1780|1867
Jacques-Louis David|French|1748|1825
Théodore Géricault|French|1791|1824
James McNeill Whistler|American|1834|1903
Dante Gabriel Rossetti|British|1828|1882
Charles Sheeler|American|1883|1965
Edward Hopper|American|1882|1967
Jackson Pollock|American|1912|1956
Max Beckmann|German|1884|1950
Gustav Klimt|Austrian|1862|1918
László Moholy-Nagy|Hungarian|1895|1946
Nicolas Poussin|French|1594|1665
Fra Angelico|Italian|1395|1455
Simone Martini|Italian|1284|1344
Gian Lorenzo Bernini|Italian|1598|1680
Edvard Munch|Norwegian|1863|1944
Mark Rothko|American|1903|1970
Ben Shahn|American|1898|1969"""
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
    "Prints of the Edo Period": ("Japanese Prints",), "Impressionist Letters": (" Impressionism",),
    "A Handbook of Drawing": ("Drawings",),
}  # fmt: skip


# What the shows, the books and the recordings are about.
SHOWS_TOLD = (
    "Rivers, harbours and reflections in paint, from Monet's circle to the present.",
    "Self-portraits and portraits of fellow artists, and what their makers chose to show.",
    "Four centuries of prints, with plates and blocks beside the sheets pulled from them.",
    "How Japanese and Chinese works on paper were seen, collected and answered in Europe.",
    "Sculpture from the studio: models, casts and the hands that finished them.",
    "The city of boulevards, cafés and the opera in the years around 1880.",
    "Drawings made in front of the model, the street and the landscape.",
    "Painting on its way to abstraction, with colour as its first subject.",
)
BOOKS_TOLD = (
    "A survey of Western art for students, from the Renaissance to the modern age.",
    "Works of the collection with a short essay on each.",
    "Portrait, landscape and daily life in Dutch painting.",
    "Woodblock prints of Edo, their publishers and their buyers.",
    "Letters of painters and dealers, translated and annotated.",
    "Materials and methods of drawing, with examples from the collection.",
)
RECORDED_AS = {
    "spectrum": "Measured by X-ray fluorescence at one point of the surface.",
    "video": "A curator speaks in front of the work.",
    "audio": "Two minutes for visitors of the gallery.",
}
SUBJECTS = ("Landscape with River", "Portrait of a Lady", "Still Life with Fruit", "The Bridge", "Harbour at Dawn",
             "Dancers", "Study of Hands", "Boats at Sea", "Figures by a Road", "View of a Garden", "Winter Morning",
             "Seated Figure", "Horses", "The Old Mill", "Bathers")  # fmt: skip
# When a period was over, whoever lived on.
UNTIL = {"Impressionism": 1900, "Post-Impressionism": 1906, "Realism": 1910}
EASTERN_SUBJECTS = (
    "Landscape after Rain", "Bamboo and Rock", "Cranes and Pine", "Plum Blossoms", "Bridge in Snow", "Fishing Boats",
    "Autumn Mountains", "Birds and Flowers", "Travelers on a Mountain Path", "Moon over the River",
)  # fmt: skip


def by_whom(artist: str) -> str:
    """Whose work something is, as a sentence says it."""
    if artist.startswith("School of "):
        return f"the {artist[0].lower()}{artist[1:]}"
    return "an unidentified artist" if artist == "Unidentified Artist" else artist


def fitting(
    listed: Mapping[str, tuple[str, ...]], number: int, artist: list[str], kind: str, title: str, year: int
) -> list[str]:
    """One of the shows or books that have works like this one."""
    told = f"{title} {artist[1]} {kind} {artist[4]} {artist[1]} {year}"
    found = [name for name, signs in listed.items() if not signs or any(sign in told for sign in signs)]
    return [found[number % len(found)]] if found else []
