"""Table 1 for the data given."""

from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean

from toolyard.benchmarks.toolbehonest.data.rows import SUBTASKS, cjk_share
from toolyard.benchmarks.toolbehonest.data.sample import Gold, ToolBeHonestSample
from toolyard.benchmarks.toolbehonest.data.tool_list import UNSOLVABLE_QUERY, working_tools
from toolyard.benchmarks.toolbehonest.task.prompt import ZERO_SHOT, prompt
from toolyard.core.benchmark import Table
from toolyard.core.types import JsonValue, Options

CHARACTERS_PER_TOKEN = 4
TITLES = {
    "single_step": "Single-step",
    "multi_step_wo_rep": "Multi-step w/o repetition",
    "multi_step_w_rep": "Multi-step w/ repetition",
    "os": "OS",
    "web": "Web",
    "iter": "Iterative",
    "best": "Optimal selection",
}
NOTE = (
    "length: tokens of the level-1 prompt with instruction and tool list, both twins, taken as characters / 4 plus "
    "one for each Chinese character (the paper counts with Llama-3's tokenizer); provided: without Finish and "
    "UnsolvableQuery, both twins; used: the solvable plan with Finish; overall: mean of the subtasks, sum of samples"
)


def statistics(_path: Path, samples: tuple[ToolBeHonestSample, ...]) -> tuple[Table, ...]:
    """The paper's statistics table (Section 3.5), one column per subtask that occurs."""
    first = [sample for sample in samples if sample.input["level"] == 1]
    present = [name for name in SUBTASKS if any(sample.groups["subtask"] == name for sample in first)]
    rows: list[tuple[JsonValue, ...]] = []
    for title, measure in _MEASURES.items():
        cells = [
            measure([sample for sample in first if sample.groups["subtask"] == name]) for name in present
        ]
        rows.append((title, *cells, sum(cells) if title.startswith("# of samples") else fmean(cells)))
    columns = ("statistic", *(TITLES[name] for name in present), "Overall")
    return (Table("Statistics (Table 1)", columns, tuple(rows), NOTE),)


def approximate_tokens(text: str) -> float:
    """Characters over four, Chinese characters one each."""
    chinese = round(cjk_share(text) * sum(character.isalpha() for character in text))
    return chinese + (len(text) - chinese) / CHARACTERS_PER_TOKEN


def _mean_prompt_length(samples: Sequence[ToolBeHonestSample]) -> float:
    return fmean(approximate_tokens(prompt(sample, Options(ZERO_SHOT))[0].content) for sample in samples)


def _mean_tools_provided(samples: Sequence[ToolBeHonestSample]) -> float:
    return fmean(len(working_tools(sample.input["tools"])) for sample in samples)


def _gold_of_twins(samples: Sequence[ToolBeHonestSample], variant: str) -> list[Gold]:
    return [sample.gold for sample in samples if sample.groups["variant"] == variant]


def _mean_tools_used(samples: Sequence[ToolBeHonestSample]) -> float:
    return fmean(len(gold.plan) + 1 for gold in _gold_of_twins(samples, "solvable"))


def _mean_unsolvable_steps(samples: Sequence[ToolBeHonestSample]) -> float:
    return fmean(gold.plan.count(UNSOLVABLE_QUERY) for gold in _gold_of_twins(samples, "unsolvable"))


_MEASURES: dict[str, Callable[[Sequence[ToolBeHonestSample]], float]] = {
    "length of user query (avg.)": _mean_prompt_length,
    "# of tools provided (avg.)": _mean_tools_provided,
    "# of tools used (avg.)": _mean_tools_used,
    "# of unsolvable tools (avg.)": _mean_unsolvable_steps,
    "# of samples (solvable)": lambda samples: len(_gold_of_twins(samples, "solvable")),
    "# of samples (unsolvable)": lambda samples: len(_gold_of_twins(samples, "unsolvable")),
}
