"""The command line: each verb parses, calls one function and prints one thing."""

from __future__ import annotations

import sys

INTERRUPTED = 130


def main() -> None:
    """Runs one command; a user's mistake is one line on stderr and exit 1."""
    import click

    from toolyard.cli.app import app
    from toolyard.core.errors import ToolyardError

    try:
        code = app(standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        code = 0
    except click.ClickException as error:
        code = _complain(error.format_message() + _where_to_look(error))
    except ToolyardError as error:
        code = _complain(str(error))
    except (KeyboardInterrupt, click.Abort):
        code = _complain("stopped; the same command goes on from here") and INTERRUPTED
    except BrokenPipeError:
        sys.stderr.close()
        code = 0
    sys.exit(code or 0)


def _complain(message: str) -> int:
    line = " ".join(message.split())
    sys.stderr.write(f"toolyard: {line}\n")
    return 1


def _where_to_look(error: object) -> str:
    context = getattr(error, "ctx", None)
    return f" (see: {context.command_path} --help)" if context is not None else ""
