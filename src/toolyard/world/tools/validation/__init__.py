"""Validation: scans of websites, checks of texts and phone numbers."""

from toolyard.world.kernel.categories import ALL, Category

CATEGORY = Category(content="computed", kinds=("web",), on_the_web=False, fields={ALL: {"web": 7}})
