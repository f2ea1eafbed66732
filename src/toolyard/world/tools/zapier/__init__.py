"""Zapier: actions on mail, files and calendar in one sentence."""

from toolyard.world.kernel.categories import Category

CATEGORY = Category(content="computed", kinds=("text",), on_the_web=False, general=True)
