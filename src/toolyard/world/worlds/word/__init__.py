"""Words: a lexicon with meanings, rhymes and relations."""

from toolyard.world.categories import ALL, Category

CATEGORY = Category(content="reference", kinds=("text",), invented=True, fields={ALL: {"study": 6}})
