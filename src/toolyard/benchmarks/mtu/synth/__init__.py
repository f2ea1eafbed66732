"""The pipelines that make MTU data, by what they start from."""

from collections.abc import Mapping

from toolyard.benchmarks.mtu.synth.instruct.pipelines import ANNOTATED, CORPORA, MODEL
from toolyard.benchmarks.mtu.synth.world.pipeline import GRAMMAR
from toolyard.benchmarks.mtu.synth.world.request_dialogues import REQUESTS
from toolyard.benchmarks.mtu.synth.written_dialogues import BY_HAND, HARD_BY_HAND
from toolyard.synth.stages import Pipeline

PIPELINES: Mapping[str, Pipeline] = {
    "world": REQUESTS,
    "grammar": GRAMMAR,
    "written": BY_HAND,
    "hard": HARD_BY_HAND,
    "corpora": CORPORA,
    "corpora+model": ANNOTATED,
    "model": MODEL,
}
