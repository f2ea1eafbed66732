"""How often a gate is wrong, on recorded answers: known differences, equal pairs, pairs at the allowed drop.

    python bench/gate.py [resamplings]         # default 1000; about five minutes on one core

Equal pairs are made of a recorded pair: clusters (dialogues) are drawn with replacement and the two results of each are
swapped by a fair coin, so that the true difference is 0 while ties, sizes and spread stay those of real models; an
unfair coin gives any other true difference. Writes results/gate.md.
"""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
from pathlib import Path

import numpy as np
from recorded import (
    RESULTS,
    Pair,
    mtu_models,
    nestools_models,
    packed_model,
    paired,
    resampled,
    swapping_chance,
)

from toolyard.report.gate.decision import GO, INCONCLUSIVE, NO_GO, decide_figures
from toolyard.stats.agreement import wilson_share
from toolyard.stats.drop_test import pairs_drop_test
from toolyard.stats.summary import rows_of

LEVEL = 0.05
PERMUTATIONS = 999
DROP = 0.02
# A run that was stopped goes on from here.
SCRATCH = Path(tempfile.gettempdir()) / "toolyard_gate_counts.json"
# A real model in two styles on official data, by their files in records/answers/results.
PACKED = (
    (
        "mtu_qwen2.5-coder-1.5b_default_official_835f1a",
        "mtu_qwen2.5-coder-1.5b_native_official_b65b0b",
        "average",
    ),
    (
        "nestools_qwen2.5-coder-1.5b_default_official_3cb023",
        "nestools_qwen2.5-coder-1.5b_example_official_173315",
        "average",
    ),
)


def pairs() -> list[Pair]:
    """Close and distant pairs, on dialogues and on single samples."""
    mtu, nestools = mtu_models(), nestools_models()
    packed = {file: packed_model(file) for pair in PACKED for file in pair[:2]}
    return [
        paired(mtu["wrong_value_15"], mtu["dropped_call_20"], "average"),
        paired(mtu["unparsable_5"], mtu["perfect"], "average"),
        paired(nestools["drop_calls_10"], nestools["rename_id_10"], "average"),
        paired(nestools["invalid_json_05"], nestools["perfect"], "average"),
        *(paired(packed[first], packed[second], figure) for first, second, figure in PACKED),
    ]


def known(pair: Pair) -> str:
    """The decision on the recorded pair itself, in both directions."""
    cells = []
    for first, second in ((pair.first, pair.second), (pair.second, pair.first)):
        (found,) = decide_figures(
            [pair.metric], rows_of(first), rows_of(second), {pair.metric.name: DROP}, LEVEL
        )  # fmt: skip
        cells.append(found.decision)
    return f"| {pair.title} | {len(pair.terms.first)} | {100 * pair.difference:+.1f} | {' | '.join(cells)} |"


def decisions(pair: Pair, true: float, allowed: float, times: int) -> dict[str, int]:
    """How often each decision is taken; what was counted before on the same terms is taken from a scratch file."""
    terms = pair.terms.first.tobytes() + pair.terms.second.tobytes()
    key = hashlib.sha256(
        terms + repr((pair.metric.name, true, allowed, times, PERMUTATIONS)).encode()
    ).hexdigest()
    known: dict[str, dict[str, int]] = json.loads(SCRATCH.read_text()) if SCRATCH.exists() else {}
    if key not in known:
        known[key] = _counted(pair, true, allowed, times)
        SCRATCH.write_text(json.dumps(known))
    return known[key]


def _counted(pair: Pair, true: float, allowed: float, times: int) -> dict[str, int]:
    chance = swapping_chance(pair, true)
    generator = np.random.default_rng(20261116)
    counts = {GO: 0, NO_GO: 0, INCONCLUSIVE: 0}
    for number in range(times):
        drawn = resampled(pair.terms, chance, generator)
        test = pairs_drop_test(
            pair.metric, drawn, allowed=allowed, level=LEVEL, seed=number, permutations=PERMUTATIONS
        )
        if test is None:
            counts[INCONCLUSIVE] += 1
        elif test.beyond < LEVEL:
            counts[NO_GO] += 1
        else:
            counts[GO if test.within < LEVEL else INCONCLUSIVE] += 1
    return counts


def shown(hits: int, total: int) -> str:
    """A share in percent with its interval."""
    found = wilson_share(hits, total)
    assert found.value is not None and found.low is not None and found.high is not None
    return f"{100 * found.value:.1f} [{100 * found.low:.1f}, {100 * found.high:.1f}]"


def rate_lines(found: list[Pair], true: float, allowed: float, times: int) -> list[str]:
    """One line per pair that is far enough apart for the true difference."""
    lines = ["| pair | clusters | GO % | NO-GO % | INCONCLUSIVE % |", "|---|---:|---:|---:|---:|"]
    for pair in found:
        if abs(pair.difference) >= abs(true):
            counts = decisions(pair, true, allowed, times)
            cells = " | ".join(shown(counts[name], times) for name in (GO, NO_GO, INCONCLUSIVE))
            lines.append(f"| {pair.title} | {len(pair.terms.first)} | {cells} |")
    return lines if len(lines) > 2 else ["No pair here is that far apart."]


def report(times: int) -> str:
    """The whole page."""
    found, fewer = pairs(), max(1, times // 4)
    told = f"level {LEVEL:g}, {PERMUTATIONS} swaps a test"
    head = f"# Gate: how often it is wrong\n\n`python bench/gate.py {times}`: {told}.\n"
    parts = [
        head,
        f"## Known differences\n\nAll shared clusters, allowed drop {100 * DROP:g} points; first minus second.\n",
        "| pair | clusters | difference | first as the run | second as the run |\n|---|---:|---:|---|---|",
        *map(known, found),
        f"\n## Equal pairs, no drop allowed ({times} resamplings)\n",
        f"NO-GO is a false alarm and GO a false proof of being better: {100 * LEVEL:g} % each is nominal.\n",
        *rate_lines(found, 0.0, 0.0, times),
        f"\n## Equal pairs, a drop of {100 * DROP:g} points allowed ({fewer} resamplings)\n",
        "Every NO-GO is a false alarm; how often GO is reached depends on the clusters.\n",
        *rate_lines(found, 0.0, DROP, fewer),
        f"\n## A true drop of exactly the allowed {100 * DROP:g} points ({fewer} resamplings)\n",
        f"The edge: GO and NO-GO are both wrong at most {100 * LEVEL:g} % of the time.\n",
        *rate_lines(found, -DROP, DROP, fewer),
        f"\n## A true drop of 10 points, {100 * DROP:g} allowed ({fewer} resamplings)\n",
        "GO is wrong; NO-GO is the power of the gate.\n",
        *rate_lines(found, -0.1, DROP, fewer),
    ]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    text = report(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
    (RESULTS / "gate.md").write_text(text, encoding="utf-8")
    print(text)
