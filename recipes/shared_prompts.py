"""trl's GRPO trainer, with what the completions of one prompt have in common computed once.

trl reads the prompt again for each of its completions, though a tool prompt is ten times as long as an answer. Here a group
is one line: the prompt, then its completions side by side, none of which sees another. Weights go to vLLM in one call
instead of one for each parameter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from trl import GRPOTrainer


def line_of(
    tokens: torch.Tensor, seen: torch.Tensor, answered: int
) -> tuple[dict[str, torch.Tensor], torch.Tensor]:
    """What a model is given for one group, and which places of its completions are answered.

    `tokens` are the padded rows, `seen` says which of them count, the last `answered` columns are completions. The prompt's
    last token, which predicts the first of each completion, stands before every one of them.
    """
    prompts, completions, places = tokens[:, :-answered], tokens[:, -answered:], seen[:, -answered:].bool()
    if (prompts != prompts[0]).any():
        raise ValueError("a group has one prompt; give trl as many completions at a time as a group has")
    prompt = prompts[0][seen[0, :-answered].bool()]
    before = torch.cat([prompt[-1:].expand(len(tokens), 1), completions[:, :-1]], dim=1)[places]
    length = len(prompt) - 1
    columns = torch.arange(answered, device=tokens.device).expand_as(completions)[places]
    rows = torch.arange(len(tokens), device=tokens.device)[:, None].expand_as(completions)[places]
    branch = torch.cat([rows.new_full((length,), -1), rows])
    order = torch.arange(len(branch), device=tokens.device)
    visible = (order[:, None] >= order) & ((branch == -1) | (branch[:, None] == branch))
    labels = torch.cat([prompt.new_full((length,), -100), completions[places]])
    positions = torch.cat([order[:length], length + columns])
    given = {
        "input_ids": torch.cat([prompt[:-1], before])[None],
        "attention_mask": visible[None, None],
        "position_ids": positions[None],
        "shift_labels": labels[None],
    }
    return given, places


def shared_prompt_trainer() -> type[GRPOTrainer]:
    """trl's trainer, for which each prompt is read once."""
    from trl import GRPOTrainer
    from trl.trainer import grpo_trainer

    class SharedPromptTrainer(GRPOTrainer):  # type: ignore[misc,unused-ignore]
        def _get_per_token_logps_and_entropies(
            self, model: Any, input_ids: torch.Tensor, attention_mask: torch.Tensor, logits_to_keep: int,
            *_: Any, **others: Any,
        ) -> tuple[torch.Tensor, torch.Tensor | None, None]:  # fmt: skip
            group = self.num_generations
            found = [
                self._read_group(model, tokens, seen, logits_to_keep)
                for tokens, seen in zip(input_ids.split(group), attention_mask.split(group), strict=True)
            ]
            chances, spreads = (torch.cat(parts) for parts in zip(*found, strict=True))
            return chances, spreads if others.get("compute_entropy") else None, None

        def _read_group(
            self, model: Any, tokens: torch.Tensor, seen: torch.Tensor, answered: int
        ) -> tuple[torch.Tensor, torch.Tensor]:
            given, places = line_of(tokens, seen, answered)
            with self.accelerator.autocast():
                read = model(**given, fused_lm_head=True)
            before = given["input_ids"].shape[1] - int(places.sum())
            chances, spreads = (
                part.new_zeros(places.shape).masked_scatter(places, part[0, before:])
                for part in (read.log_probs, read.entropy)
            )
            return chances, spreads

    # trl shuffles completions after they were made, which would tear groups apart; prompts come in a drawn order anyway.
    grpo_trainer.shuffle_sequence_dict = lambda made: made
    return SharedPromptTrainer


def send_weights_at_once() -> None:
    """vLLM searches the names of all its parameters in each call that loads some: one call is enough."""
    from trl.generation import vllm_generation

    def sync_weights(self: Any) -> None:
        runner = self.llm.llm_engine.model_executor.driver_worker.model_runner
        runner.model.load_weights(self._iter_named_params())
        self.llm.reset_prefix_cache()

    vllm_generation.VLLMGeneration.sync_weights = sync_weights
