"""The pages of `toolyard view`: an index of runs, and each run's report; reads files, changes nothing."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from aiohttp import web

from toolyard.core.errors import DataError, UsageError
from toolyard.report.build import PAGE
from toolyard.review.web.addresses import LOOPBACK, listen
from toolyard.review.web.guard import NOTHING, POLICY
from toolyard.review.web.page_policy import policy_of
from toolyard.review.web.run_files import MARKDOWN, REPORT, RunFolder, runs_in
from toolyard.review.web.run_index import KnownRuns, index_assets, index_page
from toolyard.review.web.server import PageServer, Site

TYPES = {
    PAGE: "text/html; charset=utf-8",
    REPORT: "application/json",
    MARKDOWN: "text/plain; charset=utf-8",
}
# What a client must take at a time, or be cut.
BLOCK = 256 * 1024


class Reports:
    """Answers for the runs of one folder."""

    def __init__(self, target: Path) -> None:
        self._target, self._known, self._one_at_a_time = target, KnownRuns(), asyncio.Lock()

    def site(self) -> Site:
        """The index, and three files of each run."""
        routes = [web.get("/", self.index), web.get("/runs/{run}/{file}", self.file)]
        return Site(routes, token_everywhere=False, cookie_sent="Lax")

    async def index(self, _request: web.Request) -> web.StreamResponse:
        """All runs."""
        async with self._one_at_a_time:
            text = await asyncio.to_thread(self._index)
        policy = f"{index_assets().policy}; frame-ancestors 'none'"
        return web.Response(text=text, content_type="text/html", headers={POLICY: policy})

    def _index(self) -> str:
        try:
            return index_page(self._known.entries(list(runs_in(self._target).values())))
        except UsageError as error:
            raise web.HTTPNotFound(text=f"{error}\n") from None

    async def file(self, request: web.Request) -> web.StreamResponse:
        """One file of one run."""
        name, file = request.match_info["run"], request.match_info["file"]
        run = (await asyncio.to_thread(self._runs)).get(name)
        if run is None or file not in TYPES:
            raise web.HTTPNotFound(text="There is no such page.\n")
        try:
            with run.opened(file) as found:
                return await send_file(request, found, file)
        except DataError as error:
            raise web.HTTPNotFound(text=f"{error}\n") from None

    def _runs(self) -> dict[str, RunFolder]:
        try:
            return runs_in(self._target)
        except UsageError as error:
            raise web.HTTPNotFound(text=f"{error}\n") from None


async def send_file(request: web.Request, found: BinaryIO, name: str) -> web.StreamResponse:
    """The file, block by block; a client that does not take it is left."""
    policy = await asyncio.to_thread(policy_of, found) if name == PAGE else NOTHING
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
    runs_in(target)
    return PageServer(Reports(target).site(), listen(host, port))
