"""IP: network addresses, where they are and whose."""

from toolyard.world.kernel.categories import ALL, Category

CATEGORY = Category(content="reference", kinds=("places", "web"), on_the_web=False, fields={ALL: {"web": 8}})
