"""Continuous batches write what plain `generate` writes, whoever shares the steps."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import torch

from tiny_llama import tiny_tokenizer, write_tiny_llama
from toolyard.core.types import Completion, Decoding, Message, Request
from toolyard.models.hf import decoding_steps as hf_steps
from toolyard.models.hf import slots as hf_slots
from toolyard.models.hf.answer_end import Ending
from toolyard.models.hf.engine import Engine, choose_writer
from toolyard.models.hf.hf_model import load_hf
from toolyard.models.hf.model_weights import Weights, dequantised_folder, load_weights
from toolyard.models.hf.next_token import Choosing, choose_tokens
from toolyard.models.hf.request_queue import Prompt
from toolyard.models.local.bundled import bundled_serving
from toolyard.models.spec import ModelSpec

WORDS = [
    "Which ferry goes to Skye?",
    "Hm",
    "Book two seats for tomorrow, and one for the day after, with a dog. " * 4,
    "Is there a storm on the coast tonight?",
    "Thanks!",
    "One more: the crossing from Oban, at noon, on a Sunday in March.",
    "Yes",
]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_llama(tmp_path_factory.mktemp("tiny"))


def request(words: str, most: int, **more: Any) -> Request:
    seed = more.pop("seed", None)
    return Request((Message("user", words),), Decoding(max_tokens=most, **more), seed=seed)


def together(engine: Engine, requests: list[Request]) -> list[str]:
    promised = [engine.submit(engine.prompt(each, 0)) for each in requests]
    return [each.result(timeout=120).text for each in promised]


def alone(weights: Weights, requests: list[Request]) -> list[str]:
    model, tokenizer = load_weights(weights)
    return [generated(model, tokenizer, each) for each in requests]


def generated(model: Any, tokenizer: Any, each: Request) -> str:
    text = tokenizer.apply_chat_template(
        [{"role": "user", "content": each.messages[0].content}], add_generation_prompt=True, tokenize=False
    )
    read = tokenizer(text, add_special_tokens=False, return_tensors="pt")
    out = model.generate(
        **read, max_new_tokens=each.decoding.max_tokens, do_sample=False, pad_token_id=tokenizer.pad_token_id
    )
    return str(tokenizer.decode(out[0, read["input_ids"].shape[1] :], skip_special_tokens=True))


def test_answers_are_those_of_generate(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Three slots for seven prompts, short at first, so that slots are filled anew, moved and made longer.
    monkeypatch.setattr(hf_slots, "SHORTEST", 64)
    monkeypatch.setattr(hf_slots, "TOKENS_AT_ONCE", {"cpu": 150})
    requests = [request(words, 5 + 9 * place) for place, words in enumerate(WORDS)]
    weights = Weights(str(tiny))
    engine = Engine(weights, 3)
    assert engine.batching == "continuous"
    assert together(engine, requests) == alone(weights, requests)
    engine.close()


def test_the_bundled_weights_write_what_generate_writes() -> None:
    weights = Weights(bundled_serving().weights)
    requests = [request(words, 10) for words in WORDS[:3]]
    engine = Engine(weights, 2)
    assert together(engine, requests) == alone(weights, requests)
    engine.close()


def test_queries_that_share_a_key_read_the_right_one(tmp_path: Path) -> None:
    from transformers import Qwen2Config, Qwen2ForCausalLM

    tokenizer = tiny_tokenizer()
    torch.manual_seed(5)
    config = Qwen2Config(
        vocab_size=len(tokenizer), hidden_size=48, intermediate_size=64, num_hidden_layers=3, num_attention_heads=6,
        num_key_value_heads=2, max_position_embeddings=1024, bos_token_id=None,
        eos_token_id=[tokenizer.eos_token_id, tokenizer.pad_token_id],
    )  # fmt: skip
    Qwen2ForCausalLM(config).save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    weights = Weights(str(tmp_path))
    engine = Engine(weights, 4)
    requests = [request(words, 30) for words in WORDS]
    assert engine.batching == "continuous"
    assert together(engine, requests) == alone(weights, requests)
    engine.close()


def test_models_that_slots_cannot_hold_are_written_in_fixed_batches(tmp_path: Path) -> None:
    from transformers import MistralConfig, MistralForCausalLM

    tokenizer = tiny_tokenizer()
    config = MistralConfig(
        vocab_size=len(tokenizer), hidden_size=32, intermediate_size=64, num_hidden_layers=1, num_attention_heads=4,
        num_key_value_heads=2, sliding_window=16, bos_token_id=None,
        eos_token_id=[tokenizer.eos_token_id, tokenizer.pad_token_id],
    )  # fmt: skip
    MistralForCausalLM(config).save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    weights = Weights(str(tmp_path))
    engine = Engine(weights, 2)
    requests = [request(words, 6) for words in WORDS[:3]]
    assert engine.batching == "fixed: a sliding window"
    assert together(engine, requests) == alone(weights, requests)
    engine.close()


def test_a_model_that_predicts_otherwise_keeps_attention(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hf_steps, "TOLERANCE", -1.0)
    model, tokenizer = load_weights(Weights(str(tiny)))
    writer = choose_writer(model, tokenizer, 2)
    assert writer.batching == "fixed: its attention is of another kind"
    assert model.config._attn_implementation == "sdpa"


def test_an_answer_ends_where_a_stop_sequence_is_complete(tiny: Path) -> None:
    engine = Engine(Weights(str(tiny)), 2)
    (whole,) = together(engine, [request("Which ferry?", 40)])
    stop = whole[10:13]
    prompt = engine.prompt(request("Which ferry?", 40, stop=(stop, "never")), 0)
    written = engine.submit(prompt).result(timeout=60)
    assert written.text.endswith(stop)
    assert written.text == whole[: whole.index(stop) + len(stop)]
    assert not written.ended
    # With room for thoughts the stop sequence may be part of one.
    room = engine.submit(Prompt(prompt.request, prompt.tokens, 5)).result(timeout=60)
    assert len(room.text) > len(written.text)
    engine.close()


def test_a_stop_sequence_is_found_across_two_looks_and_after_what_was_looked_at(tiny: Path) -> None:
    model, tokenizer = load_weights(Weights(str(tiny)))
    ending = Ending(model, tokenizer)
    prompt = Prompt(request("x", 50, stop=("\nUser: ä", "END")), (1,), 0)
    tokens = tokenizer("one\nUser: äh", add_special_tokens=False)["input_ids"]
    for looked in range(len(tokens) - 2):
        found = ending.of(tokens, prompt, looked)
        assert found is not None
        assert (found.text, found.tokens) == ("one\nUser: ä", len(tokens) - 1)
    assert ending.of(tokens[:-2], prompt, 3) is None
    end = ending.of([*tokens[:5], tokenizer.eos_token_id, 7], prompt, 4)
    assert end is not None
    assert (end.text, end.tokens, end.ended) == ("one\nU", 6, True)


def test_drawn_answers_depend_on_their_seed_alone(tiny: Path) -> None:
    engine = Engine(Weights(str(tiny)), 4)
    asked = [request("Which ferry?", 20, temperature=1.0, seed=seed) for seed in (1, 2, 1)]
    first, second, again = together(engine, asked)
    assert first == again != second
    greedy = request("Hm", 8)
    assert together(engine, [asked[1], greedy, asked[0]])[::2] == [second, first]
    engine.close()


def test_the_share_of_probability_bounds_what_is_drawn() -> None:
    logits = torch.log(torch.tensor([[0.1, 0.6, 0.3]])).repeat(3, 1)
    choosing = Choosing((1.0, 1.0, 0.0), (1.0, 0.5, 1.0))
    assert choose_tokens(logits, choosing, [0.95, 0.95, 0.95]).tolist() == [0, 1, 1]
    assert choose_tokens(logits, choosing, [0.65, 0.0, 0.5]).tolist() == [2, 1, 1]


def test_a_failure_reaches_everybody_and_the_next_request_is_answered(tiny: Path) -> None:
    from toolyard.core.errors import ProviderError

    engine = Engine(Weights(str(tiny)), 2)
    bad = Prompt(request("x", 4), (10**9,), 0)
    with pytest.raises(ProviderError, match="the model in this process failed"):
        engine.submit(bad).result(timeout=60)
    assert together(engine, [request("Hm", 4)])[0] is not None
    engine.close()


def test_a_file_is_dequantised_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = Path(bundled_serving().weights)
    monkeypatch.setenv("TOOLYARD_CACHE", str(tmp_path))
    folder = dequantised_folder(file, torch.float32)
    before = (folder / "model.safetensors").stat().st_mtime_ns
    assert dequantised_folder(file, torch.float32) == folder
    assert (folder / "model.safetensors").stat().st_mtime_ns == before
    assert [each.name for each in folder.parent.iterdir()] == [folder.name]


def test_an_adapter_is_merged_or_stands_beside(tiny: Path, tmp_path: Path) -> None:
    from peft import LoraConfig, get_peft_model
    from transformers import AutoModelForCausalLM

    adapted = get_peft_model(
        AutoModelForCausalLM.from_pretrained(tiny),
        LoraConfig(r=4, target_modules="all-linear", init_lora_weights=False),
    )
    adapted.save_pretrained(tmp_path)
    texts = {}
    for merge in ("yes", "no"):
        model = load_hf(ModelSpec.parse(f"hf/{tiny}?adapter={tmp_path}&merge={merge}&batch=2"))

        async def run(asked: Any = model) -> tuple[Completion, dict[str, Any]]:
            found = await asked.generate(request("Which ferry?", 12))
            facts = asked.serving
            await asked.close()
            return found, facts

        answer, facts = asyncio.run(run())
        texts[facts["adapter"]] = answer.text
        assert facts["batching"] == "continuous"
    assert set(texts) == {"merged", "beside the weights"}
    assert len(set(texts.values())) == 1


def test_recorded_steps_compute_more_slots_than_are_in_use_and_answer_the_same(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The recording itself needs a graphics processor; here the recorded step is computed anew."""
    from toolyard.models.hf.cuda_graphs import Graphs

    class Recorded:
        def __init__(self, compute: Any, tokens: Any, positions: Any) -> None:
            self.compute, self.inputs = compute, (tokens, positions)
            self.logits = compute(*self.inputs)

        def replay(self) -> None:
            self.logits.copy_(self.compute(*self.inputs))

    def record(graphs: Graphs, compute: Any, tokens: Any, positions: Any) -> tuple[Any, Any, Any, Any]:
        widths.append(len(tokens))
        graph = Recorded(compute, tokens, positions)
        return graph, tokens, positions, graph.logits

    widths: list[int] = []
    monkeypatch.setattr(Graphs, "_record", record)
    monkeypatch.setattr(hf_steps, "FEWEST_ROWS", 2)
    requests = [request(words, 5 + 9 * place) for place, words in enumerate(WORDS)]
    weights = Weights(str(tiny))
    engine = Engine(weights, 5)
    engine._queue._writer._steps._graphs = Graphs()  # type: ignore[attr-defined]
    assert together(engine, requests) == alone(weights, requests)
    assert set(widths) == {2, 4, 5}
    engine.close()
