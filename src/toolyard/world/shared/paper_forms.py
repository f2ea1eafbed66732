"""What simulated papers about a subject are called and say."""

from __future__ import annotations

# Title and abstract of the papers about a subject; they say how something was done and claim no result.
FORMS = (
    ("{subject}: a review of the literature",
     "We searched three databases for work on {subject} and read {n} papers in full. The review groups them by question and "
     "method, and names {m} points on which they disagree."),
    ("Open questions about {subject}",
     "This perspective collects {m} open questions about {subject} and says what kind of evidence could answer them."),
    ("{subject}: a survey of methods",
     "We describe the methods in use for research on {subject}, with their assumptions, and point to public data."),
    ("A comparison of approaches to {subject}",
     "{m} approaches to {subject} are compared on the same data. We report where they agree and what each of them needs."),
    ("{subject}: current challenges",
     "Based on {n} reports of the past ten years we describe which challenges work on {subject} meets most often."),
)  # fmt: skip
CLINICAL = (
    ("{subject}: a systematic review",
     "BACKGROUND: Evidence on {subject} is scattered. METHODS: We searched MEDLINE and Embase and assessed {n} studies "
     "for risk of bias. CONCLUSIONS: The certainty of evidence differs between outcomes; {m} outcomes need larger trials."),
    ("{subject}: a cohort study",
     "OBJECTIVE: {subject} in routine care. METHODS: Records of {n} people were followed for {m} years, adjusted for "
     "age, sex and comorbidity. RESULTS and limits are reported by subgroup."),
    ("{subject}: protocol for a randomised controlled trial",
     "INTRODUCTION: Trials on {subject} have been small. METHODS: {n} participants will be randomised in {m} centres; the "
     "primary outcome is assessed by staff blind to allocation."),
    ("{subject}: what general practitioners should know",
     "This article summarises what is known about {subject} for daily practice and lists {m} questions to ask a patient."),
    ("{subject}: a qualitative interview study",
     "{m} focus groups and interviews with patients and clinicians about {subject} were analysed by theme."),
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
SHOWN = len(CLINICAL)
