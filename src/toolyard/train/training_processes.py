"""The processes that train together: one, or as many as `accelerate launch` or torchrun have started."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import torch


@dataclass(frozen=True, slots=True)
class Peers:
    """How many processes train together, and which of them this one is."""

    count: int = 1
    own: int = 0

    @property
    def first(self) -> bool:
        """Whether this process is the one that writes files."""
        return self.own == 0

    def sum_tensors(self, tensors: Sequence[torch.Tensor]) -> None:
        """Replaces each tensor by its sum over all processes, in one exchange."""
        if self.count == 1:
            return
        flat = torch.cat([tensor.reshape(-1) for tensor in tensors])
        torch.distributed.all_reduce(flat)
        start = 0
        for tensor in tensors:
            tensor.copy_(flat[start : start + tensor.numel()].view_as(tensor))
            start += tensor.numel()

    def wait(self) -> None:
        """Returns when all processes have come here."""
        if self.count > 1:
            torch.distributed.barrier()


@contextmanager
def join_peers() -> Iterator[Peers]:
    """This process among those that the launcher has started; alone where there is none."""
    count = int(os.environ.get("WORLD_SIZE", "1"))
    if count == 1:
        yield Peers()
        return
    if torch.cuda.is_available():
        torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", "0")))
    torch.distributed.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    try:
        yield Peers(count, torch.distributed.get_rank())
    finally:
        torch.distributed.destroy_process_group()
