"""view: reports in a browser."""

from __future__ import annotations

from pathlib import Path

import typer


def view(
    target: Path = typer.Argument(Path("runs"), help="A run directory, or a folder that holds runs."),
    host: str = typer.Option(
        "127.0.0.1",
        "--host",
        help="Address to listen on; anything else is seen by others, who need the token.",
    ),
    port: int = typer.Option(0, "--port", min=0, max=65535, help="Port of the pages; 0 takes a free one."),
) -> None:
    """Serve reports and an index of runs on this machine until Ctrl-C.

    Examples: toolyard view runs; toolyard view runs/nestools_local_1a2b3c4d --port 8000
    """
    from toolyard.review.web.view_pages import report_server

    with report_server(target, host, port) as server:
        code = server.serve(lambda: typer.echo(f"{server.url} (stop with Ctrl-C)"))
    typer.echo("stopped")
    raise SystemExit(code)
