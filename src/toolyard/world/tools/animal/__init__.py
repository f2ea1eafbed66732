"""Animals: cats and dogs by breed, with pictures and facts."""

from toolyard.world.kernel.categories import ALL, Category

CATEGORY = Category(
    reference=("Animal/cat_breed dog_breed",), kinds=("animals",), fields={ALL: {"leisure": 5}}
)
