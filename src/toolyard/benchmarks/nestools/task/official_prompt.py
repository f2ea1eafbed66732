"""The released prompt, read out of the script that put it together: nothing of it stands here.

The script is one pinned file (`toolyard fetch nestools --prompts`). It is parsed, never run: the text before the tools,
between tools and task, and after the task are the strings of one sum.
"""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

from toolyard.core.benchmark import Source
from toolyard.core.errors import DataError

PROMPTS = (
    Source(
        url="https://raw.githubusercontent.com/hhan1018/NesTools/fb617f396d61ead9f857a48f9ea7cf12fa522450"
        "/inference/build_test_prompt/make_test_prompt.py",
        path="make_test_prompt.py",
        sha256="b0c46034e9f0b9f5e00e1ea33c93c6e0e783aa6000d60aad89aed24fa29b4ff2",
        size=5234,
        licence="Apache-2.0",
    ),
)
BEFORE, BETWEEN, AFTER = "official_before", "official_between", "official_after"
START, WHOLE = "base_prompt", "final_prompt"


def official_texts(folder: Path) -> Mapping[str, str]:
    """The three strings around tools and task."""
    path = folder / PROMPTS[0].path
    assigned = {
        target.id: node.value
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    parts = list(_summands(assigned[WHOLE])) if WHOLE in assigned else []
    texts = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    start = assigned.get(START)
    begins = isinstance(start, ast.Constant) and isinstance(start.value, str)
    if len(parts) != 5 or len(texts) != 2 or not begins:
        raise DataError(f"{path} puts no prompt together in the known way; take the pinned file again")
    assert isinstance(start, ast.Constant)
    return {BEFORE: str(start.value), BETWEEN: texts[0], AFTER: texts[1]}


def _summands(node: ast.expr) -> Iterator[ast.expr]:
    """The parts of a sum, from left to right."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        yield from _summands(node.left)
        yield from _summands(node.right)
    else:
        yield node
