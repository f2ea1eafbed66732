"""Markets: shares, funds, currencies, coins, commodities and the economy, all on the same price paths."""

from toolyard.world.kernel.categories import Category

CATEGORY = Category(
    reference=(
        "Currency_Converter",
        "CoinMarketCap/get_coinmarketmap_id_map_exchange get_coinmarketmap_id_map_fiat",
        "Latest_Mutual_Fund_NAV/fetch_all_mutual_fund_families fetch_all_scheme_types",
        "Latest_Mutual_Fund_NAV/fetch_scheme_categories_by_scheme_type",
        "Technical_Indicators/get_all_technical_indicators_available get_technical_indicator_description",
        "Yahoo_Finance_market/get_tickers_by_quote_type",
        "Yahoo_Finance_stock/get_profile",
        "Yelp/yelp_all_categories yelp_category_details",
    ),
    computed=("USStockRealTime/get_global_market_open_and_close_status",),
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
