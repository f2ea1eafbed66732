"""Writes coin_names.tsv.xz: symbol and name of the coins that trackers list; prices are not in it.

python recipes/world_tables/coin_names.py FOLDER_WITH_UNPACKED_PACKAGES   # cryptocurrencies
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from packing import write


def main(folder: str) -> None:
    """Writes the table, in the order of the symbols."""
    names = json.loads((Path(folder) / "package" / "cryptocurrencies.json").read_text("utf-8"))
    rows = [
        (symbol, " ".join(str(name).split()))
        for symbol, name in names.items()
        if re.fullmatch(r"[A-Z0-9]{2,8}", symbol) and re.search(r"[A-Za-z]{2}", symbol + str(name))
    ]
    write("coin_names", ("symbol", "name"), rows)


if __name__ == "__main__":
    main(sys.argv[1])
