"""The form of a ToolBeHonest sample."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, TypedDict

from toolyard.core.types import Sample

if TYPE_CHECKING:
    from toolyard.benchmarks.toolbehonest.data.rows import Gold


class ToolBeHonestInput(TypedDict):
    """What a prompt may show of one task at one level; `tools` is a numbered list."""

    task: str
    tools: str
    level: int
    language: str


ToolBeHonestSample: TypeAlias = "Sample[ToolBeHonestInput, Gold]"
