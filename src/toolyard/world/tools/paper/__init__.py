"""Papers: authors, citations and abstracts of one library under three services."""

from toolyard.world.kernel.categories import ALL, Category

CATEGORY = Category(
    reference=("meta_analysis/get_paper_complete",),
    kinds=("knowledge",),
    public_people=True,
    fields={ALL: {"study": 1, "web": 9}},
)
