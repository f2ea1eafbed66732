"""view: reports in a browser."""

from __future__ import annotations

from pathlib import Path

import typer


def view(
    target: Path = typer.Argument(Path("runs"), help="A run directory, or a folder that holds runs."),
    port: int = typer.Option(0, "--port", min=0, max=65535, help="Port on 127.0.0.1; 0 takes a free one."),
) -> None:
    """Serve reports on this machine, with an index of runs, until stopped with Ctrl-C.

    Examples: toolyard view runs; toolyard view runs/nestools_local_1a2b3c4d --port 8000
    """
    from toolyard.report.view import view_server

    with view_server(target, port) as server:
        typer.echo(f"http://127.0.0.1:{server.server_address[1]}/ (stop with Ctrl-C)")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            typer.echo("stopped")
