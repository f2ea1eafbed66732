"""Pipelines that end their own process the hard way; preloaded into clean processes by tests/test_resume.py.

A module of its own: a forked copy of a process that has already called tools would share the children of their
sandboxes.
"""

import os
import signal
from collections.abc import Callable

from mtu_harbour_corpus import write_corpus
from nestools_drafts import reply
from toolbehonest_author import bad_author
from toolyard.synth.chains.plausibility import plausible_links
from toolyard.synth.command import benchmark_pipelines, synthesise
from toolyard.synth.pipeline import StageProgress
from toolyard.synth.settings import SynthSettings
from toolyard.world.kernel.phrase import phrases

__all__ = ["SETTINGS", "make", "write_corpus"]

# Known before the process is copied, so that no copy has to find it out again.
phrases()
plausible_links()
for _name in ("nestools", "toolbehonest", "mtu"):
    benchmark_pipelines(_name)


async def echo(messages: list[dict[str, str]]) -> str:
    """A model that rewords nothing."""
    return messages[-1]["content"]


async def drafter(messages: list[dict[str, str]]) -> str:
    """A model that writes NesTools drafts, good ones and bad ones."""
    return reply(messages[-1]["content"])


SETTINGS = {
    "nestools from the world": SynthSettings("nestools", "world", rows=8),
    "nestools reworded": SynthSettings("nestools", "world", rows=6, model=echo),
    "nestools by a model": SynthSettings("nestools", "model", rows=12, model=drafter, embedder="hash"),
    "toolbehonest from the world": SynthSettings("toolbehonest", "world", rows=14),
    "toolbehonest by a model": SynthSettings(
        "toolbehonest", "model", rows=14, model=bad_author, embedder="hash"
    ),
    "mtu from the world": SynthSettings("mtu", "world", rows=12),
    "mtu from corpora": SynthSettings("mtu", "corpora", embedder="hash"),
}


def make(base_settings: SynthSettings, steps: int) -> None:
    """Makes the data set, unless that takes more than so many steps."""
    synthesise(base_settings, killed_after(steps))


def killed_after(steps: int) -> Callable[[StageProgress], None]:
    """Shows nothing, and ends the process when it has been called that often."""
    left = steps

    def show(_: StageProgress) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)

    return show
