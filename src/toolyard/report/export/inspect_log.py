"""A run as a log of inspect-ai, to be opened with `inspect view`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from toolyard.core.errors import MissingExtra
from toolyard.core.types import JsonValue, Profile
from toolyard.lines import encode, to_plain_json
from toolyard.report.content import Report
from toolyard.report.tables.statistics_tables import sample_scores
from toolyard.run.store.records import score_line
from toolyard.stats.summary import Graded, Summary

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample, EvalScore, EvalSpec
    from inspect_ai.scorer import Score as InspectScore


def write_inspect_log(report: Report, folder: Path) -> Path:
    """The log file; its name follows inspect's own pattern, so that lists show task and id."""
    try:
        from inspect_ai.log import write_eval_log
    except ImportError as error:
        raise MissingExtra("--to inspect needs inspect-ai: pip install 'toolyard[inspect]'") from error
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / log_name(report.manifest, report.benchmark.name)
    write_eval_log(eval_log(report), str(path))
    return path


def log_name(manifest: Mapping[str, JsonValue], benchmark: str) -> str:
    """The log's name in inspect's pattern; a foreign manifest cannot point it to another folder."""
    name = f"{manifest['started']}_{benchmark}_{str(manifest['digest'])[:12]}"
    return re.sub(r"[^A-Za-z0-9_.+-]", "-", name)[:200] + ".eval"


def eval_log(report: Report) -> EvalLog:
    """The run in inspect's terms: a sample per (sample, trial), a scorer per profile."""
    from inspect_ai.log import EvalLog, EvalPlan, EvalPlanStep, EvalResults, EvalStats
    from inspect_ai.model import ModelUsage

    samples = list(_eval_samples(report))
    usage = report.manifest["usage"]
    read, written = usage["prompt_tokens"], usage["completion_tokens"]
    return EvalLog(
        status="success",
        eval=_eval_spec(report),
        plan=EvalPlan(steps=[EvalPlanStep(solver="toolyard/episode")]),
        results=EvalResults(
            total_samples=len(samples),
            completed_samples=sum(sample.error is None for sample in samples),
            scores=[_eval_score(profile, report.summaries[profile]) for profile in report.summaries],
        ),
        stats=EvalStats(
            started_at=report.manifest["started"],
            completed_at=report.manifest["finished"] or "",
            model_usage={
                report.model: ModelUsage(
                    input_tokens=read, output_tokens=written, total_tokens=read + written
                )
            },
        ),
        samples=samples,
    )


def _eval_spec(report: Report) -> EvalSpec:
    from inspect_ai.log import EvalConfig, EvalDataset, EvalSpec
    from inspect_ai.model import GenerateConfig

    config, digest = report.run.config, report.manifest["digest"]
    return EvalSpec(
        created=report.manifest["started"],
        task=f"toolyard/{config.benchmark}",
        task_id=digest[:22],
        run_id=digest[:22],
        eval_id=digest[:22],
        task_version=config.version,
        model=report.model,
        model_generate_config=GenerateConfig(
            temperature=config.decoding.temperature, max_tokens=config.decoding.max_tokens
        ),
        config=EvalConfig(epochs=config.trials),
        dataset=EvalDataset(
            name=f"{config.benchmark}/{Path(config.data).name}",
            samples=len(report.run.samples),
            sample_ids=[sample.id for sample in report.run.samples],
        ),
        metadata={"data_sha256": config.data_sha256, "templates_sha256": config.templates_sha256},
    )


def _eval_score(profile: Profile, summary: Summary) -> EvalScore:
    from inspect_ai.log import EvalMetric, EvalScore

    return EvalScore(
        name=profile,
        scorer=profile,
        scored_samples=summary.samples,
        unscored_samples=summary.unscored,
        metrics={
            name: EvalMetric(name=name, value=figure.value)
            for name, figure in summary.figures.items()
            if figure.value is not None
        },
    )


def _eval_samples(report: Report) -> Iterator[EvalSample]:
    alone = {profile: sample_scores(report.setup, report.graded[profile]) for profile in report.graded}
    for place, paper in enumerate(report.graded["paper"]):
        scores = {
            profile: _inspect_value(report.graded[profile][place], alone[profile][place])
            for profile in report.graded
        }
        yield _eval_sample(report, paper, scores)


def _eval_sample(report: Report, item: Graded, scores: dict[Profile, InspectScore]) -> EvalSample:
    from inspect_ai.log import EvalError, EvalSample
    from inspect_ai.model import ModelOutput

    from toolyard.models.inspect import chat_message

    transcript = item.transcript
    messages = [chat_message(message) for message in transcript.messages]
    prompt = messages[:-1] if messages and messages[-1].role == "assistant" else messages
    failed = transcript.error
    return EvalSample(
        id=item.sample.id,
        epoch=transcript.trial + 1,
        input=prompt,
        target=encode(to_plain_json(item.sample.gold)).decode().strip(),
        messages=messages,
        output=ModelOutput.from_content(model=report.model, content=transcript.text),
        scores={str(profile): score for profile, score in scores.items()},
        metadata={"cluster": item.sample.cluster, "groups": dict(item.sample.groups)},
        error=None
        if failed is None
        else EvalError(
            message=f"{failed.kind}: {failed.detail}", traceback=failed.detail, traceback_ansi=failed.detail
        ),
    )


def _inspect_value(item: Graded, value: float | None) -> InspectScore:
    from inspect_ai.scorer import Score

    line: dict[str, JsonValue] = to_plain_json(score_line(item.score))
    if item.score.unscored is not None:
        return Score.unscored(reason=item.score.unscored, answer=item.transcript.text, metadata=line)
    return Score(
        value="scored" if value is None else value,
        answer=item.transcript.text,
        explanation="\n".join(item.score.reasons) or None,
        metadata=line,
    )
