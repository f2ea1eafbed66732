"""What a JSON text becomes in memory."""

from __future__ import annotations

import pytest

from toolyard.core.json_size import too_large


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        (b'"' + b'[{,\\"' * 2_500_000 + b'"', False),
        (b"[" + b"{}," * 5_000_000 + b"{}]", True),
        ("[" + "[]," * 9_000_000 + "[]]", True),
        (b"[1]", False),
    ],
    ids=["marks inside a text", "objects", "lists", "small"],
)
def test_only_objects_lists_and_parts_count(text: bytes | str, refused: bool) -> None:
    assert bool(too_large(text)) is refused
