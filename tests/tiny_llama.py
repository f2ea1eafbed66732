"""A llama of 60,000 random numbers with a tokenizer of its own, and rows for it to learn."""

import json
from pathlib import Path
from typing import Any

TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
SPECIAL = ["<|im_start|>", "<|im_end|>", "<|pad|>"]
ASKED = {
    "Which ferry goes to Skye?": 'Action: timetable\nAction Input: {"to": "Skye"}',
    "Book two seats.": 'Action: book\nAction Input: {"seats": 2}',
    "Thanks!": "You are welcome.",
    "Is there a storm on the coast tonight, and which ferries would have to stay in the harbour?": "Finish: no",
}


def tiny_tokenizer() -> Any:
    """Bytes as tokens, with the marks of a conversation."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    bare = Tokenizer(models.BPE(vocab={letter: place for place, letter in enumerate(alphabet)}, merges=[]))
    bare.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bare.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=bare,
        eos_token="<|im_end|>",
        pad_token="<|pad|>",
        additional_special_tokens=SPECIAL[:1],
    )
    tokenizer.chat_template = TEMPLATE
    return tokenizer


def write_tiny_llama(folder: Path) -> Path:
    """The model in a folder; the same numbers every time."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    tokenizer = tiny_tokenizer()
    torch.manual_seed(3)
    config = LlamaConfig(
        vocab_size=len(tokenizer), hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=2, max_position_embeddings=512, tie_word_embeddings=True,
        eos_token_id=tokenizer.eos_token_id, bos_token_id=None, pad_token_id=tokenizer.pad_token_id,
    )  # fmt: skip
    LlamaForCausalLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def write_rows(path: Path, copies: int = 3) -> Path:
    """Four conversations, each so many times."""
    lines = [
        {
            "id": f"{copy}-{place}",
            "source": ("ferry", "chat")[place % 2],
            "messages": [{"role": "user", "content": asked}, {"role": "assistant", "content": answer}],
        }
        for copy in range(copies)
        for place, (asked, answer) in enumerate(ASKED.items())
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path
