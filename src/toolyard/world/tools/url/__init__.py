"""URL: addresses shortened and resolved."""

from toolyard.world.kernel.categories import ALL, Category

CATEGORY = Category(content="computed", kinds=("web",), on_the_web=False, fields={ALL: {"web": 3}})
