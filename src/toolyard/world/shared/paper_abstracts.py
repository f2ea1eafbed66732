"""What the simulated papers of a field of research say; they tell how something was done and claim no result."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

# Four texts and four last sentences for each way of working; as many of each, so that a draw fits all.
_OBSERVED = (
    "Much work in {area} concerns {subject}. We apply {method} to {n} {unit}, describe how they were chosen, and report "
    "how far the conclusions depend on {m} assumptions. {outlook}",
    "What is known about {subject} rests on few sources. This paper uses {method}, sets out the {m} choices behind the "
    "analysis of {n} {unit}, and repeats it under other choices. {outlook}",
    "We ask what {method} can add to research on {subject}. We compare it with the usual approach of {area} on {n} {unit} "
    "and discuss where the two disagree. {outlook}",
    "This article treats {subject}. It explains the use of {method} in {area}, works through {m} examples, and gives "
    "uncertainties for each of the {n} {unit}. {outlook}",
)
_AFTER_OBSERVING = (
    "The analysis can be repeated from public data.", "Larger samples are needed to settle the question.",
    "We close with advice for later studies.", "Code and tables are given in the supplement.",
)  # fmt: skip
_TESTED = (
    "Much work in {area} concerns {subject}. We test {method} on {n} {unit}, describe how the tests were set up, and report "
    "how far the conclusions depend on {m} parameters. {outlook}",
    "What is known about {subject} rests on few experiments. This paper uses {method}, sets out the {m} choices behind the "
    "tests on {n} {unit}, and repeats them under other choices. {outlook}",
    "We ask what {method} can add to research on {subject}. We compare it with the usual approach of {area} on {n} {unit} "
    "and discuss where the two disagree. {outlook}",
    "This article treats {subject}. It explains the use of {method} in {area}, works through {m} examples, and gives "
    "error bars for tests on {n} {unit}. {outlook}",
)
_AFTER_TESTING = (
    "The tests can be repeated from public code.", "Larger tests are needed to settle the question.",
    "We close with advice for later experiments.", "Code and tables are given in the supplement.",
)  # fmt: skip
_PROVED = (
    "Much work in {area} concerns {subject}. We apply {method} to {m} families of cases, give the arguments in full, and "
    "say where they need further assumptions. {outlook}",
    "What is known about {subject} rests on few arguments. This paper uses {method}, sets out the {m} lemmas behind the "
    "approach, and checks {n} small cases by computer. {outlook}",
    "We ask what {method} can add to research on {subject}. We compare it with the usual approach of {area} in {m} examples "
    "and discuss where the two lead to other bounds. {outlook}",
    "This article treats {subject}. It explains the use of {method} in {area}, works through {m} examples, and tabulates "
    "{n} values. {outlook}",
)
_AFTER_PROVING = (
    "The computations can be repeated from public code.", "New ideas are needed to settle the question.",
    "We close with open problems.", "Code and tables are given in the supplement.",
)  # fmt: skip
# What is tested in an area of research.
_TESTED_ON = {
    "astrophysics": "measurements", "astrophysics and cosmology": "measurements", "quantum information": "circuits",
    "nanotechnology": "samples", "energy systems": "hourly records", "machine learning": "test cases",
    "cyber security": "test cases", "neural computing": "test cases", "evolutionary computation": "problem instances",
    "robotics": "trials", "computer vision": "images", "natural language processing": "test questions",
    "genetic engineering and biotechnology": "samples", "bioinformatics": "sequences",
}  # fmt: skip


def abstract_of(chance: Random, area: str, field: str, fields: Mapping[str, object]) -> str:
    """An abstract in the way of an area: proved in mathematics, tested where things are built, observed elsewhere."""
    forms, last, unit = _OBSERVED, _AFTER_OBSERVING, "patients" if field == "Medicine" else "observations"
    if field == "Mathematics":
        forms, last = _PROVED, _AFTER_PROVING
    elif area in _TESTED_ON:
        forms, last, unit = _TESTED, _AFTER_TESTING, _TESTED_ON[area]
    return chance.choice(forms).format(**fields, area=area, unit=unit, outlook=chance.choice(last))
