"""How often people search for something."""

from toolyard.world.kernel import seeds
from toolyard.world.kernel.tables import plain


def term_popularity(seed: int, term: str) -> float:
    """Searches for a term in arbitrary units, 2.5 to 16."""
    return 10 ** (0.4 + 0.8 * seeds.unit(seed, "popularity", plain(term)))
