"""What a tool gave back, as the text of an observation."""

from __future__ import annotations

import json
from collections.abc import Sequence

from toolyard.core.types import Json

FAILED = {"error": "The request could not be carried out."}


def observation(calls: Sequence[Json]) -> str:
    """What the calls of a turn returned, as one line of JSON; several calls under their names.

    Results that were recorded; `{}` where nothing was found, or where the corpus records none; an error where the
    call failed.
    """
    if not calls:
        return ""
    found = {call["name"]: returned(call) for call in calls}
    value = next(iter(found.values())) if len(calls) == 1 else found
    return json.dumps(value, ensure_ascii=False)


def returned(call: Json) -> Json:
    """What one call returned."""
    results = call["results"]
    if call["failed"]:
        return FAILED
    if not results:
        return {}
    if call["found"] > len(results):
        return {"found": call["found"], "results": results}
    return results[0] if len(results) == 1 else results
