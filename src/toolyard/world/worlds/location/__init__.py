"""Location: countries, regions and cities, and ticketed events with venues and performers."""

from toolyard.world.categories import ALL, Category

CATEGORY = Category(kinds=("places",), takes=("places",), fields={ALL: {"trip": 2, "town": 3}})
