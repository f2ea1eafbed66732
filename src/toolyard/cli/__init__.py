"""The command line: each verb parses, calls one function and prints one thing."""

from __future__ import annotations

import os
import signal
import sys

from toolyard.cli.stopping import Stopped, stop_on_terminate

INTERRUPTED = 128 + signal.SIGINT
TERMINATED = 128 + signal.SIGTERM


def main() -> None:
    """Runs one command; a user's mistake is one line on stderr and exit 1."""
    import typer
    from typer.exceptions import TyperException

    from toolyard.core.errors import ToolyardError

    stop_on_terminate()
    try:
        from toolyard.cli.app import app

        code = app(standalone_mode=False)
        sys.stdout.flush()
    except ToolyardError as error:
        code = _complain(str(error))
    except Stopped as stopped:
        code = 128 + stopped.number
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has had enough: nothing more may be written, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except OSError as error:
        code = _complain(_refused_by_the_system(error))
    except TyperException as error:
        code = _mistake(error)
    if code in (INTERRUPTED, TERMINATED):
        _complain("stopped; what was answered is kept, and the same command goes on from there")
    sys.exit(code or 0)


def _refused_by_the_system(error: OSError) -> str:
    """One line for a full disk, a folder that cannot be written, a file that is none."""
    where = f"{error.filename}: " if error.filename else ""
    return f"{where}{error.strerror or error}; nothing more was written - make room or choose another folder"


def _mistake(error: Exception) -> int:
    """One line for a command or option that does not exist; bare `toolyard` prints its help."""
    message: str = error.format_message()  # type: ignore[attr-defined]
    if type(error).__name__ == "NoArgsIsHelpError":
        sys.stdout.write(message + "\n")
        return 0
    context = getattr(error, "ctx", None)
    where = f" (see: {context.command_path} --help)" if context is not None else ""
    return _complain(message + where)


def _complain(message: str) -> int:
    from toolyard.text.printable import printable

    sys.stderr.write(f"toolyard: {' '.join(printable(message).split())}\n")
    return 1
