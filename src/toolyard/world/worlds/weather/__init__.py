"""Weather: conditions, forecasts, history, astronomy and tides, on the shared cities."""

from toolyard.world.categories import ALL, Category

CATEGORY = Category(kinds=("places",), takes=("places",), fields={ALL: {"trip": 3}})
