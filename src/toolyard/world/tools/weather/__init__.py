"""Weather: conditions, forecasts, history, astronomy and tides, on the shared cities."""

from toolyard.world.kernel.categories import ALL, Category

CATEGORY = Category(
    computed=("weatherapi/astronomy_info",),
    reference=("weatherapi/ip_lookup search sports time_zone",),
    kinds=("places",),
    takes=("places",),
    fields={ALL: {"trip": 3}},
)
