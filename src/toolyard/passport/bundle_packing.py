"""A run directory as a bundle."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from toolyard.benchmarks import benchmark_names
from toolyard.core.errors import DataError
from toolyard.lines import encode, path_exists, read_lines
from toolyard.passport.bundle_file import LARGEST_FILE, bundle_bytes
from toolyard.passport.run_scrubbing import RunScrubber, scrub_run
from toolyard.run.plan.fresh_sets import is_fresh
from toolyard.run.store.packs import answered_run, pack_run
from toolyard.run.store.run_directory import SCORES, RunStore


@dataclass(frozen=True, slots=True)
class MadeBundle:
    """The bytes of a bundle, how many answers it has, and which samples were scrubbed."""

    content: bytes
    answers: int
    scrubbed: tuple[str, ...]

    @property
    def sha256(self) -> str:
        """The hash of the file, by which two people can tell that they have the same one."""
        return hashlib.sha256(self.content).hexdigest()


def bundle_run(folder: Path) -> MadeBundle:
    """The bundle of a finished run; the same bytes each time."""
    manifest = RunStore(folder).required_manifest()
    scores = RunStore(folder).folder / SCORES
    if not manifest["finished"] or not path_exists(scores):
        raise DataError(f"{folder} is not finished; give the `toolyard run` command again that made it")
    data = str(manifest["data"])
    run = answered_run(folder)
    pack = pack_run(run, data if is_fresh(data) else Path(data).name)
    # What the tools of an installed benchmark return is as public as its rows; a user's own tools are private.
    returned = [line["notes"] for line in pack.transcripts] if run.benchmark.name in benchmark_names() else []
    published = encode([[[sample.input, sample.gold] for sample in run.samples], returned]).decode()
    clean, kept = scrub_run(pack, list(read_lines(scores)), RunScrubber(published))
    content = bundle_bytes(clean, kept)
    if len(content) > LARGEST_FILE:
        raise DataError(
            f"{folder} makes a bundle of {len(content):,} bytes, at most {LARGEST_FILE:,} are read"
        )
    return MadeBundle(content, len(clean.transcripts), tuple(clean.manifest["scrubbed"]))
