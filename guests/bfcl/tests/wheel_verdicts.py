"""bfcl-eval's own verdicts on result files: its runner, its handler for OpenAI's interface, its parsers and its checker.

    python wheel_verdicts.py FOLDER   reads FOLDER/STYLE/KIND/BFCL_v4_*_result.json, prints {file: {id: valid}}

It runs in a process of its own, on answers of our own making only: this code calls `eval` on them.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import itertools
import json
import os
import re
import sys
import tempfile
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

UNUSED = ("dotenv", "tqdm", "openai", "tenacity", "filelock", "pandas", "overrides", "tree_sitter")
NUMBERS = itertools.count()


class Unused(ModuleType):
    """A package that is imported and never needed: everything in it hands back what it is given, or itself."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *given: Any, **named: Any) -> Any:
        return given[0] if given and callable(given[0]) else self

    def __enter__(self) -> Unused:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to end."""


class ModelNames(dict[str, Any]):
    """Every model is known; those that call natively have underscores for dots."""

    def __missing__(self, name: str) -> Any:
        return SimpleNamespace(underscore_to_dot=name.startswith("native"))


def import_runner() -> Any:
    """The wheel's runner, with stubs for packages that are not installed."""
    os.environ["BFCL_PROJECT_ROOT"] = tempfile.mkdtemp(prefix="bfcl-")
    for name in UNUSED:
        if importlib.util.find_spec(name) is None:
            sys.modules[name] = Unused(name)
    if isinstance(sys.modules.get("tree_sitter"), Unused):
        for language in ("java", "js"):
            name = f"bfcl_eval.model_handler.parser.{language}_parser"
            sys.modules[name] = Unused(name)
    config = ModuleType("bfcl_eval.constants.model_config")
    vars(config)["MODEL_CONFIG_MAPPING"] = ModelNames()
    sys.modules[config.__name__] = config
    return importlib.import_module("bfcl_eval.eval_checker.eval_runner")


def handler_of(native: bool) -> Any:
    """The wheel's handler that reads replies; it is never asked to send a request."""
    handlers = importlib.import_module("bfcl_eval.model_handler.api_inference.openai_completion")
    made = object.__new__(handlers.OpenAICompletionsHandler)
    made.is_fc_model = native
    return made


def verdict(runner: Any, style: str, row: dict[str, Any], entry: dict[str, Any], answer: Any) -> bool:
    """Whether the wheel takes a result for right; a result that it trips over is wrong."""
    category = re.sub(r"_\d[\d-]*$", "", row["id"])
    # The wheel keeps the services of a row by the name of the model.
    model, handler = f"{style}{next(NUMBERS)}", handler_of(style == "native")
    given = (handler, row["id"], row["result"])
    if "relevance" in category:
        found = runner._evaluate_single_relevance_entry(*given, entry, model, category)
    elif category.startswith("multi_turn"):
        found = runner._evaluate_single_multi_turn_entry(*given, answer, entry, model, category)
    else:
        java, script = category == "simple_java", category == "simple_javascript"
        name = "java" if java else "javascript" if script else "python"
        language, form = runner.Language(name), runner.ReturnFormat(name)
        found = runner._evaluate_single_ast_entry(*given, answer, entry, model, category, language, form)
    return bool(found["valid"])


def forget_services() -> None:
    """Empties what the wheel keeps for every model and row."""
    kept = vars(sys.modules["bfcl_eval.eval_checker.multi_turn_eval.multi_turn_utils"])
    for name in [name for name in kept if name.endswith("_instance")]:
        del kept[name]


def verdicts(runner: Any, file: Path) -> dict[str, bool | str]:
    """The wheel's verdicts on one result file."""
    category = runner.extract_test_category(file)
    entries = runner.load_dataset_entry(category, include_language_specific_hint=False)
    known = {entry["id"]: entry for entry in entries}
    answers = {}
    if "relevance" not in category:
        answers = {row["id"]: row["ground_truth"] for row in runner.load_ground_truth_entry(category)}
    found: dict[str, bool | str] = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        name = row["id"]
        try:
            found[name] = verdict(runner, file.parts[-3], row, dict(known[name]), answers.get(name))
        except Exception as error:
            found[name] = f"{type(error).__name__}: {error}"
        forget_services()
    return found


def shown(runner: Any, categories: set[str]) -> dict[str, list[Any]]:
    """What the wheel shows of every row: the messages of its prompt, and its functions."""
    handlers = importlib.import_module("bfcl_eval.model_handler.api_inference.openai_completion")
    found = {}
    for category in sorted(categories):
        for entry in runner.load_dataset_entry(category):
            tools = handlers.convert_to_tool(
                entry["function"], handlers.GORILLA_TO_OPENAPI, handlers.ModelStyle.OPENAI_COMPLETIONS
            )
            plain = [dict(message) for message in entry["question"][0]]
            handler_of(native=False)._pre_query_processing_prompting(entry)
            found[entry["id"]] = [plain, tools, entry["question"][0]]
    return found


def main(folder: Path) -> None:
    """Writes wheel.json into the folder."""
    with contextlib.redirect_stdout(io.StringIO()):
        runner = import_runner()
        files = sorted(folder.rglob("*_result.json"))
        found = {str(file.relative_to(folder)): verdicts(runner, file) for file in files}
        content = {
            "verdicts": found,
            "shown": shown(runner, {runner.extract_test_category(file) for file in files}),
        }
    (folder / "wheel.json").write_text(json.dumps(content), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
