"""Location: countries, regions and cities, and ticketed events with venues and performers."""

from toolyard.world.kernel.categories import ALL, Category

CATEGORY = Category(
    content="reference",
    simulated=("Ticket",),
    reference=("Ticket/classification_search get_claasificatioin_details",),
    kinds=("places",),
    takes=("places",),
    fields={ALL: {"trip": 2, "town": 3}},
)
