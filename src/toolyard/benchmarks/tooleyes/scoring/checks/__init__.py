"""What an answer must say, by typed values of observations, and whether it says it."""

from importlib import import_module
from types import ModuleType

from toolyard.core.errors import MissingExtra


def load_library(name: str) -> ModuleType:
    """A module of babel or pint; without the package the error names the line that installs it."""
    try:
        return import_module(name)
    except ImportError as error:
        raise MissingExtra(
            "answers are compared with babel and pint: pip install 'toolyard[world]'"
        ) from error
