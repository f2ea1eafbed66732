"""Facts as data: the cases and rows of a test module stand in the JSON file of its name."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import pytest

Test = TypeVar("Test", bound=Callable[..., None])


def cases(module: str, name: str) -> Any:
    """What a module's file holds under a name: rows for `pytest.mark.parametrize`, or a document."""
    return json.loads(Path(module).with_suffix(".json").read_text("utf-8"))[name]


def each_case(columns: str, besides: Iterable[Any] = (), **more: Any) -> Callable[[Test], Test]:
    """Runs a test for each row of its name in the module's file, and for rows that JSON cannot hold."""

    def with_rows(test: Test) -> Test:
        rows = cases(test.__code__.co_filename, test.__name__.removeprefix("test_"))
        return pytest.mark.parametrize(columns, [*rows, *besides], **more)(test)

    return with_rows
