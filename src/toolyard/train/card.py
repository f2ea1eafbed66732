"""The model card that lies beside the weights: how they were made, from what, and what was measured."""

from __future__ import annotations

from collections.abc import Sequence

from toolyard.core.table import Table
from toolyard.core.types import JsonValue, Record
from toolyard.lines import write_whole
from toolyard.text.markdown import code_span, escape_markdown, markdown_tables
from toolyard.train.data import counts_table
from toolyard.train.settings import TrainSettings
from toolyard.train.tuned_model import Base

CARD = "README.md"


def loss_table(evaluations: Sequence[Record]) -> Table:
    """The loss on rows held out at every evaluation, in all and by source."""
    measured = [line for line in evaluations if line["held_out"] is not None]
    sources = sorted({source for line in measured for source in line["sources"]})
    rows = tuple(
        (line["step"], line["held_out"], *(line["sources"].get(source) for source in sources))
        for line in measured
    )
    return Table("Loss on rows held out, per learnt token", ("step", "all", *sources), rows)


def figures_table(evaluations: Sequence[Record]) -> Table:
    """The headline of every benchmark that was asked, with its interval, step by step."""
    rows = tuple(
        (line["step"], name, figure["value"], figure["low"], figure["high"])
        for line in evaluations
        for name, figure in line.get("benchmarks", {}).items()
    )
    return Table(
        "Scores on the first items of benchmarks", ("step", "benchmark", "metric", "low", "high"), rows
    )


def result_tables(evaluations: Sequence[dict[str, JsonValue]]) -> tuple[Table, ...]:
    """What was measured while it was trained."""
    return tuple(table for table in (loss_table(evaluations), figures_table(evaluations)) if table.rows)


def write_card(settings: TrainSettings, base: Base, facts: Record) -> None:
    """Writes the card."""
    result = facts["result"]
    identity = facts["identity"]
    adapter = (
        f"LoRA of rank {settings.rank} on all linear layers" if settings.method == "lora" else "all weights"
    )
    lines = [
        f"# {escape_markdown(base.name)}, tuned for tool use",
        "",
        f"{adapter}, {facts['trained_numbers']:,} numbers; {facts['steps']} steps of about "
        f"{settings.batch_tokens:,} tokens, learning rate {settings.learning_rate:g}, seed {settings.seed}; "
        f"weights of step {result['step']}. Trained in {result['seconds']:.0f} s on {escape_markdown(facts['device'])}.",
        "",
        *_usage_lines(settings, base),
        "",
        markdown_tables([counts_table(facts["rows"])], level=2),
        f"Rows with more than {settings.max_length} tokens were left out: {facts['too_long']}.",
        "",
    ]
    lines.append(markdown_tables(result_tables(result["evaluations"]), level=2))
    rounding = result["held_out_after_rounding"]
    if rounding:
        rows = tuple(rounding.items())
        lines.append(
            markdown_tables(
                [Table("What rounding costs", ("weights", "loss on rows held out"), rows)], level=2
            )
        )
    made_of = ("base_sha256", "data_sha256", "held_out_sha256")
    hashes = Table(
        "Made of",
        ("what", "sha256"),
        tuple((name[:-7].replace("_", " "), identity[name]) for name in made_of),
    )
    versions = Table("Versions", ("package", "version"), tuple(facts["versions"].items()))
    write_whole(
        settings.out / CARD, "\n".join([*lines, markdown_tables([hashes, versions], level=2)]).encode()
    )


def _usage_lines(settings: TrainSettings, base: Base) -> list[str]:
    if settings.method == "full":
        return ["Use: `toolyard run mtu -m hf/model`."]
    file = base.where.name if base.gguf else "BASE"
    served, here = f"toolyard run mtu -m 'gguf/{file}?lora=adapter.gguf'", f"-m 'hf/{file}?adapter=adapter'"
    return [f"Use: {code_span(served)} with the bundled server, or {code_span(here)} in process."]
