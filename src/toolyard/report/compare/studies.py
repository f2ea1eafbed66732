"""The same samples in several settings of one run, each against the first: ways to call, lengths of the tool list."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from toolyard.charts.chart import MUTED, Chart, apply_theme, dots_with_intervals
from toolyard.charts.vega_lite import field, layer, step, view
from toolyard.core.errors import CONTEXT_OVERFLOW
from toolyard.core.table import Table
from toolyard.core.types import Completion, JsonValue
from toolyard.models.shown_tools import UNSEEN_TOOLS, unseen_tools_note
from toolyard.report.compare.compared_runs import ComparedRun, load_compared, refuse_mixture, set_baselines
from toolyard.report.resources import Resource, measure_resources, price_in
from toolyard.report.tables.formats import money_text, percent, with_interval, words
from toolyard.run.grade.baselines import chance_level
from toolyard.stats.bootstrap import Estimate
from toolyard.stats.paired import paired_test
from toolyard.stats.summary import rows_of
from toolyard.text.counted_nouns import how_many

# Figures that say which share of answers has the wanted form.
FORMATS = ("format", "format_alignment")
# How a call begins, in the tag of a chat template or bare; a parser that reads the call takes it out of the text.
CALL = re.compile(r'<tool_call>|\{\s*"name"\s*:\s*"[^"]*"\s*,\s*"arguments"')
TOOLS, UNREAD = "tools", "unread calls"
# Parts of a run's identity that are named where all settings have them.
CONDITIONS = ("style", "catalogue", "perturb", "variation")
CAPTION = (
    "In percent on the same samples, with 95 % intervals; the grey line is the best trivial baseline there."
)


@dataclass(frozen=True, slots=True)
class StudyCell:
    """One setting: its run, what it took, what chance reaches in it, and its paired difference to the first setting.

    `lead_difference` is that of the lead over chance; chance on the same samples is no estimate and widens nothing.
    """

    label: str
    run: ComparedRun
    took: Mapping[str, Resource]
    chance: float | None
    difference: Estimate | None = None
    lead_difference: Estimate | None = None

    @property
    def score(self) -> Estimate:
        """The headline."""
        return self.run.summary.figures[self.run.setup.headline]

    @property
    def format_errors(self) -> float | None:
        """The share of answers without the wanted form; None where no figure says it."""
        name = next((name for name in FORMATS if name in self.run.summary.figures), "")
        value = self.run.summary.figures[name].value if name else None
        return None if value is None else 1 - value

    @property
    def too_long(self) -> int:
        """Samples with a prompt that is longer than the model's context; they score as empty answers."""
        return self._samples_with(lambda reply: reply.finish_reason == CONTEXT_OVERFLOW)

    @property
    def unread_calls(self) -> int | None:
        """Samples with a reply whose text holds a call that the server's parser did not read; None where it reads none."""
        native = str(self.run.manifest["identity"]["style"]).startswith(("native", "search", "mcp"))
        return self._samples_with(lambda reply: CALL.search(reply.text)) if native else None

    @property
    def cut(self) -> int:
        """Samples with a reply that ended at the token limit."""
        return self._samples_with(lambda reply: reply.finish_reason == "length")

    def _samples_with(self, holds: Callable[[Completion], object]) -> int:
        return sum(any(map(holds, item.completions)) for item in self.run.transcripts.values())

    def mean_total(self, *names: str) -> float | None:
        """What a sample took on average, of these together."""
        known = [self.took[name].mean for name in names if name in self.took]
        return sum(known) if known else None

    def to_json(self) -> dict[str, JsonValue]:
        """One line of the table."""
        difference, lead = self.difference, self.lead_difference
        return {
            "setting": self.label,
            "run": self.run.folder.name,
            "figure": self.run.setup.headline,
            "value": self.run.headline,
            "interval": [self.score.low, self.score.high],
            "best_trivial_baseline": self.chance,
            "difference": None if difference is None else difference.value,
            "difference_interval": None if difference is None else [difference.low, difference.high],
            "lead_difference": None if lead is None else lead.value,
            "lead_difference_interval": None if lead is None else [lead.low, lead.high],
            "requests": self.mean_total("requests"),
            "tokens_read": self.mean_total("tokens_read"),
            "tokens_written": self.mean_total("tokens_written"),
            "cost": self.run.cost,
            "seconds": self.mean_total("seconds"),
            "format_errors": self.format_errors,
            "repeated_calls": self.took["repeated_calls"].total if "repeated_calls" in self.took else 0,
            "unread_calls": self.unread_calls,
            "cut": self.cut,
            "too_long": self.too_long,
            "samples": self.run.answers,
        }


def study_cells(cells: Sequence[tuple[str, Path]]) -> tuple[StudyCell, ...]:
    """The runs in these folders by their labels, each against the first on the samples that both answered."""
    runs = [load_compared(folder, "paper", {}) for _, folder in cells]
    refuse_mixture(runs)
    metric = runs[0].benchmark.scoring.metric(runs[0].setup.headline)
    first = rows_of(runs[0].graded)
    chances = [chance_level(set_baselines([run], "paper"), metric.name) for run in runs]
    found = []
    for (label, _), run, chance in zip(cells, runs, chances, strict=True):
        took = measure_resources(list(run.transcripts.values()), price_in(run.manifest))
        difference = (
            paired_test(metric, rows_of(run.graded), first).difference if run is not runs[0] else None
        )
        lead = difference and _subtract_chance(difference, chances[0], chance)
        found.append(StudyCell(label, run, took, chance, difference, lead))
    return tuple(found)


def _subtract_chance(difference: Estimate, first: float | None, chance: float | None) -> Estimate | None:
    """A difference without what chance lost or won."""
    if first is None or chance is None or difference.value is None:
        return None
    low, high = (None if end is None else end - chance + first for end in (difference.low, difference.high))
    return Estimate(difference.value - chance + first, low, high)


def common_facts(cells: Sequence[StudyCell]) -> dict[str, JsonValue]:
    """What all settings have in common: model, data, how many samples, seed, and what else was asked for."""
    run = cells[0].run
    identities = [cell.run.manifest["identity"] for cell in cells]
    shared = {
        name: value
        for name in CONDITIONS
        if (value := identities[0].get(name)) and all(each.get(name) == value for each in identities)
    }
    return {
        "benchmark": run.benchmark.name,
        "version": run.version,
        "model": run.model,
        "data": str(run.manifest["data"]),
        "samples": min(cell.run.answers for cell in cells),
        "seed": identities[0]["seed"],
        **shared,
        "unseen_tools": list(_unseen_tools(cells)),
    }


def conditions_line(cells: Sequence[StudyCell]) -> str:
    """The same in words."""
    known = common_facts(cells)
    more = [f"{name} {known[name]}" for name in ("seed", *CONDITIONS) if name in known]
    line = f"{known['model']} on {known['data']}, {how_many(int(str(known['samples'])), 'sample')}, {', '.join(more)}"
    unseen = _unseen_tools(cells)
    return f"{', '.join(unseen)}: {UNSEEN_TOOLS}; {line}" if unseen else line


def _unseen_tools(cells: Sequence[StudyCell]) -> tuple[str, ...]:
    """The settings whose tools the model's chat template did not show it."""
    return tuple(cell.label for cell in cells if unseen_tools_note(cell.run.manifest))


def find_knee(cells: Sequence[StudyCell]) -> str:
    """The first setting whose lead over chance is clearly smaller than that of the first one; empty where none is."""
    return next(
        (
            cell.label
            for cell in cells
            if (lead := cell.lead_difference) and lead.high is not None and lead.high < 0
        ),
        "",
    )


def study_table(title: str, name: str, cells: Sequence[StudyCell], note: str) -> Table:
    """One row for each setting; in longer lists chance falls too, so that there the lead over it is compared."""
    headline, of_lead = words(cells[0].run.setup.headline), name == TOOLS
    columns = (
        name, f"{headline} [95 %]", "chance", f"{'lead ' if of_lead else ''}against {cells[0].label} [95 %]", "requests",
        "tokens read", "written", "cost", "seconds", "format errors %", UNREAD, "cut", "repeated calls", "too long",
        "samples",
    )  # fmt: skip
    rows = [_table_row(cell, cell.lead_difference if of_lead else cell.difference) for cell in cells]
    table = Table(title, columns, tuple(rows), note)
    return table if any(cell.unread_calls is not None for cell in cells) else table.without(UNREAD)


def _table_row(cell: StudyCell, compared: Estimate | None) -> tuple[object, ...]:
    repeated = cell.took.get("repeated_calls")
    return (
        cell.label,
        "withheld" if cell.run.summary.withheld else with_interval(cell.score),
        percent(cell.chance),
        None if compared is None else with_interval(compared),
        _format_number(cell.mean_total("requests"), 1),
        _format_number(cell.mean_total("tokens_read")),
        _format_number(cell.mean_total("tokens_written")),
        money_text(cell.run.cost),
        _format_number(cell.mean_total("seconds"), 2),
        percent(cell.format_errors),
        cell.unread_calls,
        cell.cut,
        0 if repeated is None else int(repeated.total),
        cell.too_long,
        cell.run.answers,
    )


def _format_number(value: float | None, digits: int = 0) -> str | None:
    return None if value is None else f"{value:,.{digits}f}"


def study_chart(name: str, cells: Sequence[StudyCell]) -> Chart:
    """The headline of each setting, beside what chance reaches in it."""
    headline = words(cells[0].run.setup.headline)
    title = f"{headline[0].upper()}{headline[1:]} by {'number of tools' if name == TOOLS else name}"
    rows: list[dict[str, object]] = [
        {
            name: cell.label,
            "value": 100 * score.value,
            "low": 100 * score.low,
            "high": 100 * score.high,
            **({} if cell.chance is None else {"chance": 100 * cell.chance}),
        }
        for cell in cells
        if (score := cell.score).value is not None and score.low is not None and score.high is not None
    ]
    base = view(rows).encode(y=field(f"{name}:N", sort=None, title=None, axis={"minExtent": 120}))
    marks = dots_with_intervals(base, field("value:Q", title="percent", scale={"zero": True}))
    chance = base.mark("tick", color=MUTED, thickness=2, size=14).encode(x=field("chance:Q"))
    spec = apply_theme(layer(*marks, chance).properties(width=300, height=step(26)))
    numbers = tuple((cell.label, with_interval(cell.score), percent(cell.chance)) for cell in cells)
    return Chart("study", title, CAPTION, spec, Table(title, (name, "score [95 %]", "chance"), numbers))
