"""Countries and territories as entries of the encyclopaedia."""

from collections.abc import Iterator

from toolyard.world.kernel.tables import table_words
from toolyard.world.reference.encyclopaedia.entry import Entry, language_relation
from toolyard.world.reference.places.geography import countries, currencies


def _population_text(count: int) -> str:
    millions = f"{count / 1e6:,.1f}".removesuffix(".0")
    return f"{millions} million people" if count >= 1_000_000 else f"{count:,} people"


# Lands with a code of their own that are no states.
_TERRITORIES = frozenset(table_words("country_entries.territories"))


def country_entries() -> Iterator[Entry]:
    """One entry for each."""
    from babel import Locale

    money = {row["code"]: row["name"] for row in currencies()}
    spoken = Locale.parse("en").languages
    for row in countries():
        if not row["population"] and not row["capital"]:  # Antarctica and empty islands are no countries
            continue
        kind = "territory" if row["code"] in _TERRITORIES else "country"
        yield Entry(
            title=row["name"],
            kind="country",
            field="geography",
            qid=row["wikidata_id"],
            aliases=[row["code"], row["code3"]],
            properties={
                "P31": [kind],
                "P30": [row["continent"]],
                **({"P36": [row["capital"]]} if row["capital"] else {}),
                "P38": [money[row["currency"]]],
                language_relation(row["code"]): [spoken.get(code, code) for code in row["languages"]],
                "P297": [row["code"]],
                "P1082": [str(row["population"])],
                "P2046": [f"{row['area_km2']} km²"],
            },
            text=f"{row['name']} is a {kind} in {row['continent']}. {_capital_text(row['capital'])}"
            f"the {money[row['currency']]}. About {_population_text(row['population'])} live on "
            f"{row['area_km2']:,} square kilometres. The calling code is {row['calling_code']}.",
        )


def _capital_text(capital: str) -> str:
    return f"Its capital is {capital}, its currency " if capital else "Its currency is "
