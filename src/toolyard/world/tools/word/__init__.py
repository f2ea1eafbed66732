"""Words: a lexicon with meanings, rhymes and relations."""

from toolyard.world.kernel.categories import ALL, Category

CATEGORY = Category(content="reference", kinds=("text",), invented=True, fields={ALL: {"study": 6}})
