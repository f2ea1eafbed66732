"""Translation between a few languages, by lexicon."""

from toolyard.world.kernel.categories import ALL, Category

CATEGORY = Category(
    content="reference", kinds=("text",), invented=True, on_the_web=False, fields={ALL: {"study": 7}}
)
