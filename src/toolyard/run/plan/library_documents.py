"""Tool documents of the library, for samples that name their tools instead of bringing documents."""

import hashlib
import json

from toolyard.core.benchmark import Benchmark
from toolyard.core.types import Options, Record, Sample


def add_documents(benchmark: Benchmark, samples: tuple[Sample, ...], options: Options) -> tuple[Sample, ...]:
    """The samples, each with `input["documents"]`; what the data bring themselves stays as it is."""
    scene = benchmark.task.scene_in(options.style)
    if scene is None or all("documents" in sample.input for sample in samples):
        return samples
    return tuple(
        sample
        if "documents" in sample.input or not (part := scene(sample, options).part)
        else sample.with_input({"documents": library_documents(part)})
        for sample in samples
    )


def documents_sha256(samples: tuple[Sample, ...]) -> str:
    """The hash of all documents that the samples offer, wherever they came from; empty where there are none."""
    offered = {json.dumps(sample.input["documents"]) for sample in samples if "documents" in sample.input}
    if not offered:
        return ""
    return hashlib.sha256("\n".join(sorted(offered)).encode()).hexdigest()


def library_documents(part: tuple[str, ...]) -> list[Record]:
    """The documents of all tools of these parts of the library, under names that are unique among them."""
    from toolyard.world.kernel.naming import short_names
    from toolyard.world.kernel.registry import library, select

    ids = tuple(dict.fromkeys(tool.id for each in part for tool in select(each)))
    return [
        {"name": name, "description": document.description, "parameters": document.schema()}
        for name, tool_id in short_names(ids).items()
        for document in (library()[tool_id].document,)
    ]
