"""Manufacturer identifiers, models and number patterns of vehicles, out of vin (data of the US NHTSA).

python recipes/world_tables/vehicles.py FOLDER   # holds vin/ as an unpacked wheel
"""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

from packing import write

WMIS = """
select w.code, m.id, m.name, coalesce(k.name, ''), coalesce(w.country, ''), v.name
from wmi w join manufacturer m on m.id = w.manufacturer_id left join make k on k.id = w.make_id
join vehicle_type v on v.id = w.vehicle_type_id order by w.code
"""
MAKES = """
select p.wmi, k.name, count(*) from pattern p join make k on k.id = p.make_id
group by p.wmi, k.id order by p.wmi, count(*), k.name
"""
MODELS = """
select k.name, k.id, o.id, o.name, v.name, min(p.from_year), max(p.to_year)
from pattern p join make k on k.id = p.make_id join model o on o.id = p.model_id
join wmi w on w.code = p.wmi join vehicle_type v on v.id = w.vehicle_type_id
group by k.id, o.id, v.id order by k.name, o.name, v.name
"""
PATTERNS = """
select p.wmi, p.vds, k.name, o.name, min(p.from_year), max(p.to_year)
from pattern p join make k on k.id = p.make_id join model o on o.id = p.model_id
group by p.wmi, p.vds, k.id, o.id order by p.wmi, p.vds, k.name, o.name
"""


def main() -> None:
    """Writes vehicle_wmis, vehicle_models and vehicle_patterns."""
    connection = sqlite3.connect(Path(sys.argv[1]) / "vin" / "vin" / "vehicle.db")
    wmi_columns = ("wmi", "manufacturer_id", "manufacturer", "make", "country", "vehicle_type")
    # The make that most patterns of an identifier name; the identifier's own make is often a rare one.
    makes = {wmi: make for wmi, make, _ in connection.execute(MAKES)}
    wmis = [(w, i, name, makes.get(w, make), *rest) for w, i, name, make, *rest in connection.execute(WMIS)]
    write("vehicle_wmis", wmi_columns, wmis)
    model_columns = ("make", "make_id", "model_id", "model", "vehicle_type", "first_year", "last_year")
    write("vehicle_models", model_columns, connection.execute(MODELS))
    pattern_columns = ("wmi", "signs", "make", "model", "first_year", "last_year")
    write("vehicle_patterns", pattern_columns, connection.execute(PATTERNS))


if __name__ == "__main__":
    main()
