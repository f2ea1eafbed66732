"""Codes that stand for all airports of a city."""

from __future__ import annotations

# Codes of cities that are not the code of one of their airports.
CITY_CODES = {
    "Paris": "PAR", "London": "LON", "New York": "NYC", "Moscow": "MOW", "Beijing": "BJS", "Tokyo": "TYO",
    "Milan": "MIL", "Rome": "ROM", "Washington": "WAS", "Chicago": "CHI", "Stockholm": "STO", "Osaka": "OSA",
    "Buenos Aires": "BUE", "Rio de Janeiro": "RIO", "São Paulo": "SAO", "Seoul": "SEL", "Bucharest": "BUH",
    "Houston": "HOU", "Detroit": "DTT", "Montreal": "YMQ", "Toronto": "YTO", "Reykjavík": "REK", "Jakarta": "JKT",
    "Kyiv": "IEV", "Sapporo": "SPK", "Shanghai": "SHA",
}  # fmt: skip
