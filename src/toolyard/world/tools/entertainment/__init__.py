"""Entertainment: apps, games, books and films of an app store."""

from toolyard.world.kernel.categories import ALL, Category

CATEGORY = Category(
    kinds=("places", "media"), takes=("places",), public_people=True, fields={ALL: {"leisure": 2}}
)
