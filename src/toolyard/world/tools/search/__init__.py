"""Search: the web, pictures, shops and answers, over one store of documents."""

from toolyard.world.kernel.categories import ALL, Category

CATEGORY = Category(
    computed=("WolframSearch",),
    reference=("CostumizeSearch/get_nobel_results wiki_search",),
    kinds=("knowledge", "media"),
    public_people=True,
    general=True,
    about={"ShoppingSearch": "Product"},
    fields={ALL: {"web": 1}, "ShoppingSearch": {"leisure": 4}, "MultimodelSearch": {"leisure": 8}},
)
