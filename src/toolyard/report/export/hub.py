"""A model card's evaluation block and a dataset of details, in the forms of the Hugging Face Hub.

Everything is written to a folder; nothing is sent anywhere.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from toolyard.core.types import Json
from toolyard.lines import encode, plain
from toolyard.report.content import Report
from toolyard.report.export.markdown import markdown
from toolyard.report.tables.run_tables import results_table
from toolyard.run.records import score_line

DETAILS = "details"
PLAIN_KEY = re.compile(r"[a-z][a-z_-]*")
YAML_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})


def write_hub(report: Report, folder: Path) -> list[Path]:
    """README.md with the evaluation block, and the folder of details."""
    details = folder / DETAILS
    details.mkdir(parents=True, exist_ok=True)
    name = report.benchmark.name
    files = {
        folder / "README.md": model_card(report).encode("utf-8", "backslashreplace"),
        details / "README.md": details_card(report).encode("utf-8", "backslashreplace"),
        details / f"{name}.jsonl": b"".join(map(encode, detail_rows(report))),
    }
    for path, data in files.items():
        path.write_bytes(data)
    return list(files)


def model_card(report: Report) -> str:
    """A card to merge into the model's own: the block between the lines, then the table."""
    block = {"model-index": [{"name": report.model, "results": [result_block(report)]}]}
    table = markdown([results_table(report)])
    return f"---\n{yaml(block)}---\n\n# {report.benchmark.about.title}\n\n{table}"


def result_block(report: Report) -> dict[str, Json]:
    """One entry of `results`: task, data set, every defined figure in percent, and where it comes from."""
    config = report.plan.config
    return {
        "task": {"type": "text-generation", "name": "Tool use"},
        "dataset": {
            "name": report.benchmark.about.title,
            "type": f"toolyard/{report.benchmark.name}",
            "config": Path(config.data).name,
            "revision": config.data_sha256,
        },
        "metrics": [
            {"type": name, "name": f"{name} ({profile} profile)", "value": round(100 * figure.value, 2)}
            for profile, summary in report.summaries.items()
            for name, figure in summary.figures.items()
            if figure.value is not None
        ],
        "source": {
            "name": f"Toolyard {report.manifest['package_version']}, {config.benchmark} {config.version}",
            "url": report.benchmark.about.paper.url,
        },
    }


def details_card(report: Report) -> str:
    """The card of the details: how to load them and under which licences their texts stand."""
    name = report.benchmark.name
    head = {
        "pretty_name": f"{report.model} on {report.benchmark.about.title}",
        "configs": [{"config_name": name, "data_files": [{"split": "test", "path": f"{name}.jsonl"}]}],
    }
    licences = sorted({source.licence for source in report.benchmark.data.sources})
    about = [
        f"One row per sample and trial of {report.model} on {report.benchmark.about.title} "
        f"({report.benchmark.name} {report.benchmark.version}, data {report.plan.config.data}).",
        "Columns that differ in shape from row to row (gold, graded, errors) hold JSON text.",
        "Prompts and gold answers are the benchmark's: do not train on them.",
    ]
    if licences:
        about.append(f"Licences of the official data: {', '.join(licences)}.")
    return f"---\n{yaml(head)}---\n\n" + "\n\n".join(about) + "\n"


def detail_rows(report: Report) -> Iterator[dict[str, Json]]:
    """One flat row per (sample, trial), the same columns in each."""
    for paper, official in zip(report.graded["paper"], report.graded["official"], strict=True):
        transcript = paper.transcript
        yield {
            "sample": paper.sample.id,
            "trial": transcript.trial,
            "cluster": paper.sample.cluster,
            "groups": _text(paper.sample.groups),
            "messages": _text([{"role": item.role, "content": item.content} for item in transcript.messages]),
            "answer": transcript.text,
            "error": "" if transcript.error is None else transcript.error.kind,
            "gold": _text(paper.sample.gold),
            "paper": _text(score_line(paper.score)),
            "official": _text(score_line(official.score)),
        }


def _text(value: Json) -> str:
    return encode(plain(value)).decode().rstrip("\n")


def yaml(value: Json, indent: int = 0) -> str:
    """Block-style YAML; scalars are written as JSON, which YAML reads alike."""
    space = "  " * indent
    if isinstance(value, Mapping):
        return "".join(_entry(f"{space}{_key(key)}:", item, indent) for key, item in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "".join(_item(space, item, indent) for item in value)
    return f"{space}{_scalar(value)}\n"


def _entry(head: str, value: Json, indent: int) -> str:
    if isinstance(value, (Mapping, list, tuple)) and value:
        return f"{head}\n{yaml(value, indent + 1)}"
    return f"{head} {_scalar(value)}\n"


def _item(space: str, value: Json, indent: int) -> str:
    if not isinstance(value, (Mapping, list, tuple)) or not value:
        return f"{space}- {_scalar(value)}\n"
    block = yaml(value, indent + 1)
    return f"{space}- {block[len(space) + 2 :]}"


def _key(name: str) -> str:
    return name if PLAIN_KEY.fullmatch(name) and name not in YAML_WORDS else _scalar(name)


def _scalar(value: Json) -> str:
    """JSON, but for characters beyond 16 bit: YAML does not join surrogate pairs."""
    if not isinstance(value, str):
        return json.dumps(value)
    parts = (
        f"\\U{ord(character):08X}" if ord(character) > 0xFFFF else json.dumps(character)[1:-1]
        for character in value.encode("utf-8", "backslashreplace").decode()
    )
    return f'"{"".join(parts)}"'
