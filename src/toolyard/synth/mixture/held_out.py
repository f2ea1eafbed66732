"""Packages of the world that no training row shows: fresh evaluation sets can be made of their tools alone."""

from __future__ import annotations

import hashlib

# One package of so many is held out.
ONE_OF = 12


def is_held_out(tool: str) -> bool:
    """Whether the tool (`Category/package/name`) belongs to a held-out package; the hash decides, once and for all."""
    package = tool.rpartition("/")[0]
    return hashlib.blake2b(package.encode(), digest_size=4).digest()[0] % ONE_OF == 0
