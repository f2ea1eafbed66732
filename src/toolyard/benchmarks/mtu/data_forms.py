"""Which form a data set has: the official files, or a corpus that is converted."""

from __future__ import annotations

from pathlib import Path

from toolyard.benchmarks.mtu import corpora
from toolyard.benchmarks.mtu.data import load_official
from toolyard.core.types import Options, Sample


def load(path: Path, options: Options) -> tuple[Sample, ...]:
    """All samples of a data folder or file; API-Bank and ToolTalk are recognised by their files."""
    form = corpora.detect(path)
    if form is None:
        return load_official(path)
    return corpora.load(path, form, options.values.get("policy", corpora.DEFAULT_POLICY))
