"""Countries in which a first name or a surname is at home, from the name lists of two generators of test data.

python recipes/world_tables/name_origins.py FOLDER    # with mimesis unpacked in it; faker is installed
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import faker.providers.person
from packing import write

from toolyard.world.kernel.tables import plain

LISTS = (
    "first_names", "first_names_female", "first_names_male", "first_names_nonbinary", "last_names", "last_names_female",
    "last_names_male", "first_romanized_names", "last_romanized_names", "romanized_last_names",
)  # fmt: skip
# Where a language is not at home in the country of the same letters.
COUNTRIES = {
    "en": "US", "cs": "CZ", "da": "DK", "el": "GR", "et": "EE", "fa": "IR", "ja": "JP", "ko": "KR", "sv": "SE", "uk": "UA",
    "zh": "CN", "kk": "KZ", "he": "IL", "hi": "IN", "ar": "EG", "vi": "VN", "sl": "SI", "ta": "IN", "tl": "PH", "ka": "GE",
    "hy": "AM", "bn": "BD", "sq": "AL", "ga": "IE", "ne": "NP", "nl-be": "BE", "pt-br": "BR", "es-mx": "MX",
}  # fmt: skip
_NAME = re.compile(r"[a-z][a-z' -]{1,24}")
MOST = 5


def country_of(locale: str) -> str:
    """The country of a locale such as de_AT, en-gb or fr."""
    if locale.lower() in COUNTRIES:
        return COUNTRIES[locale.lower()]
    parts = re.split("[-_]", locale)
    return parts[-1].upper() if len(parts) > 1 and len(parts[-1]) == 2 else parts[0].upper()


def of_faker() -> Iterator[tuple[str, Mapping[str, float]]]:
    """Country and how large a part of it bears a name, by the lists of Faker."""
    for module in pkgutil.iter_modules(faker.providers.person.__path__):
        provider = importlib.import_module(f"faker.providers.person.{module.name}").Provider
        for attribute in LISTS:
            names = provider.__dict__.get(attribute, ())
            if not isinstance(names, dict | list | tuple | set):
                continue
            weights = dict(names) if isinstance(names, dict) else dict.fromkeys(sorted(names), 1.0)
            whole = sum(weights.values()) or 1.0
            yield country_of(module.name), {name: weight / whole for name, weight in weights.items()}


def of_mimesis(folder: Path) -> Iterator[tuple[str, Mapping[str, float]]]:
    """The same by the lists of mimesis."""
    for path in sorted((folder / "mimesis" / "datasets").glob("*/person.json")):
        person = json.loads(path.read_text("utf-8"))
        for key in ("names", "surnames"):
            groups = person.get(key, {})
            for names in groups.values() if isinstance(groups, dict) else (groups,):
                yield country_of(path.parent.name), dict.fromkeys(names, 1 / len(names)) if names else {}


def rows(folder: Path) -> Iterator[tuple[str, str]]:
    """Names with their countries, the likeliest first."""
    found: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for country, names in (*of_faker(), *of_mimesis(folder)):
        for name, share in names.items():
            if len(country) == 2 and _NAME.fullmatch(plain(name)):
                found[plain(name)][country] += share
    for name, shares in found.items():
        whole = sum(shares.values())
        ranked = sorted(shares.items(), key=lambda item: (-item[1], item[0]))[:MOST]
        yield name, ",".join(f"{country}:{100 * share / whole:.0f}" for country, share in ranked)


if __name__ == "__main__":
    write("name_origins", ("name", "countries"), rows(Path(sys.argv[1])))
