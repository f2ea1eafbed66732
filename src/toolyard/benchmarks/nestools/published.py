"""The 22 published rows: Tables 2 and 8 of the paper as its first version prints them, in percent.

The second version differs in single cells by up to 0.3 and calls Qwen2-1.8B by its right name, Qwen2-1.5B.
"""

from __future__ import annotations

from toolyard.core.benchmark import PublishedRow

COLUMNS = (
    "format",
    "tree",
    "selection_precision",
    "selection_recall",
    "selection_f1",
    "order_precision",
    "order_recall",
    "order_f1",
    "parameter_precision",
    "parameter_recall",
    "parameter_f1",
    "nested_precision",
    "nested_recall",
    "nested_f1",
    "average",
)
# model, kind, billions of parameters where the name says it, figures in the order of COLUMNS
ROWS: tuple[tuple[str, str, float | None, tuple[float, ...]], ...] = (
    (
        "GPT-4o",
        "closed",
        None,
        (100.0, 25.9, 85.1, 86.2, 85.7, 72.8, 74.2, 73.5, 75.4, 78.5, 76.9, 73.4, 69.2, 71.3, 76.8),
    ),
    (
        "GPT-4o-mini",
        "closed",
        None,
        (94.3, 18.3, 77.4, 72.6, 74.9, 60.7, 56.9, 58.7, 65.3, 64.5, 64.9, 58.9, 48.1, 53.0, 62.9),
    ),
    (
        "GPT-3.5",
        "closed",
        None,
        (99.4, 13.5, 69.1, 71.3, 70.2, 48.0, 50.4, 49.2, 56.8, 62.0, 59.3, 46.5, 41.8, 44.0, 55.7),
    ),
    (
        "Claude-3.5",
        "closed",
        None,
        (100.0, 26.8, 79.6, 82.8, 81.2, 64.2, 68.1, 66.1, 70.4, 75.8, 73.0, 68.2, 65.4, 66.7, 71.7),
    ),
    (
        "LLaMA3.1-8B",
        "open",
        8,
        (98.0, 6.9, 65.7, 71.6, 68.5, 44.2, 50.7, 47.2, 44.2, 51.0, 47.3, 40.8, 42.7, 41.7, 51.2),
    ),
    (
        "LLaMA3.1-70B",
        "open",
        70,
        (99.1, 9.7, 82.2, 81.9, 82.0, 68.8, 68.7, 68.8, 57.6, 60.2, 58.9, 67.4, 60.9, 64.0, 68.4),
    ),
    (
        "LLaMA3.1-405B",
        "open",
        405,
        (97.5, 14.7, 87.9, 87.2, 87.5, 77.3, 77.4, 77.3, 66.3, 68.4, 67.3, 78.8, 72.7, 75.7, 77.0),
    ),
    (
        "Mistral-7B v0.2",
        "open",
        7,
        (68.7, 2.9, 49.5, 44.0, 46.6, 22.0, 21.7, 21.8, 35.1, 32.9, 34.0, 21.9, 14.0, 17.1, 29.9),
    ),
    (
        "Mixtral-8x7B",
        "open",
        None,
        (91.3, 7.4, 62.4, 64.3, 63.4, 38.0, 41.3, 39.6, 46.2, 49.8, 48.0, 35.6, 35.1, 35.3, 46.6),
    ),
    (
        "Mixtral-8x22B",
        "open",
        None,
        (99.5, 17.5, 70.5, 75.2, 72.7, 49.6, 54.7, 52.0, 59.4, 66.7, 62.8, 53.0, 52.3, 52.6, 60.1),
    ),
    ("Qwen2-0.5B", "open", 0.5, (1.2, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)),
    (
        "Qwen2-1.8B",
        "open",
        1.8,
        (66.5, 0.0, 39.5, 18.0, 24.8, 12.1, 4.3, 6.3, 28.2, 14.1, 18.8, 0.0, 0.0, 0.0, 12.5),
    ),
    (
        "Qwen2-7B",
        "open",
        7,
        (94.2, 4.6, 59.3, 58.9, 59.1, 34.8, 35.4, 35.1, 41.0, 43.0, 42.0, 29.6, 14.2, 19.1, 38.8),
    ),
    (
        "Qwen2-57B",
        "open",
        57,
        (97.5, 9.2, 63.8, 68.9, 66.3, 40.2, 45.5, 42.7, 47.6, 54.2, 50.7, 37.8, 29.0, 32.9, 48.1),
    ),
    (
        "Qwen2-72B",
        "open",
        72,
        (98.6, 20.3, 78.4, 79.2, 78.8, 62.8, 64.2, 63.5, 66.9, 69.8, 68.3, 57.9, 58.7, 58.3, 67.2),
    ),
    (
        "Qwen1.5-0.5B",
        "open",
        0.5,
        (3.3, 0.0, 10.2, 0.2, 0.3, 0.0, 0.0, 0.0, 2.2, 0.1, 0.1, 0.0, 0.0, 0.0, 0.1),
    ),
    (
        "Qwen1.5-1.8B",
        "open",
        1.8,
        (12.6, 0.0, 21.3, 3.4, 5.8, 2.5, 0.4, 0.8, 9.7, 1.7, 2.9, 0.0, 0.0, 0.0, 2.4),
    ),
    (
        "Qwen1.5-7B",
        "open",
        7,
        (59.5, 2.4, 54.9, 35.5, 43.1, 27.6, 18.6, 22.2, 37.9, 27.1, 31.6, 21.2, 5.2, 8.4, 26.3),
    ),
    (
        "Qwen1.5-14B",
        "open",
        14,
        (85.4, 8.0, 61.8, 57.0, 59.3, 36.9, 35.3, 36.1, 46.4, 45.8, 46.1, 34.2, 21.4, 26.3, 42.0),
    ),
    (
        "Qwen1.5-32B",
        "open",
        32,
        (85.7, 10.7, 65.2, 61.1, 63.1, 41.6, 40.7, 41.1, 52.3, 51.3, 51.8, 45.6, 27.2, 34.1, 47.5),
    ),
    (
        "Qwen1.5-72B",
        "open",
        72,
        (86.1, 7.8, 66.0, 59.7, 62.7, 43.1, 39.9, 41.5, 49.4, 47.2, 48.3, 31.4, 21.4, 25.5, 44.5),
    ),
    (
        "Qwen1.5-110B",
        "open",
        110,
        (88.8, 13.0, 69.7, 65.0, 67.3, 48.9, 46.7, 47.8, 56.2, 54.7, 55.5, 44.7, 31.8, 37.2, 51.9),
    ),
)
VERSION_NOTE = "arXiv version 1"


def _fractions(columns: tuple[str, ...], percent: tuple[float, ...]) -> dict[str, float | None]:
    return {name: round(value / 100, 3) for name, value in zip(columns, percent, strict=True)}


PUBLISHED = tuple(
    PublishedRow(
        "Tables 2 and 8", model, _fractions(COLUMNS, percent), kind=kind, size=size, note=VERSION_NOTE
    )
    for model, kind, size, percent in ROWS
)
