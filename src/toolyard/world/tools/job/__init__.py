"""Jobs: employers, postings and salaries, on the shared companies and cities."""

from toolyard.world.kernel.categories import ALL, Category

CATEGORY = Category(kinds=("places",), fields={ALL: {"town": 2, "web": 11}})
