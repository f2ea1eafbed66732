"""What a user can ask of `synth`: each option stated once."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from toolyard.core.options import option
from toolyard.models.base import Model, Respond
from toolyard.models.settings import EMBEDDERS, Requests


@dataclass(frozen=True, slots=True)
class SynthSettings(Requests):
    """What data set is asked for, word by word."""

    benchmark: str = option(
        ..., help="nestools, mtu, toolbehonest or tooleyes; or mixture: rows to train on."
    )
    origin: str = option(
        "",
        "--from",
        help="See docs/synth.md; default: by what is given (-m: model, --sources: corpora), else world.",
    )
    rows: int | None = option(None, "--rows", help="How many rows; default: the pipeline's own.")
    seed: int = option(0, "--seed", help="Seed of everything that is drawn.", minimum=0)
    # also a Python callable from messages to text, as load_model takes it
    model: str | Respond | Model | None = option(
        None,
        "-m",
        "--model",
        "--writer",
        help="Model for pipelines that ask one; where two share the work, the writer.",
    )
    checker: str | Respond | Model | None = option(
        None, "--checker", help="Another model for the questions that check what the writer wrote."
    )
    sources: Path | None = option(None, "--sources", help="Folder with the dialogue corpora.")
    out: Path | None = option(None, "--out", help="Where the data go; default: data/BENCH-FROM-SEED.")
    options: Mapping[str, str] = field(default_factory=dict)
    embedder: str = option("minilm", "--embedder", help=EMBEDDERS)
    engine: str = option("local", "--engine", help="local | ray.")
    workers: int | None = option(
        None, "--workers", help="Processes for CPU stages; default: cores.", minimum=1
    )
    ray_address: str = option("", "--ray-address", help="Cluster for --engine ray; default: start one.")
