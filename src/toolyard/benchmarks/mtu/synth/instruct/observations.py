"""What tools gave back, as observations: recorded results, nothing, or an error."""

from __future__ import annotations

import json
from collections.abc import Sequence

from toolyard.core.types import Json

FAILED = {"error": "The request could not be carried out."}


def observed(calls: Sequence[Json]) -> str:
    """What the calls of a turn returned, as one line of JSON; that of several calls under their names."""
    if not calls:
        return ""
    found = {call["name"]: call["returned"] if "returned" in call else returned(call) for call in calls}
    value = next(iter(found.values())) if len(calls) == 1 else found
    return json.dumps(value, ensure_ascii=False)


def returned(call: Json) -> Json:
    """What one call returned: an error where it failed, `{}` where nothing was found or the corpus records nothing."""
    results = call["results"]
    if call["failed"]:
        return FAILED
    if not results:
        return {}
    if call["found"] > len(results):
        return {"results": results, "more": True}
    return results[0] if len(results) == 1 else results
