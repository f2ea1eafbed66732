"""`--data hard`: the harder set that a benchmark may ship beside its starter set."""

from pathlib import Path

import pytest

from toolyard.benchmarks import load_benchmark
from toolyard.core.errors import UsageError
from toolyard.run.plan.data_sources import data_path
from toolyard.run.plan.run_config import decoding_of, is_own_data
from toolyard.run.settings import Settings
from toy_benchmark import toy_benchmark


def test_hard_is_the_folder_beside_the_starter_set_where_there_is_one(tmp_path: Path) -> None:
    with_hard = toy_benchmark(tmp_path / "starter")
    (tmp_path / "hard").mkdir()
    assert data_path(with_hard, "hard") == tmp_path / "hard"
    assert with_hard.data.shipped_folders == (tmp_path / "starter", tmp_path / "hard")
    assert is_own_data("hard")
    with pytest.raises(UsageError, match="toy has no hard set"):
        data_path(toy_benchmark(tmp_path / "elsewhere" / "starter"), "hard")


@pytest.mark.parametrize(
    ("data", "given", "room"), [("starter", None, 768), ("hard", None, 2048), ("hard", 300, 300)]
)
def test_an_answer_to_the_hard_set_has_more_room(data: str, given: int | None, room: int) -> None:
    settings = Settings("nestools", "scripted", data=data, max_tokens=given)
    assert decoding_of(settings, load_benchmark("nestools")).max_tokens == room
