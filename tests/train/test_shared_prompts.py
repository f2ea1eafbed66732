"""A group that is read as one line gives every completion the chances that it has on its own."""

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
RECIPES = Path(__file__).parents[2] / "recipes"


def test_a_line_gives_the_chances_of_each_own_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.tiny_llama import write_tiny_llama
    from transformers import AutoModelForCausalLM

    monkeypatch.syspath_prepend(str(RECIPES))
    from shared_prompts import line_of

    model = AutoModelForCausalLM.from_pretrained(write_tiny_llama(tmp_path)).eval()
    pad, answered = 7, 5
    # Two columns of padding before the prompt; the third completion was cut and does not count.
    prompt = torch.tensor([pad, pad, 11, 12, 13, 14]).expand(4, -1)
    completions = torch.tensor(
        [[21, 22, 23, pad, pad], [21, 31, 32, 33, 34], [41] * 5, [51, pad, pad, pad, pad]]
    )
    tokens = torch.cat([prompt, completions], dim=1)
    counted = torch.tensor([[1, 1, 1, 0, 0], [1] * 5, [0] * 5, [1, 0, 0, 0, 0]])
    seen = torch.cat([(prompt != pad).long(), counted], dim=1)
    given, places = line_of(tokens, seen, answered)
    assert given["input_ids"].shape == (1, 3 + 3 + 5 + 1)
    assert places.tolist() == counted.bool().tolist()
    labels = given.pop("shift_labels")[0]
    with torch.no_grad():
        chances = model(**given).logits[0].log_softmax(-1)
        together = chances[labels != -100].gather(1, labels[labels != -100, None])[:, 0]
        alone = [
            model(row[2 : 6 + length][None])
            .logits[0, 3:-1]
            .log_softmax(-1)
            .gather(1, row[6 : 6 + length, None])
            for row, length in zip(tokens, counted.sum(1).tolist(), strict=True)
            if length
        ]
    torch.testing.assert_close(together, torch.cat(alone)[:, 0], atol=1e-5, rtol=1e-4)
    other = tokens.clone()
    other[1, 3] = 99
    with pytest.raises(ValueError, match="a group has one prompt"):
        line_of(other, seen, answered)
