"""The released instructions of the three levels, read out of the module that holds them: nothing of them stands here.

The module is one pinned file (`toolyard fetch toolbehonest --prompts`). It is parsed, never run.
"""

import ast
import warnings
from collections.abc import Mapping
from pathlib import Path

from toolyard.benchmarks.toolbehonest.data.sample import ToolBeHonestSample
from toolyard.core.benchmark import Source
from toolyard.core.errors import DataError

PROMPTS = (
    Source(
        url="https://raw.githubusercontent.com/ToolBeHonest/ToolBeHonest/56e386ee9fbec52ac2ecdf490574d6aa40c7222e"
        "/utils/generation_prompt.py",
        path="generation_prompt.py",
        sha256="7e8310e968233606d1d7496f28496494d04eaa1829698a2059ab1667d0c43fd3",
        size=7009,
        licence="MIT",
    ),
)
LEVELS = {1: "_detecting", 2: "_planning", 3: "_diagnosing"}
LANGUAGES = ("en", "zh")


def official_texts(folder: Path) -> Mapping[str, str]:
    """The instruction of each level and language."""
    path = folder / PROMPTS[0].path
    with warnings.catch_warnings():
        # The file escapes a quotation mark that needs no escape.
        warnings.simplefilter("ignore")
        tree = ast.parse(path.read_text(encoding="utf-8"))
    found = {
        target.id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    wanted = {
        text_name(level, language): f"{name}_{language}"
        for level, name in LEVELS.items()
        for language in LANGUAGES
    }
    missing = [name for name in wanted.values() if not isinstance(found.get(name), str)]
    if missing:
        raise DataError(f"{path} holds no {', '.join(missing)}; take the pinned file again")
    return {ours: str(found[theirs]) for ours, theirs in wanted.items()}


def text_name(level: int, language: str) -> str:
    """What the instruction of a level is called among a run's texts."""
    return f"official_{level}_{language}"


def official_prompt(sample: ToolBeHonestSample, texts: Mapping[str, str]) -> str:
    """The released instruction around task and tools.

    The release sets one more blank line in the unsolvable level-1 prompt, which gives the answer away; here both twins
    are shown in the form of the solvable one.
    """
    instruction = texts[text_name(sample.input["level"], sample.input["language"])]
    task, tools = sample.input["task"], sample.input["tools"]
    return f"{instruction}\n\n<task>\n{task}\n</task>\n<provided_tools>\n{tools}\n</provided_tools>"
