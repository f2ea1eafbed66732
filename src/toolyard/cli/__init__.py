"""The command line: each verb parses, calls one function and prints one thing."""

import gc
import os
import signal
import sys
from contextlib import suppress

from toolyard.core.processes.stopping import end_at_once, signal_behind, stop_arrived, stop_on_signals

SIGNALLED = 128
STOPPED_AT_LIMIT = 5
# Commands that leave what they have done and go on from there.
RESUMED = frozenset(
    {"run", "score", "synth", "train", "probe", "fetch", "review", "certify", "ways", "curve", "effect"}
)
# Commands whose exit code is a verdict: one that could not be printed is no GO.
VERDICTS = frozenset({"gate", "certify", "check", "tools"})
# Objects made between two searches for unreachable circles: rows of data are many and hold none.
OBJECTS_BETWEEN_SEARCHES = 100_000
LONGEST_LINE = 1_500


def main() -> None:
    """Runs one command; a user's mistake is one line on stderr and exit 1, a cost limit that was reached exit 5."""
    tune_process()
    try:
        stop_on_signals()
        code = _run_command()
        stop_arrived()
        # Nothing is left to be kept: whoever interrupts the end of the process gets just that.
        end_at_once()
        # Nor need the end of the process look for circles among all that it has read.
        gc.freeze()
    except BaseException as error:
        stopped = signal_behind(error)
        if stopped is None:
            raise
        stop_arrived()
        code = _report_signal(stopped.number)
    sys.exit(code)


def tune_process() -> None:
    """Settings of a process that works in many small steps; figures do not depend on them.

    The threads of numpy's matrix product wait for each other by spinning, which costs more than products of our
    size take; whoever sets the variable decides.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.set_threshold(OBJECTS_BETWEEN_SEARCHES)


def _run_command() -> int:
    """The exit code of the command."""
    import typer
    from typer.exceptions import TyperException

    from toolyard.core.errors import BudgetExceeded, ToolyardError

    try:
        from toolyard.cli.app import app

        code = app(standalone_mode=False)
        sys.stdout.flush()
    except BudgetExceeded as error:
        _print_complaint(str(error))
        return STOPPED_AT_LIMIT
    except ToolyardError as error:
        return _print_complaint(str(error))
    except typer.Abort:
        return _report_signal(signal.SIGINT)
    except (BrokenPipeError, SystemExit) as error:
        # typer makes an exit of it, without a word.
        if not isinstance(error if isinstance(error, OSError) else error.__context__, BrokenPipeError):
            raise
        # Whoever read our output has had enough: nothing more may be written, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno() if sys.__stdout__ else 1)
        return SIGNALLED + signal.SIGPIPE if VERDICTS & set(sys.argv[1:2]) else 0
    except OSError as error:
        return _print_complaint(_refused_by_the_system(error))
    except TyperException as error:
        return _report_mistake(error)
    return code or 0


def _report_signal(number: int) -> int:
    """One line for a command that a signal ended; its exit code is that of a shell."""
    kept = "what was answered is kept, and the same command goes on from there"
    _print_complaint(f"stopped; {kept if RESUMED & set(sys.argv[1:2]) else 'the same command begins anew'}")
    return SIGNALLED + number


def _refused_by_the_system(error: OSError) -> str:
    """One line for a full disk, a folder that cannot be written, a file or program that is missing."""
    where = f"{error.filename}: " if error.filename else ""
    missing = isinstance(error, FileNotFoundError)
    advice = "" if missing else "; nothing more was written - make room or choose another folder"
    return f"{where}{error.strerror or error}{advice}"


def _report_mistake(error: Exception) -> int:
    """One line for a command or option that does not exist; bare `toolyard` prints its help."""
    from toolyard.cli.usage_errors import mistake_line

    if type(error).__name__ == "NoArgsIsHelpError":
        sys.stdout.write(f"{error}\n")
        return 0
    context = getattr(error, "ctx", None)
    where = f" (see: {context.command_path} --help)" if context is not None else ""
    return _print_complaint(mistake_line(error) + where)


def _print_complaint(message: str) -> int:
    from toolyard.text.printable import printable_text

    line = " ".join(printable_text(message).split())
    if len(line) > LONGEST_LINE:
        # What was found may be as long as a file; what was wanted stands at the end.
        line = f"{line[: LONGEST_LINE // 2]} … {line[-LONGEST_LINE // 2 :]}"
    with suppress(BrokenPipeError):
        sys.stderr.write(f"toolyard: {line}\n")
    return 1
