"""Art: the objects, exhibitions and makers of a museum."""

from toolyard.world.categories import ALL, Category

CATEGORY = Category(
    reference=("Harvard_art_museum/get_resource_in_iiif",),
    kinds=("knowledge",),
    public_people=True,
    fields={ALL: {"study": 3}},
)
