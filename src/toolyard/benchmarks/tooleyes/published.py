"""The published rows: Tables 2, 3, 4 and 9, in fractions; F and p of Table 3 stand in `ANOVA` as printed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from toolyard.core.benchmark import F_STATISTIC, P_VALUE, PublishedRow

# The columns of Table 2, which are in another order than Table 1's, and the queries behind each.
COLUMNS = ("TG", "DU", "RS", "AM", "PL", "IR", "FT")
QUERIES = {"TG": 58, "DU": 49, "RS": 56, "PL": 70, "IR": 54, "AM": 45, "FT": 50}
OPEN, TOOL_ORIENTED, CLOSED = "open-source", "tool-oriented", "closed-source"
_KINDS = {
    "LLaMA-2-chat-7B": OPEN, "LLaMA-2-chat-13B": OPEN, "LLaMA-2-chat-70B": OPEN, "Vicuna-1.5-7B": OPEN,
    "Vicuna-1.5-13B": OPEN, "ToolLLaMA-2-7B-v1": TOOL_ORIENTED, "ToolLLaMA-2-7B-v2": TOOL_ORIENTED,
    "Text-davinci-003": CLOSED, "GPT-3.5-turbo": CLOSED, "GPT-4": CLOSED,
}  # fmt: skip
_SIZES = {
    "LLaMA-2-chat-7B": 7, "LLaMA-2-chat-13B": 13, "LLaMA-2-chat-70B": 70, "Vicuna-1.5-7B": 7, "Vicuna-1.5-13B": 13,
    "ToolLLaMA-2-7B-v1": 7, "ToolLLaMA-2-7B-v2": 7,
}  # fmt: skip
# Per model: overall in percent for each column, then over all queries.
TABLE_2: Mapping[str, tuple[float, ...]] = {
    "LLaMA-2-chat-7B": (15.33, 24.48, 13.56, 11.45, 12.39, 10.09, 8.33, 13.59),
    "LLaMA-2-chat-13B": (19.97, 25.06, 15.59, 24.48, 12.62, 15.68, 15.57, 17.98),
    "LLaMA-2-chat-70B": (3.84, 6.07, 5.77, 9.04, 4.77, 4.03, 4.40, 5.29),
    "Vicuna-1.5-7B": (51.53, 36.17, 41.10, 32.83, 40.82, 37.42, 27.78, 38.76),
    "Vicuna-1.5-13B": (25.76, 21.93, 24.02, 32.61, 23.37, 23.00, 20.22, 24.27),
    "ToolLLaMA-2-7B-v1": (49.33, 40.85, 40.14, 39.81, 40.56, 40.92, 38.88, 41.61),
    "ToolLLaMA-2-7B-v2": (72.90, 54.65, 54.57, 46.49, 58.70, 54.51, 48.00, 56.30),
    "Text-davinci-003": (48.56, 48.50, 34.24, 38.68, 34.12, 38.80, 36.65, 39.71),
    "GPT-3.5-turbo": (63.25, 60.14, 60.91, 55.06, 61.50, 61.50, 52.86, 59.61),
    "GPT-4": (80.24, 71.58, 73.99, 70.33, 68.06, 65.68, 61.58, 70.31),
}
# Per model: share of queries (percent) on which it scores at least what GPT-4 does.
TABLE_9: Mapping[str, tuple[float, ...]] = {
    "LLaMA-2-chat-7B": (11.52, 14.40, 11.26, 6.02),
    "LLaMA-2-chat-13B": (14.40, 13.09, 13.87, 11.26),
    "LLaMA-2-chat-70B": (10.99, 13.61, 13.87, 4.19),
    "Vicuna-1.5-7B": (18.85, 19.11, 19.11, 13.35),
    "Vicuna-1.5-13B": (14.66, 15.97, 15.18, 17.54),
    "ToolLLaMA-2-7B-v1": (10.73, 11.78, 9.95, 35.60),
    "ToolLLaMA-2-7B-v2": (46.34, 47.64, 43.46, 21.47),
    "Text-davinci-003": (43.19, 33.77, 31.68, 21.99),
    "GPT-3.5-turbo": (40.31, 34.03, 36.39, 48.43),
}
TABLE_4 = {"Vicuna-1.5-7B": (63.49, 89.32), "Vicuna-1.5-13B": (51.86, 93.14)}
TABLE_9_FIGURES = ("intent_comprehension", "behavior_validity", "behavior_integrity", "answer_quality")


@dataclass(frozen=True, slots=True)
class PrintedAnova:
    """F and p of Table 3 over the seven scenarios."""

    statistic: float
    p_value: float


# Printed as Welch's test; every pair fits the classical one with 6 and 375 degrees of freedom.
ANOVA: Mapping[str, PrintedAnova] = {
    "LLaMA-2-chat-7B": PrintedAnova(5.82, 8.20e-6),
    "LLaMA-2-chat-13B": PrintedAnova(4.87, 8.27e-5),
    "LLaMA-2-chat-70B": PrintedAnova(2.75, 1.27e-2),
    "Vicuna-1.5-7B": PrintedAnova(15.7, 4.23e-16),
    "Vicuna-1.5-13B": PrintedAnova(1.78, 1.01e-1),
    "ToolLLaMA-2-7B-v1": PrintedAnova(10.50, 8.93e-11),
    "ToolLLaMA-2-7B-v2": PrintedAnova(14.68, 4.49e-15),
    "Text-davinci-003": PrintedAnova(7.06, 3.85e-7),
    "GPT-3.5-turbo": PrintedAnova(3.47, 2.36e-3),
    "GPT-4": PrintedAnova(8.47, 1.23e-8),
}
_TEST = "printed as Welch's ANOVA, fits the classical F test with 6 and 375 degrees of freedom"
_AGAINST_GPT_4 = "share of queries on which the model scores at least what GPT-4 does, not a mean score"


def _row(
    table: str, model: str, figures: Mapping[str, float], group: str = "", note: str = ""
) -> PublishedRow:
    return PublishedRow(
        table=table,
        model=model,
        figures={name: round(value / 100, 6) for name, value in figures.items()},
        group=group,
        kind=_KINDS[model],
        size=_SIZES.get(model),
        note=note,
    )


def _table_2(model: str, cells: tuple[float, ...]) -> tuple[PublishedRow, ...]:
    by_scenario = (
        _row("Table 2", model, {"overall": value}, scenario)
        for scenario, value in zip(COLUMNS, cells, strict=False)
    )
    return (_row("Table 2", model, {"overall": cells[-1]}), *by_scenario)


PUBLISHED: tuple[PublishedRow, ...] = (
    *(row for model, cells in TABLE_2.items() for row in _table_2(model, cells)),
    *(
        PublishedRow("Table 3", model, {F_STATISTIC: printed.statistic, P_VALUE: printed.p_value},
                     kind=_KINDS[model], size=_SIZES.get(model), note=_TEST)
        for model, printed in ANOVA.items()
    ),
    *(
        _row("Table 4", model, {"tool_reality": cells[0], "tool_match": cells[1]})
        for model, cells in TABLE_4.items()
    ),
    *(
        _row(
            "Table 9",
            model,
            {f"{name}_at_least_gpt_4": value for name, value in zip(TABLE_9_FIGURES, cells, strict=True)},
            note=_AGAINST_GPT_4,
        )
        for model, cells in TABLE_9.items()
    ),
)  # fmt: skip
