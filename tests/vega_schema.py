"""Whether a chart's specification is valid Vega-Lite, by the schema that altair carries."""

import json
from functools import cache
from importlib.resources import files
from typing import Any

from jsonschema import Draft7Validator

# Added to every chart by the theme; the engine takes nulls there that the schema does not name.
OF_THE_THEME = ("background", "config")


@cache
def validator() -> Draft7Validator:
    """The validator of a whole specification."""
    schema = files("altair.vegalite.v6.schema").joinpath("vega-lite-schema.json").read_text(encoding="utf-8")
    definitions = json.loads(schema)["definitions"]
    return Draft7Validator({"$ref": "#/definitions/TopLevelSpec", "definitions": definitions})


def is_vega_lite(spec: dict[str, Any]) -> bool:
    """Whether the specification is one."""
    return validator().is_valid({key: value for key, value in spec.items() if key not in OF_THE_THEME})
