"""Certificates side by side as Markdown: passed by surface, lost by part of the stack, defects with an example.

    python recipes/certificate_tables.py "bundled server=certificates/A/certificate.json" hf=certificates/B/certificate.json

Each argument is a column: its name and the certificate.json that `toolyard certify` left. No model is asked.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from toolyard.certify.certificate import explain_reason
from toolyard.certify.defects import DEFECTS, LAYERS, SUSPICIONS
from toolyard.certify.probe import SURFACES

Certificates = Mapping[str, Mapping[str, Any]]
NOTHING = "–"
EXAMPLE = 160


def main(arguments: Sequence[str]) -> None:
    """Prints the tables of the certificates that the arguments name."""
    pairs = [argument.partition("=") for argument in arguments]
    if not pairs or not all(name and path for name, _, path in pairs):
        sys.exit("wanted NAME=PATH of a certificate.json, one for each column")
    found = {name: orjson.loads(Path(path).read_bytes()) for name, _, path in pairs}
    sys.stdout.write("\n".join(lines(found)) + "\n")


def lines(certificates: Certificates) -> Iterator[str]:
    """All tables, line by line."""
    columns = list(certificates)
    yield from table(["", *columns], _by_surface(certificates))
    yield ""
    yield from table(["lost by", *columns], _by_part(certificates))
    yield ""
    yield from table(["defect", "part of the stack", *columns, "what was seen"], _by_defect(certificates))


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A Markdown table."""
    for cells in (head, ["---"] * len(head), *rows):
        yield f"| {' | '.join(cells)} |"


def _by_surface(certificates: Certificates) -> Iterator[list[str]]:
    for surface in SURFACES:
        yield [surface, *(_passed(item, surface) for item in certificates.values())]
    yield ["all", *(f"{item['passed']} of {item['counted']}" for item in certificates.values())]


def _passed(certificate: Mapping[str, Any], surface: str) -> str:
    counted = [each for each in certificate["outcomes"] if each["surface"] == surface and not each["skipped"]]
    return f"{sum(each['passed'] for each in counted)} of {len(counted)}" if counted else NOTHING


def _by_part(certificates: Certificates) -> Iterator[list[str]]:
    for layer in LAYERS:
        yield [layer, *(str(item["lost"][layer]) for item in certificates.values())]
    skipped = dict.fromkeys(why for item in certificates.values() for why in item["skipped"])
    for why in skipped:
        yield [f"left out: {why}", *(str(item["skipped"].get(why, 0)) for item in certificates.values())]


def _by_defect(certificates: Certificates) -> Iterator[list[str]]:
    for name, defect in {**DEFECTS, **SUSPICIONS}.items():
        kind = "suspicions" if name in SUSPICIONS else "defects"
        counts = [item[kind].get(name, 0) for item in certificates.values()]
        if any(counts):
            shown = [str(count) if count else NOTHING for count in counts]
            yield [f"`{name}`", defect.layer, *shown, _example(certificates, name)]


def _example(certificates: Certificates, name: str) -> str:
    """What the defect means, with the probe that showed it first and what came."""
    outcomes = (each for item in certificates.values() for each in item["outcomes"])
    first = next(each for each in outcomes if name in each["defects"] or each["why"] == name)
    # between backticks, because a model's words may be markup
    detail = " ".join(first["detail"].replace("`", "'").split())[:EXAMPLE].replace("|", "\\|")
    return f"{explain_reason(name)}; `{first['probe']}`{f': `{detail}`' if detail else ''}"


if __name__ == "__main__":
    main(sys.argv[1:])
