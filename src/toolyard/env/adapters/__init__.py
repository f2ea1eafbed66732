"""The environment in the forms of other libraries: one module each, imported only when asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from toolyard.core.errors import MissingExtra, UsageError


@dataclass(frozen=True, slots=True)
class AdapterLibrary:
    """What an adapter needs: the module to import, what to install, and which release was tried."""

    module: str
    requirement: str


LIBRARIES: Mapping[str, AdapterLibrary] = {
    "gymnasium": AdapterLibrary("gymnasium", "gymnasium==1.4.0"),
    "trl": AdapterLibrary("trl", "trl==1.16.0"),
    "verifiers": AdapterLibrary("verifiers", "verifiers==0.4.0"),
    "openenv": AdapterLibrary("openenv", "openenv==0.10.0"),
}


def find_library(name: str) -> AdapterLibrary:
    """The library of that name."""
    if name not in LIBRARIES:
        raise UsageError(
            f"--to {name!r} is not a library that environments are written for; choose {', '.join(LIBRARIES)}"
        )
    return LIBRARIES[name]


def load_adapter(name: str) -> ModuleType:
    """The adapter's module; without its library the line that installs it."""
    wanted = find_library(name)
    if find_spec(wanted.module) is None:
        raise MissingExtra(f"{name} is not installed: pip install '{wanted.requirement}'")
    return import_module(f"{__name__}.{name}")
