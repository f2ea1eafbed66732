"""Programs of models, run by pydantic-monty: they reach the functions that they are given and nothing else.

A program stops at each call and becomes bytes, so that no process waits while a tool works. Its limits hold for all of it.
"""

import os
from datetime import datetime
from typing import Any

from toolyard.core.errors import UsageError
from toolyard.core.types import ProgramStop, Record, RunProgram
from toolyard.core.untrusted.json_safe import json_safe
from toolyard.world.isolation.sandbox import interpreter_pool

SECONDS = 1.0
MEGABYTES = 32
OUTPUT_BYTES = 16_384
LONGEST_ERROR = 500
_LIMITS = {
    "max_feed_duration_secs": SECONDS,
    "max_memory": MEGABYTES * 2**20,
    "max_recursion_depth": 200,
    "max_suspensions": 1_000,
    "max_total_sleep_secs": 0.0,
}
_POLICY = {
    "datetime": datetime(2024, 1, 1),
    "timezone": "utc",
    "sleep": "zero",
    "process_time": "zero",
    "random_start": {"seed": 0},
}
# Messages that hold measured times or sizes, and what is said instead.
_LIMIT_ERRORS = {
    "TimeoutError": f"TimeoutError: the program ran longer than {SECONDS:g} s",
    "MemoryError": f"MemoryError: the program used more than {MEGABYTES} MB or printed more than {OUTPUT_BYTES // 1024} kB",
}


def perform_program(effect: RunProgram) -> ProgramStop:
    """The program's next call, its end or its error; whatever it does, nothing is raised here."""
    try:
        from pydantic_monty import CollectString, MontyComplete, MontyError
    except ImportError as error:
        raise UsageError("--style code needs pydantic-monty; pip install 'toolyard[world]'") from error
    pool, printed = interpreter_pool(os.getpid()), CollectString(max_bytes=OUTPUT_BYTES)
    try:
        with pool.checkout(limits=_LIMITS, os_policy=_POLICY) as session:
            if effect.state:
                stop = session.load_snapshot(effect.state, print_callback=printed)
                stop = stop.resume(_answer_effect(effect))
            else:
                stop = session.feed_start(effect.source, print_callback=printed)
            stop = _next_call(stop, effect.functions)
            if isinstance(stop, MontyComplete):
                return ProgramStop(printed=printed.output)
            arguments = {str(name): json_safe(value) for name, value in stop.kwargs.items()}
            return ProgramStop(str(stop.function_name), arguments, stop.dump(), printed.output)
    except (MontyError, ValueError, TypeError, RuntimeError, OverflowError) as error:
        return ProgramStop(printed=printed.output, error=_error_reason(error))


def _answer_effect(effect: RunProgram) -> Record:
    if effect.refusal is not None:
        return {"exception": RuntimeError(effect.refusal)}
    return {"return_value": effect.value}


def _next_call(stop: object, functions: tuple[str, ...]) -> Any:
    """The next call of one of the functions, or the end; what else the program wants of its host is refused."""
    from pydantic_monty import FunctionSnapshot, MontyComplete, NameLookupSnapshot

    while not isinstance(stop, MontyComplete):
        if isinstance(stop, NameLookupSnapshot):
            known = stop.object_id is None and stop.variable_name in functions
            stop = stop.resume(value=_stand_in_function(stop.variable_name)) if known else stop.resume()
        elif not isinstance(stop, FunctionSnapshot):
            raise RuntimeError(
                "the program waits for something that never comes; call functions without await"
            )
        elif stop.is_os_function:
            stop = stop.resume_not_handled()
        elif stop.function_name not in functions:
            stop = stop.resume({"exception": NameError(f"name {stop.function_name!r} is not defined")})
        elif stop.args:
            stop = stop.resume(
                {
                    "exception": TypeError(
                        f"{stop.function_name}() takes keyword arguments only, e.g. name=value"
                    )
                }
            )
        else:
            return stop
    return stop


def _stand_in_function(name: str) -> object:
    def function() -> None:
        """Never called here: a call of it stops the program."""

    function.__name__ = name
    return function


def _error_reason(error: Exception) -> str:
    """The error in one line, without measured times and sizes."""
    text = " ".join(str(error).split())
    kind = text.partition(":")[0]
    if type(error).__name__ == "MontyCrashedError":
        kind = "TimeoutError"
    if type(error).__name__ == "MontySyntaxError":
        text = f"SyntaxError: {text}"
    return _LIMIT_ERRORS.get(kind, text)[:LONGEST_ERROR] or type(error).__name__
