"""What one trajectory earns under a profile: rule-based figures always, judged ones where a judge was asked."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from toolyard.benchmarks.tooleyes.data.documents import documents_of
from toolyard.benchmarks.tooleyes.data.sample import QueryGold, ToolEyesSample
from toolyard.benchmarks.tooleyes.scoring import official, paper
from toolyard.benchmarks.tooleyes.scoring.errors import Errors, official_errors, paper_errors
from toolyard.benchmarks.tooleyes.scoring.grounding import ground_answer
from toolyard.benchmarks.tooleyes.scoring.judge_questions import OUTCOME, Posed, pose_outcome, pose_questions
from toolyard.benchmarks.tooleyes.scoring.judge_verdicts import official_verdict, paper_verdict
from toolyard.benchmarks.tooleyes.scoring.outcome import outcome, parameter_correctness
from toolyard.benchmarks.tooleyes.scoring.parse import Trajectory
from toolyard.core.ordered_sums import sum_in_order
from toolyard.core.types import Evidence, Failure, JsonValue, Profile, Score

DIMENSIONS = (
    "format_alignment", "intent_comprehension", "behavior_planning", "tool_selection", "answer_organization",
)  # fmt: skip
JUDGED = (
    "overall", "intent_comprehension", "behavior_planning", "tool_selection", "answer_organization",
    "behavior_validity", "behavior_integrity", "tool_match", "answer_quality",
)  # fmt: skip
NO_JUDGE = "no judge was asked: give one with --judge MODEL or replies with --evidence FILE"
Values = dict[str, float | None]


IRRELEVANT = 3
# From this verdict on the judge says that the answer decides rightly.
DECIDED = 6


@dataclass(frozen=True, slots=True)
class Verdicts:
    """A judge's scores from 1 to 10 (0 to 10 under `official`) by question, or the first that is missing."""

    scores: Mapping[str, float]
    problem: Failure | None


@dataclass(frozen=True, slots=True)
class Ruled:
    """What a profile's rules say without a judge; `kinds` are the released scorer's labels of turns."""

    known: Values
    errors: Errors
    kinds: tuple[str, ...] = ()


def score(
    sample: ToolEyesSample, trajectory: Trajectory, evidence: Mapping[str, Evidence], profile: Profile
) -> Score:
    """The score under one profile; a verdict that is missing while others are there leaves the sample unscored."""
    beyond, reasons = _judge_free_values(sample, trajectory, evidence)
    ruled = _official_rules(sample, trajectory) if profile == "official" else paper_rules(sample, trajectory)
    if isinstance(ruled, Failure):
        return Score(sample.id, values=beyond, unscored=ruled.kind, reasons=(ruled.detail,))
    by_rule = Score(
        sample.id,
        values={**dict.fromkeys(JUDGED), **ruled.known, **beyond},
        errors=ruled.errors,
        graded=_graded_record(trajectory),
        reasons=reasons,
        missing={} if evidence else dict.fromkeys(JUDGED, NO_JUDGE),
    )
    if not evidence:
        return by_rule
    verdicts = read_verdicts(sample, trajectory, evidence, profile)
    if verdicts.problem is not None:
        return replace(by_rule, reasons=(*reasons, verdicts.problem.detail), unscored=verdicts.problem.kind)
    judged = (
        official_values(ruled, verdicts.scores)
        if profile == "official"
        else _paper_values(sample, trajectory, ruled, verdicts.scores)
    )
    return replace(
        by_rule,
        values={**by_rule.values, **judged},
        errors=_add_relevance_errors(ruled.errors, trajectory, verdicts.scores),
        graded={**_graded_record(trajectory), "verdicts": dict(verdicts.scores)},
    )


def score_metrics_only(sample: ToolEyesSample, trajectory: Trajectory, profile: Profile) -> Score:
    """The figures that the profile's rules give without a judge: no outcome, grounding or reasons."""
    if profile == "paper":
        return Score(sample.id, values=_known_paper_values(sample, trajectory))
    ruled = _official_rules(sample, trajectory)
    if isinstance(ruled, Failure):
        return Score(sample.id, unscored=ruled.kind, reasons=(ruled.detail,))
    return Score(sample.id, values=ruled.known)


def _official_rules(sample: ToolEyesSample, trajectory: Trajectory) -> Ruled | Failure:
    rules = official.crash_reason(trajectory) or official.rule_scores(trajectory, documents_of(sample))
    if isinstance(rules, Failure):
        return rules
    known: Values = {
        "format_alignment": rules.format_alignment,
        "tool_reality": rules.tool_reality,
        "answer_pass": rules.answer_pass,
    }
    return Ruled(known, official_errors(trajectory, rules), rules.kinds)


def paper_rules(sample: ToolEyesSample, trajectory: Trajectory) -> Ruled:
    """The printed rules, which need neither gold nor a judge."""
    return Ruled(_known_paper_values(sample, trajectory), paper_errors(trajectory, documents_of(sample)))


def _known_paper_values(sample: ToolEyesSample, trajectory: Trajectory) -> Values:
    return {
        "format_alignment": paper.format_alignment(trajectory),
        "tool_reality": paper.tool_reality(trajectory, documents_of(sample)),
        "answer_pass": float(trajectory.passed),
    }


def read_verdicts(
    sample: ToolEyesSample, trajectory: Trajectory, evidence: Mapping[str, Evidence], profile: Profile
) -> Verdicts:
    """Every verdict that the profile needs, or the first problem."""
    scores: dict[str, float] = {}
    for posed in pose_questions(sample, trajectory, profile, {}):
        name = posed.question.id
        verdict = _judge_verdict(posed, evidence.get(name), profile)
        if isinstance(verdict, Failure):
            return Verdicts(scores, Failure(verdict.kind, f"{name}: {verdict.detail}"))
        scores[name] = verdict
    return Verdicts(scores, None)


def _judge_verdict(posed: Posed, given: Evidence | None, profile: Profile) -> float | Failure:
    if profile == "official":
        return official_verdict(given, posed.question.id.split("/")[0])
    return paper_verdict(given, posed.code, posed.claims)


def official_values(ruled: Ruled, scores: Mapping[str, float]) -> Values:
    """The released formulas in the released order of operations."""
    validity, integrity, quality = scores["validity"], scores["integrity"], scores["quality"]
    match = [int(scores[f"match/{place}"]) for place in range(len(ruled.kinds))]
    mean = official.match_mean(ruled.kinds, match)
    reality = ruled.known["tool_reality"] or 0.0
    values: Values = {
        "intent_comprehension": scores["intent"] / 10,
        "behavior_validity": validity / 10,
        "behavior_integrity": integrity / 10,
        "behavior_planning": validity / 10 * integrity / 10,
        "tool_match": mean / 10,
        "tool_selection": reality * mean / 10,
        "answer_quality": quality / 10,
        "answer_organization": quality / 10,
    }
    return {**values, "overall": _overall_score({**values, **ruled.known})}


def _paper_values(
    sample: ToolEyesSample, trajectory: Trajectory, ruled: Ruled, scores: Mapping[str, float]
) -> Values:
    match = {place: scores[f"match/{place}"] / 10 for place in paper.valid_turn_indices(trajectory)}
    validity, integrity = scores["validity"] / 10, scores["integrity"] / 10
    quality = scores["quality"] / 10 if trajectory.passed else None
    values: Values = {
        "intent_comprehension": scores["intent"] / 10,
        "behavior_validity": validity,
        "behavior_integrity": integrity,
        "behavior_planning": validity * integrity,
        "tool_match": paper.tool_match(trajectory, match),
        "tool_selection": paper.tool_selection(trajectory, documents_of(sample), match),
        "answer_quality": quality,
        "answer_organization": quality or 0.0,
    }
    return {**values, "overall": _overall_score({**values, **ruled.known})}


def _overall_score(values: Values) -> float:
    """The mean of the five dimensions (Equation 6)."""
    return sum_in_order((values[name] or 0.0) / 5 for name in DIMENSIONS)


def _judge_free_values(
    sample: ToolEyesSample, trajectory: Trajectory, evidence: Mapping[str, Evidence]
) -> tuple[Values, tuple[str, ...]]:
    """Outcome, grounding and parameter correctness, which need no judge, and why points were lost."""
    query, gold = str(sample.input["query"]), sample.gold
    observations = (trajectory.reference or {}).get("observations", ())
    derived = gold.derivable(observations) if isinstance(gold, QueryGold) else ()
    sources = (query, *trajectory.texts_seen())
    answer = trajectory.answer
    found = ground_answer(answer, sources, derived)
    reasons = tuple(f"nothing told the model {item!r}" for item in found.loose[:5])
    values: Values = {"grounding": found.share}
    if isinstance(gold, QueryGold):
        result = outcome(gold, trajectory)
        values |= {
            "outcome": _judged_outcome(sample, trajectory, evidence) if result.asks else result.value,
            "parameter_correctness": parameter_correctness(gold, trajectory, query),
        }
        reasons = (*result.reasons, *reasons)
    return values, reasons


def _judged_outcome(
    sample: ToolEyesSample, trajectory: Trajectory, evidence: Mapping[str, Evidence]
) -> float | None:
    """What the judge says where no rule can see it; None without a verdict."""
    posed = pose_outcome(sample, trajectory, {})
    if posed is None or OUTCOME not in evidence:
        return None
    verdict = paper_verdict(evidence[OUTCOME], posed.code, posed.claims)
    return None if isinstance(verdict, Failure) else float(verdict >= DECIDED)


def _graded_record(trajectory: Trajectory) -> dict[str, JsonValue]:
    return {
        "answer": trajectory.answer,
        "passed": trajectory.passed,
        "rounds_used": trajectory.rounds_used,
        "rounds": [{"action": turn.action, "problem": turn.problem} for turn in trajectory.rounds],
    }


def _add_relevance_errors(errors: Errors, trajectory: Trajectory, scores: Mapping[str, float]) -> Errors:
    """An answer that the judge finds beside the point (quality of 3 or less) is an irrelevant one."""
    irrelevant = trajectory.passed and scores.get("quality", 10) <= IRRELEVANT
    if not irrelevant:
        return errors
    answer = {**errors.get("answer", {}), "irrelevant_answer": 1}
    return {**errors, "answer": answer}
