"""What is trained: the live weights in the model, their exact copies in fp32, and the optimiser's state."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import orjson
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from toolyard.core.errors import DataError
from toolyard.core.types import Record

if TYPE_CHECKING:
    from transformers import PreTrainedModel

BETAS = (0.9, 0.99)
STATE = "state"


class Trainable:
    """The weights that change. In half precision the steps are taken on fp32 copies, which small steps do not lose."""

    def __init__(self, model: PreTrainedModel, weight_decay: float) -> None:
        named = [(name, value) for name, value in model.named_parameters() if value.requires_grad]
        self.names = [name for name, _ in named]
        self.live = [value for _, value in named]
        self.exact = [
            value if value.dtype == torch.float32 else value.detach().float().clone() for value in self.live
        ]
        self.apart = self.exact[0] is not self.live[0]
        for value in self.exact if self.apart else ():
            value.grad = torch.zeros_like(value)
        self.optimizer = torch.optim.AdamW(
            self.exact,
            lr=0.0,
            betas=BETAS,
            weight_decay=weight_decay,
            fused=self.live[0].device.type == "cuda",
        )

    @property
    def size(self) -> int:
        """How many numbers are trained."""
        return sum(value.numel() for value in self.live)

    def collect(self) -> None:
        """Adds the gradients of one part of a step to the sum in fp32."""
        if not self.apart:
            return
        for live, exact in zip(self.live, self.exact, strict=True):
            if live.grad is not None and exact.grad is not None:
                exact.grad.add_(live.grad)
                live.grad = None

    def gradients(self) -> list[torch.Tensor]:
        """The gradients of the step so far, zeros where nothing came."""
        for value in self.exact:
            if value.grad is None:
                value.grad = torch.zeros_like(value)
        return [value.grad for value in self.exact if value.grad is not None]

    def step(self, rate: float, clip: float) -> torch.Tensor:
        """Takes one step along the collected gradients; their norm before it was cut to `clip`."""
        norm = torch.nn.utils.clip_grad_norm_(self.exact, clip or math.inf)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=not self.apart)
        if self.apart:
            self.publish()
        return norm

    def publish(self) -> None:
        """Writes the exact weights into the model."""
        with torch.no_grad():
            for live, exact in zip(self.live, self.exact, strict=True):
                if live is not exact:
                    live.copy_(exact)

    def tensors(self) -> dict[str, torch.Tensor]:
        """The exact weights by name."""
        return {name: value.detach() for name, value in zip(self.names, self.exact, strict=True)}

    def take(self, found: Mapping[str, torch.Tensor]) -> None:
        """Replaces the weights by saved ones."""
        if set(found) != set(self.names):
            raise DataError("the saved weights are those of another model; start anew in another --out")
        with torch.no_grad():
            for name, value in zip(self.names, self.exact, strict=True):
                value.copy_(found[name])
        self.publish()


def save_weights(path: Path, tensors: Mapping[str, torch.Tensor], state: Mapping[str, object]) -> None:
    """Tensors and what is known about them in one file, which appears whole or not at all."""
    temporary = path.with_name(f"{path.name}.part")
    plain = {name: value.detach().cpu().contiguous() for name, value in tensors.items()}
    save_file(plain, temporary, metadata={STATE: orjson.dumps(state).decode()})
    with temporary.open("rb") as file:
        os.fsync(file.fileno())
    temporary.replace(path)


def read_weights(path: Path) -> tuple[dict[str, torch.Tensor], dict[str, object]]:
    """The tensors of a file and what is known about them."""
    try:
        with safe_open(path, "pt") as file:
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - no mapping
            return tensors, orjson.loads(file.metadata()[STATE])
    except (SafetensorError, KeyError, TypeError, ValueError) as error:
        raise DataError(
            f"{path} is damaged ({str(error)[:80]}); remove the .safetensors files beside it to train anew"
        ) from None


def save_checkpoint(path: Path, trainable: Trainable, state: Mapping[str, object]) -> None:
    """Everything that the rest of the training depends on."""
    tensors = {f"weights.{name}": value for name, value in trainable.tensors().items()}
    for place, values in trainable.optimizer.state_dict()["state"].items():
        tensors |= {f"adam.{place}.{name}": value for name, value in values.items()}
    tensors["random.cpu"] = torch.get_rng_state()
    if torch.cuda.is_available():
        tensors["random.cuda"] = torch.cuda.get_rng_state()
    save_weights(path, tensors, state)


def load_checkpoint(path: Path, trainable: Trainable) -> Record:
    """Puts weights, optimiser and random numbers back; the state that was saved with them."""
    tensors, state = read_weights(path)
    known = "weights."
    trainable.take({name[len(known) :]: value for name, value in tensors.items() if name.startswith(known)})
    optimizer = trainable.optimizer.state_dict()
    for name, value in tensors.items():
        kind, _, rest = name.partition(".")
        if kind == "adam":
            place, _, part = rest.partition(".")
            optimizer["state"].setdefault(int(place), {})[part] = value
    trainable.optimizer.load_state_dict(optimizer)
    torch.set_rng_state(tensors["random.cpu"])
    if "random.cuda" in tensors and torch.cuda.is_available():
        torch.cuda.set_rng_state(tensors["random.cuda"])
    return state
