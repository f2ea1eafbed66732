"""What simulated papers about a subject are called and say; they tell how something was done and claim no result."""

from __future__ import annotations

from random import Random

# Title and abstract of the papers about a subject outside medicine; the first of those shown is a review.
_REVIEW = (
    "{subject}: a review",
    "This review sorts the published work by question and method.",
)
_FORMS = (
    ("{subject}: recent work", "This article gives an entry point into recent work."),
    ("{subject}: open questions", "Questions that are still open are collected and explained."),
    ("{subject}: notes", "These notes gather remarks that are not easy to find in print."),
    ("{subject}: an introduction", "A first introduction, with further reading."),
)
_MEDICAL_REVIEW = (
    "{subject}: a systematic review",
    "Two reviewers screened the records found and assessed the studies for risk of bias.",
)
_MEDICAL = (
    ("{subject}: a scoping review", "Research is charted by design, setting and outcome, with the gaps that remain."),
    ("{subject}: a narrative review", "The literature is summarised for clinicians."),
    ("{subject}: an overview for clinicians", "The questions that arise in practice are answered in short."),
)  # fmt: skip
# Papers that come where their type is asked for.
_TYPED = (
    ("{subject}: a meta-analysis", "Published results were pooled in a model with random effects."),
    ("{subject}: a randomised controlled trial",
     "Participants were randomised, and the outcomes of both groups are reported."),
)  # fmt: skip
SHOWN = 3


def forms_for(chance: Random, field: str) -> tuple[tuple[str, str], ...]:
    """Titles with abstracts, a review first and others drawn by chance; medical ones are followed by those asked for by
    type."""
    if field != "Medicine":
        return (_REVIEW, *chance.sample(_FORMS, SHOWN - 1))
    return (_MEDICAL_REVIEW, *chance.sample(_MEDICAL, SHOWN - 1), *_TYPED)
