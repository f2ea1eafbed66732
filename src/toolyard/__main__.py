"""`python -m toolyard` is `toolyard`.

Its first step is that an interrupt ends the process without a word, because a traceback out of a half-imported module
helps nobody; the C half of `signal` is there already, the other half would first have to be imported.
"""

import _signal


def main() -> None:
    """Runs one command; whoever interrupts it before it takes signals over gets just that."""
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
    from toolyard.cli import main as command_line

    command_line()


if __name__ == "__main__":
    main()
