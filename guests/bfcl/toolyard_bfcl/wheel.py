"""What is used of the package bfcl-eval: its data, its documents of functions, its checker. Nothing is copied from it.

Stubs stand in for its dependencies while it is imported, and are gone afterwards. Its `ast_parse` and
`execute_multi_turn_func_call` call `eval` on the model's text: neither is ever called here.
"""

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

from toolyard import DataError

VERSION = "2026.3.23"
INSTALL = f"pip install --no-deps bfcl-eval=={VERSION}"
PARSERS = {"java": "parse_java_function_call", "js": "parse_javascript_function_call"}
PARSER_MODULE = "bfcl_eval.model_handler.parser.{}_parser"
RETRIES = ("retry", "retry_if_exception_message", "retry_if_exception_type", "wait_random_exponential")


def package_folder() -> Path:
    """Where the package is installed; a folder that does not exist where it is not."""
    spec = find_spec("bfcl_eval")
    found = spec.submodule_search_locations if spec is not None else None
    return Path(found[0]) if found else Path(__file__).with_name("bfcl-eval-is-not-installed")


def require_wheel() -> None:
    """Refuses to go on without the one version that parity was shown for."""
    try:
        found = version("bfcl-eval")
    except PackageNotFoundError:
        raise DataError(f"BFCL's data and checker are not installed; get them with: {INSTALL}") from None
    if found != VERSION:
        raise DataError(f"bfcl-eval {found} is installed, wanted {VERSION}; get it with: {INSTALL}")


@cache
def wheel_module(name: str) -> Any:
    """A module of bfcl-eval, imported without what it does not need here."""
    require_wheel()
    with _stubs():
        return importlib.import_module(f"bfcl_eval.{name}")


@cache
def call_parser(language: str) -> Any:
    """The function that reads a call in Java or JavaScript; raises where tree-sitter is not installed."""
    short = "js" if language == "javascript" else language
    try:
        return getattr(importlib.import_module(PARSER_MODULE.format(short)), PARSERS[short])
    except ImportError as error:
        raise DataError(
            f"text answers in {language} need tree-sitter ({error}); install toolyard-bfcl[java], use --style native, "
            "or leave these rows out with --categories"
        ) from error


@contextmanager
def _stubs() -> Iterator[None]:
    names = {style: SimpleNamespace(underscore_to_dot=style == "native") for style in ("native", "text")}
    documents = package_folder() / "data" / "multi_turn_func_doc"
    stubs: dict[str, dict[str, Any]] = {
        "bfcl_eval.constants.model_config": {"MODEL_CONFIG_MAPPING": names},
        # The real one makes folders beside the package.
        "bfcl_eval.constants.eval_config": {"MULTI_TURN_FUNC_DOC_PATH": documents, "LOCK_DIR": Path()},
        "filelock": {"FileLock": lambda *_: nullcontext()},
        "tenacity": dict.fromkeys(RETRIES),
        **{PARSER_MODULE.format(short): {name: None} for short, name in PARSERS.items()},
    }
    before = {name: sys.modules.get(name) for name in stubs}
    for name, content in stubs.items():
        sys.modules[name] = ModuleType(name)
        vars(sys.modules[name]).update(content)
    try:
        yield
    finally:
        for name, module in before.items():
            del sys.modules[name]
            if module is not None:
                sys.modules[name] = module
