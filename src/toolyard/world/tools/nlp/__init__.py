"""Text analysis: topics, sentiment, structure and language of a text, by rules."""

from toolyard.world.kernel.categories import ALL, Category

CATEGORY = Category(content="computed", kinds=("text",), on_the_web=False, fields={ALL: {"study": 8}})
