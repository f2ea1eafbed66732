"""The loop on a tiny model: it learns, it can be killed, and what it leaves is what it was trained to be."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("peft")

from tiny_llama import tiny_tokenizer, write_rows, write_tiny_llama  # noqa: E402
from toolyard.core.errors import DataError, RunMismatch, UsageError  # noqa: E402
from toolyard.train import token_cache as kept  # noqa: E402
from toolyard.train.command import Trained, train  # noqa: E402
from toolyard.train.loss import Losses  # noqa: E402
from toolyard.train.row_tokens import encode  # noqa: E402
from toolyard.train.rows import LearningRow, read_rows, rows_digest  # noqa: E402
from toolyard.train.settings import TrainSettings  # noqa: E402
from toolyard.train.step_plan import pack_rows  # noqa: E402
from toolyard.train.weights import Trainable  # noqa: E402

CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_llama(tmp_path_factory.mktemp("base"))


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_rows(tmp_path_factory.mktemp("rows") / "rows.jsonl")


def settings_for(base: Path, rows: Path, out: Path, **others: Any) -> TrainSettings:
    found = TrainSettings(
        data=rows, base=str(base), out=out, epochs=0, max_steps=30, batch_tokens=400, lr=2e-2, eval=rows,
        eval_every=10, save_every=5,
    )  # fmt: skip
    return replace(found, **others)


def trained(settings: TrainSettings) -> Trained:
    return train(settings, lambda progress: None, lambda text: None)


def log_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]


def test_the_marks_are_right_token_by_token() -> None:
    tokenizer = tiny_tokenizer()
    messages = ({"role": "user", "content": "hi"}, {"role": "assistant", "content": "yes"},
                {"role": "user", "content": "why"}, {"role": "assistant", "content": "so"})  # fmt: skip
    (last,) = encode([LearningRow("r", "s", messages)], tokenizer)
    prompt = "<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\nyes<|im_end|>\n<|im_start|>user\nwhy<|im_end|>\n"
    assert tokenizer.decode(last.tokens[~last.trained]) == prompt + "<|im_start|>assistant\n"
    assert tokenizer.decode(last.tokens[last.trained]) == "so<|im_end|>"
    asked = tokenizer.apply_chat_template(list(messages[:3]), add_generation_prompt=True, return_dict=False)
    assert last.tokens[: len(asked)].tolist() == asked
    assert last.trained.tolist() == [False] * len(asked) + [True] * 3
    (every,) = encode([LearningRow("r", "s", messages)], tokenizer, "all")
    assert tokenizer.decode(every.tokens) == tokenizer.decode(last.tokens)
    assert tokenizer.decode(every.tokens[every.trained]) == "yes<|im_end|>so<|im_end|>"


def test_a_row_with_nothing_to_learn_and_a_template_that_changes_its_mind_are_refused() -> None:
    tokenizer = tiny_tokenizer()
    empty = LearningRow("r7", "s", ({"role": "user", "content": "hi"}, {"role": "assistant", "content": ""}))
    with pytest.raises(DataError, match="row r7 has no token to learn"):
        list(encode([empty], tokenizer))
    tokenizer.chat_template = "{{ messages | length }}{% for m in messages %}{{ m['content'] }}{% endfor %}"
    with pytest.raises(DataError, match="cannot be distinguished"):
        list(
            encode(
                [replace(empty, messages=(*empty.messages[:1], {"role": "assistant", "content": "a"}))],
                tokenizer,
            )
        )


def test_rows_are_cut_into_tokens_once(rows: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLYARD_CACHE", str(tmp_path))
    monkeypatch.setattr(kept, "FEWEST", 1)
    tokenizer, read = tiny_tokenizer(), read_rows(rows)
    first = kept.encode_cached(read, rows_digest(read), tokenizer, "last")
    monkeypatch.setattr(kept, "encode", None)
    again = kept.encode_cached(read, rows_digest(read), tokenizer, "last")
    plain = tuple(encode(read, tokenizer, "last"))
    for found in (first, again):
        assert [(row.id, row.source) for row in found] == [(row.id, row.source) for row in plain]
        for one, other in zip(found, plain, strict=True):
            assert np.array_equal(one.tokens, other.tokens)
            assert np.array_equal(one.trained, other.trained)
    tokenizer.chat_template += " "
    with pytest.raises(TypeError):
        kept.encode_cached(read, rows_digest(read), tokenizer, "last")


def test_packed_padded_and_single_rows_have_the_same_loss(base: Path, rows: Path) -> None:
    from transformers import AutoModelForCausalLM

    found = list(encode(read_rows(rows), tiny_tokenizer()))[:4]
    by_row: dict[str, list[float]] = {}
    for way, packing, micro in (("grouped", True, 10_000), ("", False, 10_000), ("", False, 1)):
        losses = Losses(AutoModelForCausalLM.from_pretrained(base), CPU, way)
        parts = [
            losses.per_token(pack).detach() for pack in pack_rows(found, micro_tokens=micro, packing=packing)
        ]
        assert len(parts) == (4 if micro == 1 else 1)
        by_row[f"{way}{micro}"] = torch.cat(parts).tolist()
    packed, padded, single = by_row.values()
    assert packed == pytest.approx(single, abs=1e-5)
    assert padded == pytest.approx(single, abs=1e-5)
    whole = AutoModelForCausalLM.from_pretrained(base)
    own = max(found, key=len)
    tokens = torch.from_numpy(own.tokens.astype(np.int64))[None]
    labels = torch.where(torch.from_numpy(own.trained)[None], tokens, -100)
    expected = whole(tokens, labels=labels).loss.item()
    learnt = int(own.trained.sum())
    assert sum(single[:learnt]) / learnt == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(("method", "packing", "share"), [("lora", "yes", 0.95), ("full", "no", 0.5)])
def test_loss_falls(base: Path, rows: Path, tmp_path: Path, method: str, packing: str, share: float) -> None:
    found = trained(settings_for(base, rows, tmp_path, method=method, packing=packing))
    losses = [line["loss"] for line in log_of(tmp_path) if "loss" in line]
    assert len(losses) == 30
    assert losses[-1] < losses[0] * share
    held_out = [line["held_out"] for line in log_of(tmp_path) if "held_out" in line]
    assert found.facts["result"]["held_out"] == min(held_out)
    assert (tmp_path / ("adapter.gguf" if method == "lora" else "model/model.safetensors")).is_file()
    card = (tmp_path / "README.md").read_text()
    assert found.facts["identity"]["data_sha256"] in card
    assert "| ferry | 6 |" in card


def test_half_precision_learns_too(base: Path, rows: Path, tmp_path: Path) -> None:
    # Two steps are enough: half precision is emulated on most processors, and slow.
    settings = settings_for(
        base, rows, tmp_path, method="full", dtype="bfloat16", max_steps=2, eval_every=1, warmup=0.0
    )
    trained(settings)
    first, last = (line["held_out"] for line in log_of(tmp_path) if "held_out" in line)
    assert last < first < 5.6


def test_steps_that_half_precision_would_lose_add_up() -> None:
    layer = torch.nn.Linear(4, 4, bias=False, dtype=torch.bfloat16)
    torch.nn.init.ones_(layer.weight)
    trainable = Trainable(layer, 0.0)
    for _ in range(10):
        (layer.weight.sum() * 1.0).backward()
        trainable.collect()
        trainable.step(1e-3, 0.0)
    # A step of 0.001 is below what bf16 can tell from 1; ten of them are not.
    assert trainable.exact[0].dtype == torch.float32
    assert trainable.exact[0][0, 0].item() == pytest.approx(0.99, abs=1e-4)
    assert layer.weight[0, 0].item() == pytest.approx(0.99, abs=2**-8)
    assert layer.weight[0, 0].item() < 1.0


PROGRAM = """
import sys
from pathlib import Path
from toolyard.train.command import train
from toolyard.train.settings import TrainSettings
base, rows, out = map(Path, sys.argv[1:])
settings = TrainSettings(data=rows, base=str(base), out=out, epochs=0, max_steps=30, batch_tokens=400, lr=2e-2,
                         eval=rows, eval_every=10, save_every=4, dropout=0.1)
train(settings, lambda progress: print(progress.step, flush=True), lambda text: None)
"""


def test_a_killed_training_resumed_ends_with_the_same_weights(base: Path, rows: Path, tmp_path: Path) -> None:
    def start(folder: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", PROGRAM, str(base), str(rows), str(tmp_path / folder)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ)

    with start("whole") as whole:
        assert whole.wait(300) == 0
    for last in (6, 17):
        with start("killed") as killed:
            assert killed.stdout is not None
            for line in killed.stdout:
                if int(line) >= last:
                    killed.send_signal(signal.SIGKILL)
                    break
        assert killed.returncode == -signal.SIGKILL
    assert not (tmp_path / "killed" / "adapter.gguf").exists()
    with start("killed") as resumed:
        assert resumed.stdout is not None
        assert int(resumed.stdout.readline()) > 12
        assert resumed.wait(300) == 0
    for name in (
        "checkpoint.safetensors",
        "best.safetensors",
        "adapter.gguf",
        "adapter/adapter_model.safetensors",
    ):
        assert (tmp_path / "whole" / name).read_bytes() == (tmp_path / "killed" / name).read_bytes(), name
    speedless = [[{key: value for key, value in line.items() if key != "tokens_per_second"} for line in log_of(folder)]
                 for folder in (tmp_path / "whole", tmp_path / "killed")]  # fmt: skip
    assert speedless[0] == speedless[1]


def test_other_settings_are_refused_and_a_finished_training_is_left_alone(
    base: Path, rows: Path, tmp_path: Path
) -> None:
    settings = settings_for(base, rows, tmp_path, max_steps=2)
    first = trained(settings)
    stamp = (tmp_path / "adapter.gguf").stat().st_mtime_ns
    time.sleep(0.01)
    assert trained(settings).facts == first.facts
    assert (tmp_path / "adapter.gguf").stat().st_mtime_ns == stamp
    with pytest.raises(RunMismatch, match="lr, seed differ"):
        trained(replace(settings, seed=9, lr=1.0))


def test_a_training_goes_on_from_an_adapter(base: Path, rows: Path, tmp_path: Path) -> None:
    first = trained(settings_for(base, rows, tmp_path / "first", rank=4, alpha=12.0))
    kept = tmp_path / "first" / "adapter"
    again = settings_for(base, rows, tmp_path / "again", adapter=kept, max_steps=10, lr=5e-3)
    found = trained(again).facts
    before = first.facts["result"]["held_out"]
    assert found["result"]["held_out"] < before
    assert found["trained_numbers"] == first.facts["trained_numbers"]
    assert (found["identity"]["rank"], found["identity"]["alpha"]) == (4, 12.0)
    assert len(found["identity"]["adapter_sha256"]) == 64
    with pytest.raises(UsageError, match="--rank 8: the adapter to go on from has 4"):
        trained(replace(again, rank=8))
    with pytest.raises(UsageError, match="--method full trains none"):
        trained(replace(again, method="full"))
    with pytest.raises(UsageError, match="wanted a folder with adapter_config"):
        trained(replace(again, adapter=tmp_path / "none"))


@pytest.mark.parametrize(
    ("asked", "meant"),
    [("smolm2", "smollm2"), ("SmolLM2", "smollm2"), ("{base}x", "{base}"), ("nothing", "")],
)
def test_a_misspelt_base_is_told_what_it_may_mean(asked: str, meant: str, base: Path, tmp_path: Path) -> None:
    hint = f"did you mean --base {meant.format(base=base)}[?] wanted" if meant else "there; wanted"
    with pytest.raises(UsageError, match=hint):
        trained(TrainSettings(tmp_path, asked.format(base=base), tmp_path / "out"))


def test_a_dry_run_counts_and_leaves_nothing(base: Path, rows: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    found = trained(settings_for(base, rows, out, dry_run=True, price_per_hour=2.0)).facts
    assert not out.exists()
    assert (found["steps"], found["rows"]["ferry"]["rows"]) == (30, 6)
    assert found["learnt"] < found["tokens"] <= found["tokens_to_read"]
    assert found["price"] == pytest.approx(found["hours"] * 2, abs=1e-3)


def test_the_best_step_is_the_one_with_the_highest_figure(base: Path, rows: Path, tmp_path: Path) -> None:
    values = {10: 0.2, 20: 0.6, 30: 0.4}
    asked = []

    def ask(benchmark: str, items: int, model: str, runs: Path) -> dict[str, float | None]:
        asked.append(
            (
                benchmark,
                items,
                model.split("?")[0],
                (runs / "weights" / "adapter_model.safetensors").is_file(),
            )
        )
        step = int(runs.name.removeprefix("step-"))
        return {"value": values[step], "low": values[step] - 0.1, "high": values[step] + 0.1}

    settings = settings_for(base, rows, tmp_path, eval_benchmarks=("mtu:7",), benchmarks_every=10)
    found = train(settings, lambda progress: None, lambda text: None, ask)
    assert asked == [("mtu", 7, f"hf/{base}", True)] * 3
    assert found.facts["result"]["step"] == 20
    assert "| 20 | mtu | 0.6 | 0.5 | 0.7 |" in (tmp_path / "README.md").read_text()


def test_two_processes_train_what_one_trains(base: Path, rows: Path, tmp_path: Path) -> None:
    from safetensors.numpy import load_file

    for count, folder in ((1, "one"), (2, "two")):
        command = [
            sys.executable, "-m", "torch.distributed.run", "--nproc_per_node", str(count), "--master_port", "0",
            "--rdzv-backend", "c10d", "--rdzv-endpoint", "localhost:0", "--no-python", sys.executable, "-m", "toolyard",
            "train", str(rows), "--base", str(base), "--out", str(tmp_path / folder), "--epochs", "0", "--max-steps",
            "5", "--batch-tokens", "400", "--lr", "0.02",
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=os.environ)
        assert done.returncode == 0, done.stderr[-2000:]
        manifest = json.loads((tmp_path / folder / "manifest.json").read_text())
        assert manifest["processes"] == count
    one, two = (
        load_file(tmp_path / folder / "adapter" / "adapter_model.safetensors") for folder in ("one", "two")
    )
    assert max(float(np.abs(one[name] - two[name]).max()) for name in one) < 1e-4
