"""recipes/style_tables.py: which stored answers stand beside others, and how figures are written."""

from pathlib import Path

import pytest

from toolyard.stats.bootstrap import Estimate

RECIPES = Path(__file__).parents[1] / "recipes"
NAMES = [
    "mtu_qwen_default_official_1.jsonl.xz",
    "mtu_qwen_native_official_2.jsonl.xz",
    "mtu_smol_default_official_3.jsonl.xz",
    "mtu_qwen_default_starter_4.jsonl.xz",
    "mtu_qwen_default_starter_5.jsonl.xz",
]


def test_a_model_stands_in_the_table_where_it_answered_the_same_data_in_several_styles(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(RECIPES))
    from style_tables import in_several_styles, percent

    assert [name for name in NAMES if in_several_styles(name, NAMES)] == NAMES[:2]
    assert percent(Estimate(0.123, 0.1, 0.2)) == "12.3 [10.0, 20.0]"
    assert percent(Estimate(None, None, None)) == "–"
