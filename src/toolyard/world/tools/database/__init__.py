"""Databases: prizes, universities, companies and other records kept elsewhere."""

from toolyard.world.kernel.categories import ALL, Category

CATEGORY = Category(
    reference=("non_local/gutendex poetry",),
    kinds=("places", "knowledge"),
    public_people=True,
    fields={ALL: {"study": 5}},
)
