"""Shared words are weighed alike in every process."""

from __future__ import annotations

import os
import subprocess
import sys

from toolyard.text.overlap import overlaps

# Words of one, two, ... seven documents: shares whose sum depends on the order in which they are added.
WORDS = ["anchor", "basket", "candle", "dragon", "engine", "falcon", "garden"]
DOCUMENTS = [" ".join(WORDS[count:]) for count in range(len(WORDS))]
SHOW = f"from toolyard.text.overlap import overlaps; print(overlaps({' '.join(WORDS)!r}, {DOCUMENTS!r}))"


def test_a_word_of_many_documents_counts_less() -> None:
    assert overlaps("find the red bus", ["find a bus", "find a train"]) == [1.5, 0.5]


def test_the_weights_do_not_depend_on_the_order_of_a_set() -> None:
    said = set()
    for seed in range(4):
        places = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": str(seed)}
        line = [sys.executable, "-c", SHOW]
        said.add(subprocess.run(line, env=places, capture_output=True, text=True, check=True).stdout)
    assert said == {f"{overlaps(' '.join(WORDS), DOCUMENTS)}\n"}
