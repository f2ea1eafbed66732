"""Reports served on this machine only: an index of runs, and each run's page; reads files, changes nothing."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import unescape
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TypeAlias
from urllib.parse import quote, unquote, urlsplit

import orjson

from toolyard.core.errors import UsageError
from toolyard.core.types import Json
from toolyard.report.build import PAGE
from toolyard.report.page.run_page import Assets, assets, page_environment
from toolyard.report.tables.run_tables import percent, words
from toolyard.run.store import MANIFEST

LOOPBACK = "127.0.0.1"
TYPES = {
    PAGE: "text/html; charset=utf-8",
    "report.json": "application/json",
    "report.md": "text/plain; charset=utf-8",
}
CLOSED = "default-src 'none'; sandbox"
_POLICY = re.compile(rb'<meta http-equiv="Content-Security-Policy" content="([^"\r\n]{1,4000})">')


@dataclass(frozen=True, slots=True)
class RunEntry:
    """One run as the index lists it."""

    name: str
    benchmark: str
    model: str
    figure: str
    value: str
    interval: str
    samples: str
    finished: str
    link: str


def runs_in(target: Path) -> dict[str, Path]:
    """The run directories that `target` is or holds, by name, newest first."""
    if not target.is_dir():
        raise UsageError(f"{target} is not a folder; give a run directory, or the folder that holds runs")
    if (target / MANIFEST).is_file():
        return {target.resolve().name: target}
    found = [folder for folder in target.iterdir() if (folder / MANIFEST).is_file()]
    if not found:
        raise UsageError(f"{target} holds no run; make one with: toolyard run BENCH -m MODEL --runs {target}")
    found.sort(key=lambda folder: (folder / MANIFEST).stat().st_mtime, reverse=True)
    return {folder.name: folder for folder in found}


def entry_of(name: str, folder: Path) -> RunEntry:
    """What the index says of a run; a run without a report is listed by its manifest."""
    report = _json(folder / "report.json")
    manifest = report.get("manifest") or _json(folder / MANIFEST)
    identity = manifest.get("identity", {})
    paper = report.get("profiles", {}).get("paper", {})
    figure = report.get("headline", "")
    interval = paper.get("intervals", {}).get("figures", {}).get(figure)
    return RunEntry(
        name=name,
        benchmark=str(identity.get("benchmark", "")),
        model=str(identity.get("model", "")),
        figure=words(figure),
        value="withheld" if report.get("withheld") else percent(paper.get("figures", {}).get(figure)),
        interval=f"{percent(interval[0])} – {percent(interval[1])}" if interval else "",
        samples=f"{paper['samples']:,}" if "samples" in paper else "–",
        finished=str(manifest.get("finished") or "not finished")[:16].replace("T", " "),
        link=f"/runs/{quote(name, safe='')}/{PAGE}" if (folder / PAGE).is_file() else "",
    )


def _json(path: Path) -> dict[str, Json]:
    if not path.is_file():
        return {}
    try:
        found = orjson.loads(path.read_bytes())
    except orjson.JSONDecodeError:
        return {}
    return found if isinstance(found, dict) else {}


Stamp: TypeAlias = tuple[tuple[int, int] | None, ...]


class KnownRuns:
    """What the index says of each run, read again only when one of the run's files is another."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[Stamp, RunEntry]] = {}

    def entries(self, runs: Mapping[str, Path]) -> list[RunEntry]:
        """One entry per run, in order; runs that are gone are forgotten."""
        known = self._known
        found: dict[Path, tuple[Stamp, RunEntry]] = {}
        for name, folder in runs.items():
            # Stamped before it is read: a file that changes meanwhile is read once more, never kept stale.
            stamp = stamp_of(folder)
            before = known.get(folder)
            if before is None or before[0] != stamp:
                before = (stamp, entry_of(name, folder))
            found[folder] = before
        self._known = found
        return [entry for _, entry in found.values()]


def stamp_of(folder: Path) -> Stamp:
    """Time and size of the files that an entry is made of, None for those that are not there."""
    return tuple(_stamp(folder / name) for name in ("report.json", MANIFEST, PAGE))


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_mtime_ns, found.st_size


def index_assets() -> Assets:
    """The index's style; it needs no script."""
    return assets(("base.css", "tables.css"), ())


def index_page(entries: Sequence[RunEntry]) -> str:
    """All runs, grouped by benchmark."""
    groups: dict[str, list[RunEntry]] = {}
    for entry in entries:
        groups.setdefault(entry.benchmark, []).append(entry)
    parts = index_assets()
    template = page_environment().get_template("index.html.j2")
    return template.render(groups=dict(sorted(groups.items())), style=parts.style, policy=parts.policy)


def policy_of(page: Path) -> str:
    """The policy that a report page declares; one that allows nothing where it declares none."""
    with page.open("rb") as file:
        found = _POLICY.search(file.read(16384))
    return unescape(found.group(1).decode("ascii", "replace")) if found else CLOSED


def file_of(runs: Mapping[str, Path], parts: Sequence[str]) -> Path | None:
    """A file of a listed run by its known name; paths are looked up, never put together from the request."""
    if len(parts) != 3 or parts[0] != "runs" or parts[2] not in TYPES or parts[1] not in runs:
        return None
    folder = runs[parts[1]]
    file = folder / parts[2]
    return file if file.is_file() and file.resolve().is_relative_to(folder.resolve()) else None


class ViewHandler(BaseHTTPRequestHandler):
    """Answers GET and HEAD for the index and the report files of known runs, and nothing else."""

    server_version = "toolyard"
    sys_version = ""
    error_message_format = "%(code)d %(message)s\n"
    error_content_type = "text/plain; charset=utf-8"

    def __init__(self, target: Path, known: KnownRuns, *arguments: Json, **options: Json) -> None:
        self.target = target
        self.known = known
        super().__init__(*arguments, **options)

    def do_GET(self) -> None:
        """The index or a file, or 404."""
        if not self.host_is_ours():
            self.send_error(HTTPStatus.FORBIDDEN, "ask for 127.0.0.1")
            return
        try:
            runs = runs_in(self.target)
        except UsageError as error:
            self.send_error(HTTPStatus.NOT_FOUND, str(error))
            return
        parts = [unquote(part) for part in urlsplit(self.path).path.split("/")[1:]]
        file = file_of(runs, parts)
        if parts == [""]:
            self.send_page(index_page(self.known.entries(runs)).encode("utf-8", "replace"))
        elif file is None:
            self.send_error(HTTPStatus.NOT_FOUND)
        else:
            self.send_file(file)

    do_HEAD = do_GET  # noqa: N815  the name is the library's

    def host_is_ours(self) -> bool:
        """Whether the address names this machine: a foreign name that resolves here is somebody's trick."""
        host = (self.headers.get("Host") or "").rsplit(":", 1)[0]
        return host in (LOOPBACK, "localhost")

    def send_page(self, data: bytes) -> None:
        """The index."""
        self.begin("text/html; charset=utf-8", len(data), index_assets().policy)
        if self.command == "GET":
            self.wfile.write(data)

    def send_file(self, file: Path) -> None:
        """A report file."""
        policy = policy_of(file) if file.name == PAGE else CLOSED
        with file.open("rb") as source:
            self.begin(TYPES[file.name], file.stat().st_size, policy)
            if self.command == "GET":
                shutil.copyfileobj(source, self.wfile)

    def begin(self, kind: str, length: int, policy: str) -> None:
        """Status and headers."""
        self.send_response(HTTPStatus.OK)
        headers = {
            "Content-Type": kind,
            "Content-Length": str(length),
            "Content-Security-Policy": f"{policy}; frame-ancestors 'none'",
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cache-Control": "no-store",
        }
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *arguments: Json) -> None:  # noqa: A002  the name is the library's
        """Nothing: a viewer has no log to keep."""


def view_server(target: Path, port: int = 0) -> ThreadingHTTPServer:
    """A server for the runs in `target`, bound to loopback; port 0 takes a free one."""
    runs_in(target)
    try:
        return ThreadingHTTPServer((LOOPBACK, port), partial(ViewHandler, target, KnownRuns()))
    except OSError as error:
        raise UsageError(f"port {port} cannot be used ({error.strerror}); choose another --port") from None
