"""The content security policy of a run's page, which is untrusted.

A run may come from a stranger, so nothing that its page says is believed. Every page gets an origin of its
own (`sandbox`), so that no run can read another, and may load nothing. The one script that may run is the
one that this package ships, by its hash, and only in a page that is otherwise as this package writes it.
"""

import base64
import hashlib
from functools import cache
from typing import BinaryIO

from toolyard.report.page.run_page import PAGE_FOLDER, page_assets

BLOCK = 1 << 20
START = b"<!doctype html>"
META = b"<meta"
# What stands before the style and behind the script of a page that we write.
FRAME = 4096
PIECE = 1 << 20
CLOSED_PARTS = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
# Styles can fetch nothing here, and without them a page of another version would be hard to read.
WITHOUT_SCRIPT = f"{CLOSED_PARTS}; style-src 'unsafe-inline'; sandbox"


def content_policy(page: BinaryIO) -> str:
    """The Content-Security-Policy for a page."""
    return _with_own_script() if is_of_this_version(page) and not _may_navigate(page) else WITHOUT_SCRIPT


@cache
def _with_own_script() -> str:
    parts = page_assets()
    return (
        f"{CLOSED_PARTS}; script-src {_script_hash(parts.script)}; style-src {_script_hash(parts.style)}; "
        "require-trusted-types-for 'script'; trusted-types 'none'; sandbox allow-scripts"
    )


def _script_hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}'"


@cache
def _style_and_script() -> tuple[bytes, bytes]:
    parts = page_assets()
    return f"<style>{parts.style}</style>".encode(), f"<script>{parts.script}</script>".encode()


def is_of_this_version(page: BinaryIO) -> bool:
    """Whether a page begins with the style and holds the script that this package writes.

    The script stands before the bulk of the data, wherever that is; no other can run, as the policy names its hash.
    """
    style, script = _style_and_script()
    page.seek(0)
    head = page.read(len(style) + FRAME)
    # The beginning also rules out a mark of another encoding, under which nothing here means what it seems to.
    return head.lstrip(b" \r\n").startswith(START) and style in head and _file_contains(page, script)


def _file_contains(page: BinaryIO, wanted: bytes) -> bool:
    """Whether a file holds these bytes, read piece by piece."""
    page.seek(0)
    kept = b""
    while piece := page.read(PIECE):
        kept += piece
        if wanted in kept:
            return True
        kept = kept[-len(wanted) :]
    return False


@cache
def _count_own_metas() -> int:
    return (PAGE_FOLDER / "report.html.j2").read_bytes().count(META)


def _may_navigate(page: BinaryIO) -> bool:
    """Whether a page has more `meta` elements than ours: with scripts allowed, one of them could lead elsewhere."""
    page.seek(0)
    count, rest = 0, b""
    while block := page.read(BLOCK):
        text = rest + block.lower()
        count += text.count(META)
        rest = text[-(len(META) - 1) :]
    return count != _count_own_metas()
