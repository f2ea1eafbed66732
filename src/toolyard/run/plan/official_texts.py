"""The paper's own prompts where they lie in a file beside the data: fetched, checked by hash, read for each run."""

from collections.abc import Mapping
from pathlib import Path

from toolyard.core.benchmark import Benchmark
from toolyard.core.errors import DataError, MissingAsset
from toolyard.models.assets import cache_folder
from toolyard.run.plan.run_config import path_sha256, require_style


def prompts_folder(benchmark: Benchmark) -> Path:
    """Where `toolyard fetch BENCH --prompts` puts the files; apart from the data, whose hash must not change."""
    return cache_folder() / "prompts" / benchmark.name


def official_texts(benchmark: Benchmark, style: str | None) -> Mapping[str, str]:
    """The texts that the style sends; nothing where it needs none of them."""
    prompts = benchmark.paper_prompts
    if prompts.texts is None or require_style(benchmark, style) not in prompts.verbatim:
        return {}
    folder = prompts_folder(benchmark)
    for source in prompts.sources:
        path = folder / source.path
        if not path.is_file():
            raise MissingAsset(
                f"the prompts of the {benchmark.name} paper are not here ({path}); get them with: "
                f"toolyard fetch {benchmark.name} --prompts"
            )
        if path_sha256(path) != source.sha256:
            raise DataError(
                f"{path} is not the pinned file; remove it and run: toolyard fetch {benchmark.name} --prompts"
            )
    return prompts.texts(folder)


def own_styles(benchmark: Benchmark) -> tuple[str, ...]:
    """The styles whose texts are in the package or in the data themselves."""
    prompts = benchmark.paper_prompts
    elsewhere = prompts.verbatim if prompts.texts is not None else ()
    return tuple(style for style in benchmark.task.styles if style not in elsewhere)
