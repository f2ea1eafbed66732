"""The prompts of all ways to call, side by side in docs/ways.md, written from the templates themselves.

python recipes/way_prompts.py            # writes them between the page's two marks
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from toolyard.benchmarks import load_benchmark
from toolyard.cli.studying import WAYS
from toolyard.core.benchmark import WAYS as PREFIX

PAGE = Path(__file__).resolve().parents[1] / "docs" / "ways.md"
PLACE = re.compile(r"(<!-- prompts:start -->\n).*?(<!-- prompts:end -->)", re.DOTALL)
# The template of each benchmark's first style; native prompts of MTU-Bench have a name of their own.
TEXTS = {
    "nestools": "default",
    "tooleyes": "system",
    "mtu": "instructions_multiple",
    "toolbehonest": "level_3_en",
}
NAMES = {"instructions_native": "native"}


def prompts() -> str:
    """Every benchmark's prompts, way by way, as Markdown."""
    return "\n".join(line for name in sorted(TEXTS) for line in describe(name))


def describe(name: str) -> Iterator[str]:
    """The prompts of one benchmark."""
    benchmark = load_benchmark(name)
    texts = {key.removeprefix(PREFIX): text for key, text in benchmark.task.templates.items()}
    yield f"### {benchmark.about.title.partition(':')[0]}\n"
    yield from _block(f"{benchmark.task.styles[0]} (text)", texts[TEXTS[name]])
    for way in WAYS:
        for key, text in texts.items():
            known = NAMES.get(key, key)
            if known == way or (known.startswith(f"{way}_") and not known.endswith("_zh")):
                yield from _block(known, text)


def _block(title: str, text: str) -> Iterator[str]:
    yield f"`{title}`\n\n````text\n{text.strip()}\n````\n"


if __name__ == "__main__":
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(PLACE.sub(lambda found: found[1] + prompts() + found[2], page), encoding="utf-8")
