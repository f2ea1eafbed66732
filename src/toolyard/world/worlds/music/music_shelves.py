"""What the iTunes store files where: podcasts, and series that make people laugh."""

from __future__ import annotations

import functools

from toolyard.world.tables import read_table

# Series that make people laugh; a store files the others under drama.
COMEDIES = frozenset(
    ("The Office", "The Office (UK)", "Friends", "Seinfeld", "Parks and Recreation", "Modern Family", "Brooklyn Nine-Nine",
     "The Big Bang Theory", "How I Met Your Mother", "Arrested Development", "30 Rock", "Curb Your Enthusiasm", "Veep",
     "Fleabag", "Ted Lasso", "Schitt's Creek", "The Simpsons", "South Park", "Family Guy", "Futurama", "Fawlty Towers",
     "Monty Python's Flying Circus", "Blackadder", "Peep Show", "The IT Crowd", "Community", "Scrubs", "Cheers", "Frasier",
     "M*A*S*H", "I Love Lucy", "The Good Place", "Abbott Elementary", "Only Murders in the Building", "The Bear",
     "Derry Girls",
     "It's Always Sunny in Philadelphia", "Silicon Valley", "Sex and the City", "Two and a Half Men", "Saturday Night Live")
)  # fmt: skip
_INVENTED = (("Kitchen Table Science", "Mira Holt", "Science"), ("The Slow Market", "Owen Price", "Business"),
             ("History in Ten Objects", "Lena Brandt", "History"), ("Song by Song", "Theo Marsh", "Music"),
             ("Words at Work", "Ada Quist", "Education"), ("Night Train Stories", "Sol Rivera", "Fiction"),
             ("Love Letters Read Aloud", "June Abbot", "Society"), ("Code and Coffee", "Ravi Sen", "Technology"),
             ("The Long Run", "Kai Lund", "Sports"), ("World in Fifteen", "Nora Vance", "News"))  # fmt: skip


@functools.cache
def podcasts_known() -> tuple[tuple[str, str, str, int], ...]:
    """Podcasts with who makes them, their genre and the year in which they began."""
    invented = tuple((*row, 2018 + number % 6) for number, row in enumerate(_INVENTED))
    known = (
        (row["title"], row["publisher"], row["genre"], int(row["year"])) for row in read_table("podcasts.tsv")
    )
    return (*invented, *known)
