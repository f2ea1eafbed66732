"""Database/non_local: names that are written in several ways."""

import re
from typing import Literal, TypedDict

from toolyard.core.ordered_sums import group_items
from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import invalid, not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import plain, table_texts
from toolyard.world.reference.companies import companies
from toolyard.world.reference.people import person

GROUP = Group("Database/non_local")
_LEGAL = frozenset(
    "inc incorporated corp corporation co company ltd limited llc plc sa ag se nv spa group holdings the".split()
)
_SHORT = table_texts("name_match.short")


class Keyed(TypedDict):
    name: str
    similarity_key: str


class MatchReport(TypedDict, total=False):
    records: int
    groups: list[list[str]]
    keys: list[Keyed]
    statements: list[str]
    text: str


def similarity_key(name: str) -> str:
    """A key that is equal for spellings of one name: no case, marks, legal forms or vowels after the first letter."""
    parts = [_SHORT.get(part, part) for part in re.findall(r"[^\W_]+", plain(name).replace(".", ""))]
    kept = [part for part in parts if part not in _LEGAL] or parts
    return "".join(_consonant_key(part) for part in sorted(kept))


def _consonant_key(part: str) -> str:
    """The first letter of a part and its consonants; initials such as BHP, which have no vowel, as they are."""
    if not re.search(r"[aeiouy]", part):
        return part
    return part[0] + re.sub(r"[aeiouyh]|(.)(?=\1)", "", part[1:])


def _without_legal_form(name: str) -> str:
    """A company's name without article and legal form: Procter & Gamble."""
    parts = name.replace(",", "").split()
    return " ".join(part for part in parts if part.lower().replace(".", "") not in _LEGAL).removesuffix(" &")


_FORMS = table_texts("name_match.forms")


def _spelt_otherwise(name: str) -> str:
    """A company's name with its legal form written in another way, or without it."""
    head, _, last = name.replace(",", "").rpartition(" ")
    other = _FORMS.get(last.lower())
    return f"{head} {other}" if other and other.lower() != last.lower() else _without_legal_form(name).upper()


@seeds.table
def _name_tables(seed: int) -> dict[str, tuple[str, ...]]:
    """The three tables that names can be matched in, each with several spellings of some names."""
    chance = seeds.stream(seed, "match")
    firms = [row["name"] for row in chance.sample(companies(), 14)]
    firms += [name.upper().replace(",", "") for name in firms[:5]] + [
        _spelt_otherwise(name) for name in firms[5:9]
    ]
    people = [person(seed, "customer", n)["name"] for n in range(14)]
    people += [name.upper() for name in people[:4]] + [
        ", ".join(reversed(name.split())) for name in people[4:7]
    ]
    streets = [
        f"{n * 7 + 3} {word} Street"
        for n, word in enumerate(("Oak", "Lake", "Mill", "High", "Park", "River"))
    ]
    streets += [text.replace("Street", "St.") for text in streets[:4]]
    return {"company": tuple(firms), "individual": tuple(people), "address": tuple(streets)}


@GROUP.tool(
    examples=[
        {"function": "match", "process": "matchreport", "category": "company"},
        {"process": "keysonly", "category": "individual", "source": "CSV", "table": "CSV", "column": "1"},
    ],
    phrase=(
        "find different spellings of the same name in a customer table[, with the function set to "
        "{function}][, with the process set to {process}][, with the name category set to {category}][, with "
        "the kind of data source set to {source}][, with the table set to {table}][, with the name column "
        "set to {column}]"
    ),
    noun="the name matching result",
    fields={"os": 10},
)
def company_name_match(
    world: World,
    *,
    function: Literal["match"] = "match",
    process: Literal["matchreport", "keysonly", "gensql", "createtable"] = "matchreport",
    category: Literal["company", "individual", "address"] = "company",
    source: str = "CSV",
    connection: str = "https://data.example/customers.csv",
    table: str = "CSV",
    column: str = "1",
    json: bool = True,
    html: bool = False,
) -> MatchReport:
    """Names in a customer table that are different spellings of one, found by similarity keys.

    function: What to do; match is the only choice.
    process: Report groups of equal names, list all keys, or write SQL that stores or prepares them.
    category: What the names are: companies, persons or addresses.
    source: Kind of data source; only CSV is there.
    connection: Address of the source; customers.csv at data.example is the only one.
    table: Table to read, CSV for a text file.
    column: Column of the names, 1 in customers.csv.
    json: false adds the result as plain text.
    html: Whether lines of that text end in <br>.
    """
    if not re.search(r"customers\.csv$", connection.strip()[-60:]):
        raise not_found("data source", connection[:80], known=("https://data.example/customers.csv",))
    if source.strip().upper() != "CSV":
        raise invalid("source", source[:40], "customers.csv is a CSV source")
    if table.strip().upper() not in ("CSV", "CUSTOMERS", "CUSTOMERS.CSV"):
        raise invalid("table", table[:40], "a text file has the one table CSV")
    if column.strip() != "1":
        raise invalid("column", column[:40], "the names of customers.csv stand in column 1")
    report = _match_report(_name_tables(world.seed)[category], process, category)
    if not json:
        report["text"] = ("<br>\n" if html else "\n").join(_report_lines(report))
    return report


def _report_lines(report: MatchReport) -> list[str]:
    """A report as lines of text."""
    return [
        f"{report['records']} records",
        *(" = ".join(group) for group in report.get("groups", ())),
        *(f"{row['name']}: {row['similarity_key']}" for row in report.get("keys", ())),
        *report.get("statements", ()),
    ]


def _match_report(names: tuple[str, ...], process: str, category: str) -> MatchReport:
    keys: list[Keyed] = [{"name": name, "similarity_key": similarity_key(name)} for name in names]
    report: MatchReport = {"records": len(names)}
    if process == "matchreport":
        groups = group_items(keys, lambda row: row["similarity_key"]).values()
        report["groups"] = [[row["name"] for row in group] for group in groups if len(group) > 1]
    elif process == "keysonly":
        report["keys"] = keys
    else:
        report["statements"] = _sql_statements(process, category, keys)
    return report


def _sql_statements(process: str, category: str, keys: list[Keyed]) -> list[str]:
    create = f"CREATE TABLE {category}_keys (name TEXT, similarity_key TEXT);"
    if process == "createtable":
        return [create]
    quoted = [(row["name"].replace("'", "''"), row["similarity_key"]) for row in keys]
    insert = "INSERT INTO " + category + "_keys VALUES"
    return [create, *(f"{insert} ('{name}', '{key}');" for name, key in quoted)]
