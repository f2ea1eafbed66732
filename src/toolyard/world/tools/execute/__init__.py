"""Execute: Python, shell and SQL, all inside the world."""

from toolyard.world.kernel.categories import ALL, Category

CATEGORY = Category(content="computed", on_the_web=False, general=True, fields={ALL: {"os": 1}})
# What a few lines of code can do.
BY_CODE = (
    *("Calculator", "Random", "Comparison", "Execute", "Faker", "File/file_operation", "Word"),
    *("Stock/Stock/add_date", "Stock/Stock/get_today_date", "Calendar/Calendar/current_date"),
    "Health/Fitness_Calculator",
)
