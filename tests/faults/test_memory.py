"""Files that are small on disk and large in memory: one line, and no more memory than was promised."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cases import cases
from toolyard.core.errors import DataError
from toolyard.core.untrusted.json_size import too_large
from toolyard.traffic.log_reading import read_traffic

CEILING_MB = 1_500
# Becomes 2.4 GB of empty lists where it is read.
LISTS = b"[" + b"[]," * 33_000_000 + b"[]]\n"
MEASURE = """
import os, resource, sys
from toolyard.cli import main
try:
    main()
finally:
    # Of this program: the system's own number is that of the process which started it, where that was larger.
    peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
    print("peak", int(peak.split()[1]) // 1024, file=sys.stderr)
"""


@pytest.fixture(scope="module")
def swollen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("memory") / "content"
    path.write_bytes(LISTS)
    return path


@pytest.mark.parametrize(
    ("words", "name"),
    cases(__file__, "what_would_fill_the_memory_is_refused_in_one_line"),
    ids=lambda value: value[0] if isinstance(value, tuple) else value,
)
def test_what_would_fill_the_memory_is_refused_in_one_line(
    words: tuple[str, ...], name: str, swollen: Path, tmp_path: Path
) -> None:
    os.link(swollen, tmp_path / name)
    (tmp_path / "test_api_ids.jsonl").write_text("{}\n")
    given = [word.format(f=tmp_path / name, d=tmp_path) for word in words]
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, *given], capture_output=True, text=True, timeout=120, cwd=tmp_path
    )
    lines = done.stderr.splitlines()
    assert (done.returncode, len(lines)) == (1, 2), done.stderr[-2000:]
    assert int(lines[1].removeprefix("peak ")) < CEILING_MB


def test_traffic_of_a_million_requests_is_refused(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text('{"request": {}, "response": {}}\n' * 1_000_000)
    with pytest.raises(DataError, match="1,000,000 lines; at most 200,000 are read"):
        read_traffic(log)


def test_a_text_is_judged_by_what_it_becomes() -> None:
    assert not too_large(b'{"text": "' + b"a" * 50_000_000 + b'"}')
    assert not too_large("[]," * 1_000_000)
    assert "MB of objects" in too_large("[]," * 20_000_000)
    assert "MB of objects" in too_large(b'{"a": 1},' * 4_000_000)
    assert "bytes" in too_large(b" " * 200_000_001)
