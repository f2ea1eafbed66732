"""The trivial baselines beside a run: computed once, kept in its folder."""

from __future__ import annotations

import orjson

from toolyard.core.types import PROFILES, Json, Profile
from toolyard.lines import write_whole
from toolyard.run.baselines import Baseline, baselines_of
from toolyard.run.evidence import Instruments
from toolyard.run.plan import Plan

BASELINES = "baselines.json"


def stored_baselines(plan: Plan, instruments: Instruments) -> dict[Profile, tuple[Baseline, ...]]:
    """The trivial baselines on the run's samples, computed once and kept beside the run."""
    path = plan.folder / BASELINES
    if path.exists():
        kept = orjson.loads(path.read_bytes())
        groups = kept.get("groups", {})
        return {
            profile: tuple(
                Baseline(name, figures, groups.get(profile, {}).get(name, {}))
                for name, figures in kept[profile].items()
            )
            for profile in PROFILES
        }
    found: dict[Profile, tuple[Baseline, ...]] = {
        profile: baselines_of(plan.setup, plan.samples, instruments, profile) for profile in PROFILES
    }
    content: dict[str, Json] = {
        **{profile: {baseline.name: baseline.figures for baseline in found[profile]} for profile in PROFILES},
        "groups": {
            profile: {baseline.name: baseline.groups for baseline in found[profile]} for profile in PROFILES
        },
    }
    write_whole(path, orjson.dumps(content, option=orjson.OPT_INDENT_2))
    return found
