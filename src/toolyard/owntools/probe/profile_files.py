"""The files of a profile: the page, the data behind it, and the patch."""

from pathlib import Path

import orjson

from toolyard.core.untrusted.json_safe import json_safe
from toolyard.lines import write_whole
from toolyard.owntools.probe.document_rewriting import Suggestion
from toolyard.owntools.probe.model_profile import ToolProfile
from toolyard.owntools.probe.probe_page import render_profile


def keep_profile(folder: Path, profile: ToolProfile, suggestion: Suggestion | None = None) -> None:
    """profile.html and profile.json, with a suggestion also suggestion.json and documents.patch."""
    folder.mkdir(parents=True, exist_ok=True)
    content = orjson.dumps(json_safe(profile.to_json()), option=orjson.OPT_INDENT_2)
    write_whole(folder / "profile.json", content + b"\n")
    write_whole(folder / "profile.html", render_profile(profile, suggestion).encode("utf-8", "replace"))
    if suggestion is not None:
        said = orjson.dumps(json_safe(suggestion.to_json()), option=orjson.OPT_INDENT_2)
        write_whole(folder / "suggestion.json", said + b"\n")
        write_whole(folder / "documents.patch", suggestion.patch.encode("utf-8", "replace"))
