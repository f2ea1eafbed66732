"""What simulated papers about a subject are called and say; they tell how something was done and claim no result."""

from __future__ import annotations

from random import Random

# Title and abstract of the papers about a subject outside medicine; the first of the five is a review.
REVIEWS = (
    ("{subject}: a review of the literature",
     "We searched three databases for work on {subject} and read {n} papers in full. The review groups them by question and "
     "method, and names {m} points on which they disagree."),
    ("Recent work on {subject}: an overview",
     "The past decade has brought much work on {subject}. This overview sorts it into {m} lines of research and gives an "
     "entry point into each."),
    ("{subject}: an introduction for newcomers",
     "These notes introduce {subject} to readers from neighbouring fields. Each of the {m} sections ends with exercises and "
     "further reading."),
)  # fmt: skip
FORMS = (
    ("Open questions about {subject}",
     "This perspective collects {m} open questions about {subject} and says what kind of evidence could answer them."),
    ("A comparison of approaches to {subject}",
     "{m} approaches to {subject} are compared on common ground. We report where they agree and what each of them needs."),
    ("An open data set on {subject}",
     "We publish {n} annotated records for research on {subject}, with a description of how they were collected, checked "
     "and licensed."),
    ("Notes on the foundations of {subject}",
     "We restate the assumptions behind {subject}, give {m} examples in which they matter, and separate what is proved from "
     "what is usual."),
    ("Reproducibility of studies on {subject}",
     "We tried to repeat {m} published studies on {subject} with the materials their authors provide, and describe what was "
     "missing."),
    ("Software for research on {subject}",
     "An open library for work on {subject} is described, with its design, its tests and {m} worked examples."),
    ("{subject} in the classroom",
     "We report how {subject} was taught in {m} courses, and share the exercises that students found most difficult."),
    ("Limits of current methods in {subject}",
     "Through {m} case studies we show where methods in use for {subject} break down, and how this can be noticed early."),
    ("A workshop report on {subject}",
     "{n} participants met for three days to discuss {subject}. The report summarises {m} sessions and the plans for joint "
     "work."),
)  # fmt: skip
SOCIAL = (
    ("Measuring {subject}: a critical review of indicators",
     "{m} indicators of {subject} in common use are compared for what they count, what they leave out and how often "
     "they are revised."),
    ("Public views on {subject}: a survey",
     "{n} adults were asked what they know and think about {subject}. Answers are reported by age, schooling and region."),
    ("{subject} in the press",
     "We coded {n} newspaper articles on {subject} for topic, source and tone, and describe how coverage has shifted."),
    ("{subject} and public policy: a comparison of cases",
     "Programmes that concern {subject} are described in {m} cases, with their aims, their costs and what was evaluated."),
    ("Teaching about {subject}",
     "We report how {subject} is taught in {m} courses, and share the materials that teachers found most useful."),
    ("Data on {subject}: a guide to sources",
     "This guide lists public data on {subject}, says who collects them and names {m} traps for those who compare them."),
)  # fmt: skip
MATHEMATICAL = (
    ("A note on {subject}",
     "This note gathers {m} remarks on {subject} that are known to experts and not easy to find in print."),
    ("Numerical experiments on {subject}",
     "We describe computations around {subject}, how far they were carried, and how their errors were bounded."),
    ("Equivalent statements of {subject}",
     "{m} statements equivalent to {subject} are given, with proofs that need no more than a first course."),
    ("Lectures on {subject}",
     "Notes of {m} lectures on {subject} for graduate students, with exercises."),
    ("Historical remarks on {subject}",
     "We follow {subject} from its first appearance in print through {m} letters and reviews."),
)  # fmt: skip
MEDICAL_REVIEWS = (
    ("{subject}: a systematic review",
     "BACKGROUND: Evidence on {subject} is scattered. METHODS: We searched MEDLINE and Embase and assessed {n} studies "
     "for risk of bias. CONCLUSIONS: The certainty of evidence differs between outcomes; {m} outcomes need larger trials."),
    ("{subject}: a scoping review",
     "OBJECTIVE: To map research on {subject}. METHODS: Two reviewers screened {n} records and charted design, setting and "
     "outcomes. RESULTS: Studies are grouped under {m} headings, with the gaps that remain."),
    ("{subject}: an umbrella review of published reviews",
     "METHODS: Reviews on {subject} were rated with AMSTAR 2. RESULTS: {m} of them met our criteria; overlap between "
     "their primary studies is shown. CONCLUSIONS: Questions for further reviews are listed."),
)  # fmt: skip
# What may be said of an illness or a topic of health, but not of two things or of a remedy for one.
OF_ONE = (
    ("{subject} in primary care: analysis of linked records",
     "METHODS: Records of {n} people from {m} practices were linked with hospital data. Models were adjusted for age, sex "
     "and comorbidity. RESULTS are reported by subgroup, with sensitivity analyses."),
    ("{subject}: a survey of clinicians",
     "METHODS: {n} clinicians in {m} hospitals answered a questionnaire on {subject}. RESULTS: Views on diagnosis, "
     "follow-up and referral are compared between specialties."),
    ("{subject}: trends in a national registry",
     "METHODS: Registry data over {m} years were analysed by age group and region. RESULTS are shown as rates with their "
     "intervals. Changes in coding are discussed as an explanation."),
    ("{subject}: a practical guide for general practitioners",
     "This article summarises what guidelines say about {subject}, gives {m} questions to ask a patient, and says when to "
     "refer."),
    ("Costs of care related to {subject}",
     "METHODS: Costs of {n} episodes were estimated bottom-up from the view of the health service. RESULTS: {m} components "
     "are reported; visits and medicines are told apart from travel and lost work."),
)  # fmt: skip
CLINICAL = (
    ("{subject}: a prospective cohort study",
     "METHODS: {n} people were recruited and followed for {m} years with yearly visits. Losses to follow-up, exposure and "
     "outcomes are described. RESULTS and limits are reported by subgroup."),
    ("{subject}: protocol for a randomised controlled trial",
     "METHODS: {n} participants will be randomised in {m} centres. The primary outcome is assessed at twelve months by "
     "staff blind to allocation; the analysis follows intention to treat."),
    ("What patients ask about {subject}: an interview study",
     "METHODS: {m} focus groups with patients were recorded and analysed by theme. RESULTS: Questions on daily life came "
     "before those on numbers; the themes are illustrated with quotations."),
    ("How trials report on {subject}",
     "METHODS: {n} trial reports were checked against the CONSORT items that concern {subject}. RESULTS: Completeness is "
     "shown for {m} items. CONCLUSIONS: A short checklist for authors is proposed."),
    ("{subject}: a cross-sectional study",
     "METHODS: {n} people from {m} towns were interviewed and examined once. RESULTS are given with their intervals, crude "
     "and adjusted. LIMITS: The design does not tell cause from effect."),
    ("{subject}: what the evidence does and does not show",
     "COMMENT: Headlines on {subject} often rest on single studies. We set out {m} questions to ask of such a study, with "
     "an example for each."),
    ("{subject}: secondary analysis of trial data",
     "METHODS: Data of {n} participants of {m} published trials were analysed anew after a plan registered beforehand. "
     "RESULTS and missing data are reported in full."),
)  # fmt: skip
# Papers that come where their type is asked for.
TYPED = (
    ("{subject}: a meta-analysis of randomised trials",
     "BACKGROUND: Single trials on {subject} are small. METHODS: We pooled {m} trials with {n} participants in a model with "
     "random effects. RESULTS are given with their heterogeneity and by risk of bias."),
    ("{subject}: a randomised controlled trial",
     "METHODS: {n} participants in {m} centres were randomised in a trial on {subject}; the primary outcome was assessed by "
     "staff blind to allocation. RESULTS and harms are reported for both groups."),
)  # fmt: skip
SHOWN = 5


_OF_SOCIETY = frozenset(("Sociology", "Economics", "Psychology", "Environmental Science"))
_JOINED = frozenset("and for on versus vs with in of".split())


def forms_for(chance: Random, field: str, subject: str) -> tuple[tuple[str, str], ...]:
    """Five titles with abstracts drawn by chance, a review first; medical ones are followed by those asked for by type."""
    if field == "Mathematics":
        return (chance.choice(REVIEWS[:2]), *chance.sample(MATHEMATICAL, SHOWN - 1))
    if field in _OF_SOCIETY:
        return (chance.choice(REVIEWS[:2]), *chance.sample(SOCIAL, SHOWN - 1))
    if field != "Medicine":
        return (chance.choice(REVIEWS), *chance.sample(FORMS, SHOWN - 1))
    others = CLINICAL if _JOINED & set(subject.split()) else (*OF_ONE, *CLINICAL)
    return (chance.choice(MEDICAL_REVIEWS), *chance.sample(others, SHOWN - 1), *TYPED)
