"""What a reader needs to trust and repeat a run: its facts, its command line, what was left out."""

from collections.abc import Mapping

from toolyard.core.types import Record
from toolyard.models.shown_tools import unseen_tools_note
from toolyard.report.content import Report
from toolyard.report.page.verdict_line import VerdictLine
from toolyard.report.tables.formats import percent, words
from toolyard.report.tables.run_tables import cut_note, few_note, minutes_note
from toolyard.run.plan.run_config import command_line as repeating_command

# Characters of the rendered prompt; templates repeat little, but some hold a page of instructions.
RENDERED = 600
Facts = tuple[tuple[str, str], ...]


def command_line(report: Report) -> str:
    """The command that makes the same run again."""
    return repeating_command(report.run.config, report.benchmark)


def run_facts(report: Report) -> Facts:
    """The manifest, for people."""
    config, manifest = report.run.config, report.manifest
    decoding = config.decoding
    facts: dict[str, object] = {
        "model": config.model,
        "benchmark": f"{config.benchmark} {config.version}",
        "toolyard": manifest.get("package_version"),
        "data": config.data,
        "data sha256": config.data_sha256,
        "templates sha256": config.templates_sha256,
        "style": config.style,
        "options": ", ".join(f"{name} {value}" for name, value in config.options.items()),
        "decoding": f"temperature {decoding.temperature:g}, top-p {decoding.top_p:g}, {decoding.max_tokens} tokens",
        "budget": ", ".join(f"{name}: {count}" for name, count in config.allocation.items()),
        "items asked": _reached_in_words(manifest.get("reached")),
        "seed": config.seed,
        "trials": config.trials,
        "judge": manifest.get("judge") or "none",
        "embedder": manifest.get("similarity"),
        "engine": _engine_text(manifest.get("engine")),
        "served by": _serving_text(manifest.get("serving")),
        "chat template sha256": (manifest.get("serving") or {}).get("template_sha256"),
        "prompt as rendered": _rendered_prompt(manifest.get("serving")),
        "started": manifest.get("started"),
        "finished": manifest.get("finished"),
        "tokens": _token_text(manifest.get("usage")),
        "cost": _cost_text(manifest),
        "digest": manifest.get("digest"),
    }
    return tuple((name, str(value)) for name, value in facts.items() if value not in (None, ""))


def _cost_text(manifest: Record) -> str:
    """What the run cost, and of which day the prices are where they come from a list."""
    if manifest.get("cost") is None:
        return "unknown"
    date = (manifest.get("prices") or {}).get("date")
    return f"${manifest['cost']:.4f}" + (f" (prices of {date})" if date else "")


def _engine_text(engine: Record | None) -> str:
    return ", ".join(f"{name} {value}" for name, value in (engine or {}).items())


def _reached_in_words(reached: Record | None) -> str:
    return f"{reached['items']} of {reached['of']} in {reached['minutes']:g} min" if reached else ""


def _serving_text(serving: Record | None) -> str:
    """Surface, server and what was asked of them beyond the request."""
    known = {
        name: value
        for name, value in (serving or {}).items()
        if name not in ("rendered_prompt", "template_sha256")
    }
    return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in known.items())


def _rendered_prompt(serving: Record | None) -> str:
    """What the chat template makes of a system and a user message, line ends shown; whole in the manifest."""
    return str((serving or {}).get("rendered_prompt") or "").replace("\n", "⏎ ")[:RENDERED]


def _token_text(usage: Mapping[str, int] | None) -> str:
    if not usage:
        return ""
    batched = usage.get("batched_prompt_tokens", 0) + usage.get("batched_completion_tokens", 0)
    parts = {
        "cached": usage.get("cached_tokens", 0),
        "of thoughts": usage.get("reasoning_tokens", 0),
        "by batch": batched,
    }
    more = "".join(f", {count:,} {what}" for what, count in parts.items() if count)
    return f"{usage.get('prompt_tokens', 0):,} in, {usage.get('completion_tokens', 0):,} out{more}"


def run_verdict(report: Report) -> VerdictLine | None:
    """Whether the headline lies above what needs no ability; None where there is nothing to say."""
    name, summary = report.setup.headline, report.summaries["paper"]
    figure, chance = summary.figures[name], report.chance(name)
    if summary.withheld:
        return VerdictLine(False, f"No {words(name)}: more than 2 % of the samples are unscored.")
    if figure.value is None or chance is None or not report.strongest_first:
        return None
    best = report.strongest_first[0].name
    named = f"the best trivial baseline, {best.removeprefix('scripted/')} ({percent(chance)})"
    low = figure.value if figure.low is None else figure.low
    if low > chance:
        return VerdictLine(True, f"Better than {named}.")
    if figure.value > chance:
        return VerdictLine(
            False, f"Not clearly better than {named}: its interval reaches down to {percent(low)}."
        )
    why = report.benchmark.checks.trivial.why_much(best)
    return VerdictLine(False, f"No better than {named}, which needs no ability{f': {why}' if why else ''}.")


def left_out_notes(report: Report) -> tuple[str, ...]:
    """Everything that the figures do not stand on, in sentences."""
    summary = report.summaries["paper"]
    found = []
    if few := few_note(summary):
        found.append(few)
    if part := minutes_note(report):
        found.append(part)
    for reason, count in summary.unscored_reasons.items():
        found.append(f"{count:,} unscored: {reason.replace('_', ' ')}")
    if report.overflows:
        found.append(f"{report.overflows:,} prompts did not fit the context and scored as empty answers")
    if cut := cut_note(report):
        found.append(cut)
    if unseen := unseen_tools_note(report.manifest):
        found.append(unseen)
    missing = len(report.run.samples) * report.run.config.trials - summary.samples - summary.unscored
    if missing > 0:
        found.append(f"{missing:,} not evaluated yet")
    return tuple(found)
