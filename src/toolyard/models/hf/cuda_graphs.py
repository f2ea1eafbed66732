"""One step recorded as a CUDA graph for each shape: what Python does between kernels is paid for once."""

import sys
from collections.abc import Callable
from typing import TypeAlias

import torch

Compute: TypeAlias = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
Recorded: TypeAlias = tuple[torch.cuda.CUDAGraph, torch.Tensor, torch.Tensor, torch.Tensor]
# Runs before a step is recorded, so that libraries have chosen their kernels and taken their memory.
TRIALS = 2


class Graphs:
    """Recorded steps by their shape."""

    def __init__(self) -> None:
        self._recorded: dict[tuple[int, int], Recorded] = {}
        self._pool: object = None
        self.refused = ""

    def forget(self) -> None:
        """Drops what was recorded; it points into memory that is given back."""
        self._recorded.clear()
        self._pool = None

    def run(
        self, shape: tuple[int, int], compute: Compute, tokens: torch.Tensor, positions: torch.Tensor
    ) -> torch.Tensor:
        """What `compute` gives for these inputs; it must need nothing else that changes."""
        if not self.refused and shape not in self._recorded:
            try:
                self._recorded[shape] = self._record(compute, tokens.clone(), positions.clone())
            except RuntimeError as error:
                self.refused = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
                sys.stderr.write(f"hf/: steps cannot be recorded, each is computed anew ({self.refused})\n")
        if self.refused:
            return compute(tokens, positions)
        graph, kept_tokens, kept_positions, logits = self._recorded[shape]
        kept_tokens.copy_(tokens)
        kept_positions.copy_(positions)
        graph.replay()
        return logits

    def _record(self, compute: Compute, tokens: torch.Tensor, positions: torch.Tensor) -> Recorded:
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(TRIALS):
                compute(tokens, positions)
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        # Another thread may use the device meanwhile; only this one is recorded.
        with torch.cuda.graph(graph, pool=self._pool, capture_error_mode="thread_local"):
            logits = compute(tokens, positions)
        self._pool = graph.pool()
        return graph, tokens, positions, logits
