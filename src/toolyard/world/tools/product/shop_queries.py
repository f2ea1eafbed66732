"""What is asked of shops: a thing of the catalogue, else a fault with what is near it."""

from toolyard.world.kernel.faults import invalid, not_found
from toolyard.world.kernel.tables import plain
from toolyard.world.simulated.product.goods import search_goods
from toolyard.world.simulated.product.kinds import article_kinds


def clean_query(query: str) -> str:
    """What is asked for; a fault where it is nothing, or nothing that any shop has."""
    if not plain(query):
        raise invalid("query", query, "say what to buy, e.g. coffee")
    if not search_goods(0, query):
        raise not_found("goods for", query[:80], known=[kind.title for kind in article_kinds()])
    return query
