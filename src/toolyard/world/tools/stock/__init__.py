"""Stock: shares and options in short, and the date."""

from toolyard.world.kernel.categories import ALL, Category

CATEGORY = Category(
    computed=("Stock/add_date get_open_info get_today_date",),
    reference=("Stock/get_exchange_rate",),
    kinds=("money",),
    fields={ALL: {"money": 1}},
)
