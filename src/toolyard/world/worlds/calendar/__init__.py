"""Calendar: dates, zones, working days and holidays."""

from toolyard.world.categories import ALL, Category

CATEGORY = Category(kinds=("places",), takes=("places", "dates"), fields={ALL: {"trip": 4}})
