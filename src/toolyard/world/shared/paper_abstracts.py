"""What the simulated papers of a field of research say: one sentence on how something was done, and no result."""

from __future__ import annotations

NONE_ON_RECORD = "No abstract is on record."

# Papers whose figures people ask for, by title.
_WRITTEN = {
    "X-ray timing for binary black hole mergers":
    "We search X-ray light curves for traces of binary black hole mergers. The study covers 2164 measurements and works "
    "through 6 examples.",
    "Vaccine hesitancy before and after antibody assays":
    "We asked 214 patients about vaccination before and after they learned the result of their antibody assays.",
    "Vaccine hesitancy and the advice of doctors: a randomised controlled trial":
    "We randomised 386 patients to usual care or to a talk with their doctor, and compared who wished to be vaccinated.",
}  # fmt: skip
# What a title says of the design -> what is true of every study of this design.
_DESIGNS = {
    ": a survey": "This survey sorts the published work by question and method.",
    ": a review": "This review sorts the published work by question and method.",
    "meta-analysis of": "Published results were pooled in a model with random effects.",
    "randomised controlled trial": "Participants were randomised, and the outcomes of both groups are reported.",
    "a cohort study": "Participants were followed over several years, and losses to follow-up are reported.",
    "a registry study": "Records of a register were analysed by age group.",
    "a test-negative study": "People who tested positive were compared with those who tested negative.",
    "a field experiment": "Schools were assigned by lot, and the outcomes of both groups are reported.",
}
_EMPIRICAL = frozenset(("Medicine", "Psychology", "Economics", "Environmental Science"))


def abstract_of(title: str, field: str) -> str:
    """One sentence that fits the design and the field of a simulated paper."""
    if title in _WRITTEN:
        return _WRITTEN[title]
    said = next((text for words, text in _DESIGNS.items() if words in title), "")
    if field == "Mathematics":
        return said or "We give the argument in full and discuss what it needs."
    if field in _EMPIRICAL:
        return said or "We describe the data, the analysis and its limits."
    return said or "We describe the approach and discuss its limits."


def kind_of(title: str, field: str) -> str:
    """The type of publication that a title tells."""
    if "meta-analysis" in title.lower():
        return "MetaAnalysis"
    if title.endswith((": a survey", "review", "overview")):
        return "Review"
    return "ClinicalTrial" if field == "Medicine" and title.endswith("controlled trial") else "JournalArticle"
