"""What tells a manifest from any other JSON: the fields it holds, and of what kind each is."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from types import UnionType

from toolyard.core.types import Decoding, JsonValue, Record, Usage

Kinds = Mapping[str, type | UnionType]
NUMBER = float | int
SCALAR = str | float | int | None
# What every manifest holds; one without is no manifest.
NEEDED: Kinds = {
    "digest": str, "identity": dict, "data": str, "templates": dict, "judge": str, "judge_decoding": dict,
    "similarity": str, "finished": str | None,
}  # fmt: skip
# What those of newer versions hold besides.
KNOWN: Kinds = {
    "benchmark_version": str, "package_version": str, "engine": dict, "started": str, "usage": dict,
    "cost": NUMBER | None, "judge_trials": int, "judge_usage": dict, "judge_cost": NUMBER | None,
    "rewrites": dict, "adjustments": list, "serving": dict, "price": dict | None, "reached": dict,
    "prices": dict, "label": str,
}  # fmt: skip
IN_IDENTITY: Kinds = {
    "benchmark": str, "model": str, "ids": list, "options": dict, "decoding": dict, "version": str, "data_sha256": str,
}  # fmt: skip
BESIDE: Kinds = {
    "style": str | None, "limit": int | None, "trials": int, "seed": int, "world_seed": int, "embedder": str,
    "rewriter": str, "variation": str, "catalogue": str, "perturb": str,
    "templates_sha256": str, "documents_sha256": str, "world": str,
}  # fmt: skip
# Of a run that ended after so many minutes.
IN_REACHED: Kinds = {"items": int, "of": int, "minutes": NUMBER}
# Numbers that a run can have; the samples of a run are made before anything else.
RANGES = {"trials": (1, 10_000), "limit": (1, 2**63), "seed": (0, 2**63), "world_seed": (0, 2**63)}
DECODING: Kinds = {"temperature": NUMBER, "top_p": NUMBER, "max_tokens": int, "stop": list, "logprobs": bool}
# For what older versions did not write.
UNKNOWN: Mapping[str, JsonValue] = {
    "benchmark_version": "", "package_version": "", "started": "", "usage": asdict(Usage()), "cost": None,
}  # fmt: skip
assert set(DECODING) == {item.name for item in fields(Decoding)}


def manifest_problem(manifest: object) -> str:
    """What tells a JSON value from a manifest; empty where it is one."""
    if not isinstance(manifest, dict):
        return "it is not an object"
    found = _shape_problem(manifest, NEEDED, KNOWN)
    if found:
        return found
    identity = manifest["identity"]
    return (
        _shape_problem(identity, IN_IDENTITY, BESIDE, "identity.")
        or _range_problem(identity)
        or _shape_problem(identity["decoding"], DECODING, {}, "identity.decoding.")
        or _shape_problem(manifest["judge_decoding"], DECODING, {}, "judge_decoding.")
        or _odd_parts(manifest)
        or _reached_problem(manifest)
    )


def _reached_problem(manifest: Record) -> str:
    """What is wrong with how far a run with `--minutes` has come; empty for any other run."""
    if "reached" not in manifest:
        return ""
    reached = manifest["reached"]
    wrong = _shape_problem(reached, IN_REACHED, {}, "reached.")
    if not wrong and not 1 <= reached["items"] <= reached["of"]:
        return f"reached.items: found {reached['items']}, wanted 1 to {reached['of']:,}"
    return wrong


def _shape_problem(part: Mapping[str, JsonValue], needed: Kinds, known: Kinds, prefix: str = "") -> str:
    missing = [f"{prefix}{key}" for key in needed if key not in part]
    if missing:
        return f"it lacks {', '.join(missing)}"
    odd = [
        f"{prefix}{key}"
        for key, kind in {**needed, **known}.items()
        if key in part and not _is_of(part[key], kind)
    ]
    return f"{', '.join(odd)}: not of the right kind" if odd else ""


def _range_problem(identity: Record) -> str:
    """Numbers of the right kind that no run was ever started with."""
    for name, (least, most) in RANGES.items():
        value = identity.get(name)
        if value is not None and not least <= value <= most:
            return f"identity.{name}: found {value}, wanted {least:,} to {most:,}"
    return ""


def _is_of(value: object, kind: type | UnionType) -> bool:
    """Whether a value is of a kind; true is no number."""
    return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))


def _odd_parts(manifest: Record) -> str:
    """Lists and objects whose parts are of another kind than theirs."""
    identity = manifest["identity"]
    parts: dict[str, tuple[list[object], type | UnionType]] = {
        "identity.ids": (identity["ids"], str),
        "identity.options": (
            [each for each in identity["options"].values() if not isinstance(each, bool)],
            SCALAR,
        ),
        "templates": (list(manifest["templates"].values()), str),
        "adjustments": (manifest.get("adjustments", []), str),
        "usage": (list(manifest.get("usage", {}).values()), int),
        "judge_usage": (list(manifest.get("judge_usage", {}).values()), int),
        "rewrites": (list(manifest.get("rewrites", {}).values()), int),
        "prices": (list(manifest.get("prices", {}).values()), str),
        "price": (list((manifest.get("price") or {}).values()), NUMBER | None),
    }
    odd = [name for name, (values, kind) in parts.items() if not all(_is_of(value, kind) for value in values)]
    return f"{', '.join(odd)}: not of the right kind" if odd else ""
