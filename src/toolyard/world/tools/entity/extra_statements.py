"""Entity: statements beyond those of the encyclopaedia: families, founders, heads of states, neighbours of countries.

entity_statements.tsv: Frida Kahlo	P26=Diego Rivera;P20=Mexico City
entity_groups.tsv: P166	Fields Medal	Terence Tao;Maryam Mirzakhani
"""

import functools
from collections.abc import Mapping

from toolyard.world.kernel.tables import read_table
from toolyard.world.reference.companies import companies
from toolyard.world.reference.encyclopaedia.entry import Entry
from toolyard.world.reference.packed_tables import packed_table
from toolyard.world.reference.places.geography import country_names

# Relations of which a thing has one value, the encyclopaedia's before ours.
_SINGLE = frozenset(("P20", "P571", "P856"))
_CODE, _NEIGHBOURS = 0, -1
_NO_BORDER = {"US", "CU"}  # a naval base is none


@functools.cache
def _further_statements() -> Mapping[str, Mapping[str, list[str]]]:
    """Title -> relation -> values, out of the table and of what is known of countries and companies."""
    found: dict[str, dict[str, list[str]]] = {}
    for row in read_table("entity_statements.tsv"):
        pairs = (part.split("=", 1) for part in row["statements"].split(";"))
        found[row["title"]] = {key: value.split("|") for key, value in pairs}
    for row in read_table("entity_groups.tsv"):
        for title in row["titles"].split(";"):
            found.setdefault(title, {"P21": []}).setdefault(row["relation"], []).append(row["value"])
    names = country_names()
    for land in packed_table("countries"):
        beside = sorted(
            names[code]
            for code in land[_NEIGHBOURS].split(",")
            if code in names and {code, land[_CODE]} != _NO_BORDER
        )
        if beside and land[_CODE] in names:
            found.setdefault(names[land[_CODE]], {})["P47"] = beside
    called = {row["ticker"]: row["name"] for row in companies()}
    for row in read_table("officers.tsv"):
        if row["title"] == "Chief Executive Officer" and row["ticker"] in called:
            found.setdefault(called[row["ticker"]], {})["P169"] = [row["name"]]
    return found


_LANGUAGES = frozenset("Q1860 Q150 Q188 Q1321 Q652 Q5287 Q7850 Q7737 Q13955 Q1568 Q5146".split())
_AGENCIES = frozenset(("NASA", "UNESCO", "NATO"))


def add_statements(entry: Entry) -> Entry:
    """An entry with all that is stated about it; a song called after a band is not that band."""
    if entry["qid"] in _LANGUAGES:
        return {**entry, "kind": "language", "properties": {"P31": ["language"], **entry["properties"]}}
    if entry["title"] in _AGENCIES and "P279" in entry["properties"]:
        kinds = {"P31" if key == "P279" else key: values for key, values in entry["properties"].items()}
        entry = {**entry, "properties": kinds}
    told = _further_statements().get(entry["title"])
    own = entry["properties"]
    about_person = told is not None and ("P21" in told) == (entry["kind"] == "person")
    if told is None or not about_person or entry["kind"] in ("song", "book", "album", "film", "word"):
        return entry
    if {"P47", "P35"} & told.keys() and entry["kind"] != "country":
        return entry
    if "P2043" in told and "river" not in (entry["kind"], *own.get("P31", ())):
        return entry
    merged = {
        key: list(dict.fromkeys((*own.get(key, ()), *values)))
        for key, values in told.items()
        if values and not (key in _SINGLE and key in own)
    }
    return {**entry, "properties": {**own, **merged}}
