"""What lies beside every data set: the card for people, and the manifest for machines. No times, no paths."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from toolyard import __version__
from toolyard.core.declared_world import VERSION
from toolyard.core.table import Table
from toolyard.core.types import JsonValue, Record
from toolyard.lines import encode_readable, write_whole
from toolyard.models.base import Price
from toolyard.models.download import file_sha256
from toolyard.synth.pipeline import Finished
from toolyard.synth.stage_log import StageCounts
from toolyard.synth.stages import Context, Pipeline, Provenance
from toolyard.text.markdown import code_span, markdown_tables

CARD = "card.md"
MANIFEST = "synth.json"


def funnel_table(funnel: Sequence[StageCounts], price: Price | None) -> Table:
    """Rows in, kept, rejected by reason, repaired, tokens and cost, stage by stage."""
    rows = tuple(
        (
            f"{line.stage} v{line.version}",
            line.entered,
            line.kept,
            counts_text(line.rejected),
            counts_text(line.repaired),
            line.usage.prompt_tokens + line.usage.completion_tokens or None,
            _cost_of_stage(line, price),
        )
        for line in funnel
    )
    columns = ("stage", "rows in", "kept", "rejected", "repaired", "tokens", "cost")
    note = "A stage may keep more rows than came in where it splits or composes them."
    return Table("Funnel", columns, rows, note)


def counts_text(counts: Mapping[str, int]) -> str | None:
    """Labels with their counts, the most frequent first."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{label} {count}" for label, count in ordered) or None


def _cost_of_stage(line: StageCounts, price: Price | None) -> str | None:
    if not line.usage.completion_tokens:
        return None
    return "unknown" if price is None else f"{price.cost(line.usage):.4f}"


def data_manifest(
    pipeline: Pipeline, context: Context, finished: Finished, model: str, files: Mapping[str, str]
) -> dict[str, JsonValue]:
    """Everything that the data depend on, and the hash of every file."""
    return {
        "benchmark": pipeline.benchmark,
        "pipeline": pipeline.name,
        "toolyard": __version__,
        **({"world": VERSION} if pipeline.of_world else {}),
        "seed": context.seed,
        "rows": len(finished.rows),
        "options": {name: _option_text(value) for name, value in sorted(context.options.items())},
        "embedder": context.embedder,
        "model": model,
        "stages": [_stage_json(line) for line in finished.funnel],
        "files": dict(sorted(files.items())),
    }


def _option_text(value: str) -> str:
    """An option as it is written down: of paths their last parts, which say what and not where."""
    parts = value.split(",")
    return ",".join(Path(part).name if part and Path(part).exists() else part for part in parts)


def _stage_json(line: StageCounts) -> dict[str, JsonValue]:
    return {
        "name": line.stage,
        "version": line.version,
        "rows_in": line.entered,
        "kept": line.kept,
        "rejected": dict(sorted(line.rejected.items())),
        "repaired": dict(sorted(line.repaired.items())),
        "prompt_tokens": line.usage.prompt_tokens,
        "completion_tokens": line.usage.completion_tokens,
    }


def card(facts: Record, provenance: Provenance, tables: Sequence[Table]) -> str:
    """The card as Markdown."""
    made_by = f"`toolyard synth {facts['benchmark']} --from {facts['pipeline']}`"
    in_world = f" in world {facts['world']}" if "world" in facts else ""
    lines = [
        f"# {facts['benchmark']}: {facts['rows']} rows, seed {facts['seed']}",
        "",
        f"Made by {made_by} of Toolyard {facts['toolyard']}{in_world}. {provenance.text}",
        "",
    ]
    if facts["model"]:
        lines += [f"Model: {code_span(facts['model'])}.", ""]
    lines += [f"- {code_span(f'--{name} {value}')}" for name, value in facts["options"].items() if value]
    lines += ["", "## Licences", ""]
    lines += [f"- {source}: {licence}" for source, licence in provenance.licences.items()]
    files = Table("Files", ("file", "sha256"), tuple(facts["files"].items()))
    return "\n".join([*lines, "", markdown_tables([*tables, files], level=2)])


def write_card(
    pipeline: Pipeline, context: Context, finished: Finished, model: str, price: Price | None, folder: Path
) -> tuple[Table, ...]:
    """Writes card and manifest beside the data files; the tables that the card shows."""
    files = {
        path.relative_to(folder).as_posix(): file_sha256(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in (CARD, MANIFEST)
    }
    facts = data_manifest(pipeline, context, finished, model, files)
    rates = () if pipeline.rates is None else pipeline.rates(finished.funnel)
    tables = (*pipeline.tables(finished.rows, context), *rates, funnel_table(finished.funnel, price))
    text = card(facts, pipeline.provenance(context), tables)
    write_whole(folder / MANIFEST, encode_readable(facts))
    write_whole(folder / CARD, text.encode())
    return tables
