"""Calendar: dates, zones, working days and holidays."""

from toolyard.world.kernel.categories import ALL, Category

CATEGORY = Category(
    content="reference", kinds=("places",), takes=("places", "dates"), fields={ALL: {"trip": 4}}
)
