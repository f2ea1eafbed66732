"""Manifests of earlier versions with the names that styles have today.

{"identity": {"benchmark": "toolbehonest", "version": "1.5.0", "style": "default", ...}}
{"identity": {"benchmark": "toolbehonest", "version": "1.5.0", "style": "zero-shot", ...}}
"""

from toolyard.core.types import JsonValue, Record

# What earlier runs of a benchmark recorded, and the name that it has now.
FORMER_STYLES = {"toolbehonest": {"default": "zero-shot"}}


def upgrade_manifest(manifest: Record) -> dict[str, JsonValue]:
    """The manifest with the style's name of today."""
    identity = manifest["identity"]
    style = current_style(identity["benchmark"], identity.get("style") or "")
    return {**manifest, "identity": {**identity, **({"style": style} if style else {})}}


def current_style(benchmark: str, style: str) -> str:
    """The name that a recorded style has now."""
    return FORMER_STYLES.get(benchmark, {}).get(style, style)
