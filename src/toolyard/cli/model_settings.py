"""Keys, addresses and prices that a command finds around its MODEL arguments."""

from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import typer

from toolyard.models.environment_settings import address_line, fill_in_price, load_variables, read_prices
from toolyard.text.printable import printable_line

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Chosen = TypeVar("Chosen", bound="DataclassInstance")
# Fields that name a model.
MODELS = ("model", "judge", "rewriter", "checker", "against", "writer")


def fill_in_models(settings: Chosen, env_file: Path | None, prices: Path | None) -> Chosen:
    """The settings with each model's address and price where it names none; an address that was found is printed."""
    if env_file is not None:
        load_variables(env_file)
    listed = None if prices is None else read_prices(prices)
    found: dict[str, str] = {}
    for item in fields(settings):
        value = getattr(settings, item.name)
        if item.name in MODELS and isinstance(value, str) and value:
            found[item.name] = fill_in_price(value, listed)
            if line := address_line(found[item.name]):
                typer.echo(printable_line(line), err=True)
    return replace(settings, **found)
