"""Sectors and industries of companies, by the labels that sources use and by words of names."""

from __future__ import annotations

import re
from collections.abc import Sequence

# Words of an industry or a name -> sector, industry; the first that fits counts.
SECTORS = (
    (r"non-cyclical|consumer staples", "Consumer Defensive", "Household Products"),
    (r"semiconductor", "Technology", "Semiconductors"),
    (r"software|internet serv|cloud", "Technology", "Software"),
    (r"it services|consulting|information technology|computer", "Technology", "IT Services"),
    (r"consumer electronics", "Technology", "Consumer Electronics"),
    (
        r"communications? equipment|networking|electronic|technolog|electric machinery|precision",
        "Technology",
        "Communication Equipment",
    ),
    (r"reit\b|reti\b|real estate|realty|immobilien|properties|property trust", "Real Estate", "REIT"),
    (r"insur|assurance|versicherung", "Financial Services", "Insurance"),
    (r"\bbanks?\b|bancorp|banking|bancshares|savings", "Financial Services", "Banks"),
    (
        r"capital|invest|asset management|securities|acquisition|finance|fund\b|holdings? trust|financial",
        "Financial Services",
        "Capital Markets",
    ),
    (r"biotech|therapeutics|biopharma|bioscience|genetic|genomic|oncolog", "Healthcare", "Biotechnology"),
    (r"pharma|drug", "Healthcare", "Drug Manufacturers"),
    (r"health|medical|medicine|surgical|diagnostic|hospital", "Healthcare", "Medical Devices & Services"),
    (r"oil|gas\b|petrol|fossil|drilling|energy|uranium", "Energy", "Oil & Gas Integrated"),
    (r"utilit|electric power|water (works|util)|power\b", "Utilities", "Utilities"),
    (r"telecom|wireless|communication services", "Communication Services", "Telecom Services"),
    (r"media|broadcast|entertainment|publishing|film|video game", "Communication Services", "Entertainment"),
    (r"gold|silver", "Basic Materials", "Gold"),
    (r"chemical|materials", "Basic Materials", "Chemicals"),
    (r"mining|steel|metal|mineral|copper|lithium|paper|forest", "Basic Materials", "Mining"),
    (r"automo|auto |vehicle|tire", "Consumer Cyclical", "Auto Manufacturers"),
    (r"restaurant", "Consumer Cyclical", "Restaurants"),
    (r"apparel|clothing|fashion|textile|footwear|shoe", "Consumer Cyclical", "Apparel Retail"),
    (r"luxury|jewel", "Consumer Cyclical", "Luxury Goods"),
    (r"hotel|travel|casino|leisure|cruise|resort|gaming", "Consumer Cyclical", "Travel Services"),
    (r"e-commerce|internet retail", "Consumer Cyclical", "Internet Retail"),
    (
        r"home ?build|furniture|home improvement|cyclical|consumer discretionary",
        "Consumer Cyclical",
        "Consumer Services",
    ),
    (r"beverage|brew|drink|distill", "Consumer Defensive", "Beverages"),
    (r"tobacco|food|agri|farm", "Consumer Defensive", "Packaged Foods"),
    (r"supermarket|grocer|retail|stores", "Consumer Defensive", "Discount Stores"),
    (
        r"household|personal (care|product)|cosmetic|consumer goods",
        "Consumer Defensive",
        "Household Products",
    ),
    (r"aerospace|defen[cs]e|aviation", "Industrials", "Aerospace & Defense"),
    (r"airline|luftfahrt|airways", "Industrials", "Airlines"),
    (r"logistic|freight|transport|shipping|rail|truck|postal|marine", "Industrials", "Freight & Logistics"),
    (r"machin", "Industrials", "Farm & Heavy Machinery"),
    (r"conglomerate|trading compan", "Industrials", "Conglomerates"),
    (
        r"construction|engineering|industrial|manufactur|packaging|services",
        "Industrials",
        "Diversified Industrials",
    ),
)
# What sources call a whole sector.
LABELS = {
    "financials": "Financial Services",
    "industrials": "Industrials",
    "consumer discretionary": "Consumer Cyclical",
    "health care": "Healthcare",
    "healthcare": "Healthcare",
    "information technology": "Technology",
    "technology": "Technology",
    "real estate": "Real Estate",
    "energy": "Energy",
    "utilities": "Utilities",
    "materials": "Basic Materials",
    "basic materials": "Basic Materials",
    "consumer staples": "Consumer Defensive",
    "consumer cyclicals": "Consumer Cyclical",
    "consumer non-cyclicals": "Consumer Defensive",
    "communication services": "Communication Services",
    "travel": "Consumer Cyclical",
    "telecommunications": "Communication Services",
    "automotive": "Consumer Cyclical",
    "foods": "Consumer Defensive",
    "chemicals": "Basic Materials",
    "pharmaceuticals": "Healthcare",
    "banking": "Financial Services",
    "retail": "Consumer Cyclical",
    "machinery": "Industrials",
    "construction": "Industrials",
}


def sector(labels: Sequence[str], name: str) -> tuple[str, str]:
    """Sector and industry by the labels of a source, else by words of the name; two empty ones where nothing tells."""
    named = [LABELS[label.lower()] for label in labels if label.lower() in LABELS]
    wanted = max(named, key=named.count) if named else None
    fitting = [
        (kind, industry)
        for text in (*labels, name)
        for pattern, kind, industry in SECTORS
        if re.search(pattern, text.lower()) and wanted in (None, kind)
    ]
    if fitting:
        return max(fitting, key=fitting.count)
    return (wanted, wanted) if wanted else ("", "")
