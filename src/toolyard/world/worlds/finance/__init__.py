"""Markets: shares, funds, currencies, coins, commodities and the economy, all on the same price paths."""

from toolyard.world.categories import Category

CATEGORY = Category(
    kinds=("money",),
    about={"Yelp": "Location"},
    fields={
        "Currency_Converter": {"trip": 5},
        "USStockInfo": {"money": 2},
        "USStockRealTime": {"money": 3},
        "Yahoo_Finance_market": {"money": 4},
        "Yahoo_Finance_stock": {"money": 5},
        "CoinMarketCap": {"money": 6},
        "Commodities": {"money": 7},
        "Economic_Indicators": {"money": 8},
        "Technical_Indicators": {"money": 9},
        "Yelp": {"town": 1},
    },
)
