"""What one share of a company tells of another: those in other markets often have a row with the name alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from toolyard.world.tables import read_table

_TOLD = ("sector", "industry", "country", "city")
# Shares whose company only has the name of another one.
_NAMESAKES = frozenset({"COMP", "NNBR", "CBDY", "SGBAF"})
# Names in the lists of dealers -> names at home, where more than the legal form is different.
_ALSO_CALLED = {
    "deutsche lufthansa a g": "lufthansa",
    "toyota motor corp/": "toyota motor",
    "heineken holding n v": "heineken",
    "wolters kluwer n v": "wolters kluwer",
    "fresenius se & co. kgaa": "fresenius",
    "kongsberg gruppen asa": "kongsberg gruppen",
    "telenor asa": "telenor",
    "yara international asa": "yara international",
    "great-west lifeco": "great-west lifeco",
}


def _best_known() -> list[dict[str, str]]:
    return [{**row, "city": row["head_office"] or row["city"]} for row in read_table("companies.tsv")]


def with_what_sisters_tell(
    rows: Iterable[dict[str, str]], abroad: Iterable[dict[str, str]], named: Callable[[str], str]
) -> list[dict[str, str]]:
    """Rows of listed companies; what one does not say of trade and home is that of another share."""
    rows = list(rows)
    known: dict[str, dict[str, str]] = {}
    for row in (*_best_known(), *abroad, *rows):
        if row["sector"] and row["country"]:
            known.setdefault(named(row["name"]), row)
    found = []
    for row in rows:
        open_ = row["ticker"] not in _NAMESAKES and not (row["sector"] and row["country"])
        name = named(row["name"]) if open_ else ""
        sister = known.get(name) or known.get(_ALSO_CALLED.get(name, ""))
        if sister and not row["sector"]:
            row = {**row, **{field: sister[field] for field in _TOLD}}
        elif sister:
            row = {**row, "country": sister["country"], "city": row["city"] or sister["city"]}
        found.append(row)
    return found
