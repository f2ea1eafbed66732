"""Tool documents: one record for a tool, read from and written in each benchmark's own dialect."""

from toolyard.text.documents.dialect_parts import ABSENT, Absent, Parameter, ToolDocument, canonical_type
from toolyard.text.documents.mtu import ToolListing, from_mtu, from_mtu_list, to_mtu, to_mtu_list
from toolyard.text.documents.nestools import from_nestools, to_nestools
from toolyard.text.documents.openai import from_openai, to_openai
from toolyard.text.documents.toolbehonest import from_toolbehonest, to_toolbehonest

__all__ = [
    "ABSENT", "Absent", "Parameter", "ToolDocument", "ToolListing", "canonical_type", "from_mtu", "from_mtu_list",
    "from_nestools", "from_openai", "from_toolbehonest", "to_mtu", "to_mtu_list", "to_nestools", "to_openai",
    "to_toolbehonest",
]  # fmt: skip
