"""Where the work of a stage is done: on this machine, or on a Ray cluster. The rows that come out are the same."""

import os

from toolyard.core.errors import UsageError
from toolyard.synth.pipeline import StageEngine

ENGINES = ("local", "ray")


def load_engine(name: str, *, workers: int | None = None, address: str = "") -> StageEngine:
    """The engine of that name."""
    if name == "local":
        from toolyard.synth.engines.local_engine import LocalEngine

        return LocalEngine(workers or os.cpu_count() or 1)
    if name == "ray":
        from toolyard.synth.engines.ray import RayEngine

        return RayEngine(address=address)
    raise UsageError(f"no engine is called {name!r}; there are {', '.join(ENGINES)}")
