"""Options of a command out of a file.

benchmark: nestools,mtu
model: [base=local, tuned=local-tuned]
limit: 20
options: {history: own}        # of the benchmark itself
"""

from collections.abc import Mapping
from pathlib import Path

import typer

from toolyard.cli.output import FILE_OPTIONS
from toolyard.core.errors import DataError, did_you_mean
from toolyard.core.types import JsonValue
from toolyard.lines import whole_text
from toolyard.text.yaml_text import read_yaml

OWN = "options"
WANTED = "wanted a YAML file with the options of the command, e.g. `limit: 20`"


def take_settings(context: typer.Context, file: Path | None) -> Path | None:
    """Makes the file's values the defaults of the command; a key that is no option is refused."""
    if file is None:
        return None
    try:
        found = read_yaml(whole_text(file, WANTED))
    except ValueError as error:
        raise DataError(f"{file} is not YAML ({error}); {WANTED}") from None
    if not isinstance(found, Mapping):
        raise DataError(f"{file} is not an object; {WANTED}")
    lists = {item.name: bool(item.multiple) for item in context.command.params if hasattr(item, "multiple")}
    known = [item.name for item in context.command.params if item.name]
    values: dict[str, JsonValue] = {}
    for key, value in found.items():
        name = str(key).replace("-", "_")
        if name == OWN and isinstance(value, Mapping):
            context.meta[FILE_OPTIONS] = {str(own): str(given) for own, given in value.items()}
            continue
        if name not in known:
            meant = did_you_mean(name, known)
            raise DataError(
                f"{file}: {key!r} is not an option of {context.command_path}; {meant}see its --help"
            )
        values[name] = [value] if lists.get(name) and not isinstance(value, list) else value
    context.default_map = {**(context.default_map or {}), **values}
    return file
