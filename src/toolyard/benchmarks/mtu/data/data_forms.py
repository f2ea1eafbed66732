"""Which form a data set has: the official files, or a corpus that is converted."""

from pathlib import Path

from toolyard.benchmarks.errata import apply_errata
from toolyard.benchmarks.mtu.data import corpus_dialogues as corpora
from toolyard.benchmarks.mtu.data.rows import load_official
from toolyard.benchmarks.mtu.data.sample import MtuSample
from toolyard.core.types import Options


def load(path: Path, options: Options) -> tuple[MtuSample, ...]:
    """All samples of a data folder or file; API-Bank and ToolTalk are recognised by their files."""
    form = corpora.detect_corpus(path)
    if form is None:
        samples = load_official(path)
        return apply_errata(
            samples, options, Path(__file__).parents[1], lambda sample: str(sample.input["user"])
        )
    return corpora.load(path, form, options.values.get("policy", corpora.DEFAULT_POLICY))
