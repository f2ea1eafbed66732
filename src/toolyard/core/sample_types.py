"""The types by which a benchmark's parts belong together: one input, one gold, one form of prediction.

    Data[RowInput, RowGold] -> Sample[RowInput, RowGold] -> Scoring[RowInput, RowGold, Calls]

They are read off the benchmark's own functions; code that serves every benchmark says plain `Benchmark`.
"""

from collections.abc import Mapping
from typing import Any

from typing_extensions import TypeVar

InputOf = TypeVar("InputOf", bound=Mapping[str, object], default=Any)
GoldOf = TypeVar("GoldOf", default=Any)
Prediction = TypeVar("Prediction", default=Any)
