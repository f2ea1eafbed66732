"""Art: the objects, exhibitions and makers of a museum."""

from toolyard.world.kernel.categories import ALL, Category

CATEGORY = Category(
    kinds=("knowledge",),
    public_people=True,
    fields={ALL: {"study": 3}},
)
