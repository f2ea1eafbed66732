"""A model card's evaluation block and a dataset of details, in the forms of the Hugging Face Hub.

Everything is written to a folder; nothing is sent anywhere.
"""

from collections.abc import Iterator
from pathlib import Path

from toolyard.core.types import JsonValue
from toolyard.lines import encode, to_plain_json, write_whole
from toolyard.report.content import Report
from toolyard.report.tables.run_tables import results_table
from toolyard.run.store.records import score_line
from toolyard.text.markdown import escape_markdown, markdown_tables
from toolyard.text.parsing import json_safe

DETAILS = "details"
# In a model's repository, and in that of the data set which keeps the leaderboard.
EVAL_RESULTS, BENCHMARK = ".eval_results", "benchmark"


def write_hub(report: Report, folder: Path) -> list[Path]:
    """README.md with the evaluation block, and the folder of details."""
    details = folder / DETAILS
    details.mkdir(parents=True, exist_ok=True)
    name = report.benchmark.name
    files = {
        folder / "README.md": model_card(report).encode("utf-8", "backslashreplace"),
        details / "README.md": details_card(report).encode("utf-8", "backslashreplace"),
        details / f"{name}.jsonl": b"".join(map(encode, detail_rows(report))),
        folder / EVAL_RESULTS / f"{name}.yaml": yaml_text([eval_result(report)]).encode(),
        folder / BENCHMARK / "eval.yaml": yaml_text(eval_definition(report)).encode(),
    }
    for path, data in files.items():
        path.parent.mkdir(exist_ok=True)
        write_whole(path, data)
    return list(files)


def model_card(report: Report) -> str:
    """A card to merge into the model's own: the block between the lines, then the table."""
    block = {"model-index": [{"name": report.model, "results": [result_block(report)]}]}
    table = markdown_tables([results_table(report)])
    return f"---\n{yaml_text(block)}---\n\n# {report.benchmark.about.title}\n\n{table}"


def result_block(report: Report) -> dict[str, JsonValue]:
    """One entry of `results`: task, data set, every defined figure in percent, and where it comes from."""
    config = report.run.config
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


def dataset_id(report: Report) -> str:
    """The data set on the Hub that the result belongs to; yours where you publish the data under another name."""
    return f"toolyard/{report.benchmark.name}"


def eval_result(report: Report) -> dict[str, JsonValue]:
    """One entry of `.eval_results`: the headline in percent, and how it was made."""
    summary, name = report.summaries["paper"], report.setup.headline
    figure, config = summary.figures[name], report.run.config
    interval = (
        ""
        if figure.low is None or figure.high is None
        else f" [{100 * figure.low:.1f}, {100 * figure.high:.1f}]"
    )
    return {
        "dataset": {
            "id": dataset_id(report),
            "task_id": report.benchmark.name,
            "revision": config.data_sha256,
        },
        "value": None if figure.value is None or summary.withheld else round(100 * figure.value, 2),
        "date": str(report.manifest.get("finished") or report.manifest.get("started") or "")[:10],
        "source": {
            "url": report.benchmark.about.paper.url,
            "name": f"Toolyard {report.manifest['package_version']}, {config.benchmark} {config.version}",
        },
        "notes": f"{name}, paper profile, style {config.style}, data {Path(config.data).name}, "
        f"n {summary.samples}{', 95 % interval' if interval else ''}{interval}",
    }


def eval_definition(report: Report) -> dict[str, JsonValue]:
    """`eval.yaml` of the data set's own repository: what the task is and what runs it."""
    about = report.benchmark.about
    return {
        "name": about.title,
        "description": about.paper.title or about.title,
        "evaluation_framework": "inspect-ai",
        "tasks": [{"id": report.benchmark.name, "config": report.benchmark.name, "split": "test"}],
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
        f"One row per sample and trial of {escape_markdown(report.model)} on {report.benchmark.about.title} "
        f"({report.benchmark.name} {report.benchmark.version}, data {escape_markdown(report.run.config.data)}).",
        "Columns that differ in shape from row to row (gold, graded, errors) hold JSON text.",
        "Prompts and gold answers are the benchmark's: do not train on them.",
    ]
    if licences:
        about.append(f"Licences of the official data: {', '.join(licences)}.")
    return f"---\n{yaml_text(head)}---\n\n" + "\n\n".join(about) + "\n"


def detail_rows(report: Report) -> Iterator[dict[str, JsonValue]]:
    """One flat row per (sample, trial), the same columns in each."""
    for graded in zip(*report.graded.values(), strict=True):
        paper = graded[0]
        transcript = paper.transcript
        yield {
            "sample": paper.sample.id,
            "trial": transcript.trial,
            "cluster": paper.sample.cluster,
            "groups": _json_text(paper.sample.groups),
            "messages": _json_text(
                [{"role": item.role, "content": item.content} for item in transcript.messages]
            ),
            "answer": transcript.text,
            "error": "" if transcript.error is None else transcript.error.kind,
            "gold": _json_text(paper.sample.gold),
            **{
                profile: _json_text(score_line(item.score))
                for profile, item in zip(report.graded, graded, strict=True)
            },
        }


def _json_text(value: object) -> str:
    return encode(to_plain_json(value)).decode().rstrip("\n")


def yaml_text(value: object) -> str:
    """The value as block-style YAML, keys in their order."""
    import yaml

    safe = json_safe(value)
    text: str = yaml.safe_dump(safe, sort_keys=False, allow_unicode=True)
    # Line ends beyond ASCII are folded where they are written as they are.
    if any(mark in text for mark in "\x85\u2028\u2029"):
        text = yaml.safe_dump(safe, sort_keys=False)
    return text
