"""Arguments as they were meant: a date in any usual form becomes the YYYY-MM-DD that the schema declares."""

from collections.abc import Mapping
from datetime import date

from toolyard.core.types import JsonValue
from toolyard.world.kernel.document import Document
from toolyard.world.kernel.faults import invalid
from toolyard.world.kernel.schema import Schema
from toolyard.world.kernel.types import DATE_PATTERN


def normalise_dates(
    document: Document,
    arguments: Mapping[str, JsonValue],
    today: date,
    renames: Mapping[str, str] | None = None,
) -> dict[str, JsonValue]:
    """The arguments with every written date in the declared form; what is no date stays as it is.

    A day that the calendar does not have is an invalid_value fault.
    """
    schemas = {parameter.name: parameter.schema for parameter in document.parameters}
    return {
        given: _normalise_date(value, schemas.get((renames or {}).get(given, given), {}), given, today)
        for given, value in arguments.items()
    }


def _normalise_date(value: JsonValue, schema: Schema, parameter: str, today: date) -> JsonValue:
    if isinstance(value, list) and "items" in schema:
        return [_normalise_date(item, schema["items"], parameter, today) for item in value]
    if not isinstance(value, str) or schema.get("pattern") != DATE_PATTERN:
        return value
    from toolyard.world.reference.days import find_day, read_date

    try:
        found = read_date(value)
        if found is None and len(value) <= 40:
            named = find_day(value.strip(), today)
            found = named.day if named and named.span == (0, len(value.strip())) else None
    except ValueError:
        raise invalid(parameter, value[:60], "the calendar has no such day; want YYYY-MM-DD") from None
    return found.isoformat() if found else value
