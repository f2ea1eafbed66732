"""The pages of `toolyard view`: an index of runs, each run's report, and runs side by side; changes nothing."""

import asyncio
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from aiohttp import web

from toolyard.core.errors import DataError, ToolyardError, UsageError
from toolyard.report.compare.comparison import compare_runs
from toolyard.report.content import make_report
from toolyard.report.page.comparison_page import comparison_assets, render_comparison
from toolyard.report.page.run_page import render_page
from toolyard.report.report_files import MARKDOWN, PAGE, REPORT, SOURCES
from toolyard.review.web.addresses import LOOPBACK, open_sockets
from toolyard.review.web.guard import NOTHING, POLICY
from toolyard.review.web.page_policy import content_policy
from toolyard.review.web.run_files import RunFolder, Stamp, find_runs
from toolyard.review.web.run_index import KnownRuns, index_assets, index_page
from toolyard.review.web.server import PageServer, Site
from toolyard.run.run import Run

WITHOUT_CHARTS = b'<html lang="en" data-charts="none">'
TYPES = {PAGE: "text/html; charset=utf-8", REPORT: "application/json", MARKDOWN: "text/plain; charset=utf-8"}
# More would take minutes, and no page shows them apart.
MOST_COMPARED = 20
# What a client must take at a time, or be cut.
BLOCK = 256 * 1024


class Reports:
    """Answers for the runs of one folder."""

    def __init__(self, target: Path) -> None:
        self._target, self._known, self._one_at_a_time = target, KnownRuns(), asyncio.Lock()
        self._drawn: tuple[RunFolder, tuple[Stamp, ...], bytes] | None = None

    def site(self) -> Site:
        """The index, three files of each run, and runs side by side."""
        routes = [
            web.get("/", self.index),
            web.get("/compare", self.compare),
            web.get("/runs/{run}/{file}", self.file),
        ]
        return Site(routes, token_everywhere=False, cookie_sent="Lax")

    async def index(self, _request: web.Request) -> web.StreamResponse:
        """All runs."""
        async with self._one_at_a_time:
            text = await asyncio.to_thread(self._index)
        policy = f"{index_assets().policy}; frame-ancestors 'none'"
        return web.Response(text=text, content_type="text/html", headers={POLICY: policy})

    def _index(self) -> str:
        try:
            return index_page(self._known.entries(list(find_runs(self._target).values())))
        except UsageError as error:
            raise web.HTTPNotFound(text=f"{error}\n") from None

    async def compare(self, request: web.Request) -> web.StreamResponse:
        """The runs that the address names, side by side; one comparison is made at a time."""
        names = list(dict.fromkeys(request.query.getall("run", [])))
        runs = await asyncio.to_thread(self._runs)
        if not 1 < len(names) <= MOST_COMPARED or not set(names) <= runs.keys():
            raise web.HTTPNotFound(text=f"Name two to {MOST_COMPARED} runs of the index.\n")
        async with self._one_at_a_time:
            text = await asyncio.to_thread(comparison_page, [runs[name] for name in names])
        policy = f"{comparison_assets().policy}; frame-ancestors 'none'; sandbox allow-scripts"
        return web.Response(text=text, content_type="text/html", headers={POLICY: policy})

    async def file(self, request: web.Request) -> web.StreamResponse:
        """One file of one run."""
        name, file = request.match_info["run"], request.match_info["file"]
        run = (await asyncio.to_thread(self._runs)).get(name)
        if run is None or file not in TYPES:
            raise web.HTTPNotFound(text="There is no such page.\n")
        if file == PAGE and is_without_charts(run):
            async with self._one_at_a_time:
                page = await asyncio.to_thread(self._draw_page, run)
            headers = {POLICY: content_policy(BytesIO(page)), "Content-Type": TYPES[PAGE]}
            return web.Response(body=page, headers=headers)
        try:
            with run.open_file(file) as found:
                return await send_file(request, found, file)
        except DataError as error:
            raise web.HTTPNotFound(text=f"{error}\n") from None

    def _draw_page(self, run: RunFolder) -> bytes:
        """The page of a run with its charts; the last one is kept while its run stays as it is."""
        stamps = tuple(map(run.stamp, SOURCES))
        if self._drawn is None or self._drawn[:2] != (run, stamps):
            text = text_from_runs([run], lambda: render_page(make_report(Run.open(run.path))))
            self._drawn = (run, stamps, text.encode("utf-8"))
        return self._drawn[2]

    def _runs(self) -> dict[str, RunFolder]:
        try:
            return find_runs(self._target)
        except UsageError as error:
            raise web.HTTPNotFound(text=f"{error}\n") from None


def is_without_charts(run: RunFolder) -> bool:
    """Whether a run has no page, or the one that `toolyard run` writes."""
    if not run.has(PAGE):
        return True
    try:
        with run.open_file(PAGE) as page:
            return WITHOUT_CHARTS in page.read(len(WITHOUT_CHARTS) + 100)
    except DataError:
        return False


def comparison_page(runs: Sequence[RunFolder]) -> str:
    """The page that compares the runs, read as `toolyard compare --force` reads them."""
    return text_from_runs(
        runs, lambda: render_comparison(compare_runs([run.path for run in runs], force=True))
    )


def text_from_runs(runs: Sequence[RunFolder], make: Callable[[], str]) -> str:
    """What is made of the files of runs, none of which is or lies behind a link."""
    try:
        for run in runs:
            for file in filter(run.has, SOURCES):
                with run.open_file(file):
                    pass
        return make()
    except ToolyardError as error:
        raise web.HTTPNotFound(text=f"{error}\n") from None
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        why = f"{type(error).__name__}: {error}"
        raise web.HTTPNotFound(
            text=f"A file of these runs is not as `toolyard run` writes it ({why}).\n"
        ) from None


async def send_file(request: web.Request, found: BinaryIO, name: str) -> web.StreamResponse:
    """The file, block by block; a client that does not take it is left."""
    policy = await asyncio.to_thread(content_policy, found) if name == PAGE else NOTHING
    response = web.StreamResponse(headers={POLICY: policy, "Content-Type": TYPES[name]})
    response.content_length = os.fstat(found.fileno()).st_size
    found.seek(0)
    await response.prepare(request)
    # Whoever asked may go away, or take too long and be cut.
    with suppress(ConnectionError):
        while request.method == "GET" and (block := await asyncio.to_thread(found.read, BLOCK)):
            await response.write(block)
        await response.write_eof()
    return response


def report_server(target: Path, host: str = LOOPBACK, port: int = 0) -> PageServer:
    """A server for the runs in `target`; port 0 takes a free one."""
    find_runs(target)
    return PageServer(Reports(target).site(), open_sockets(host, port))
