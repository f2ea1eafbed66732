"""Why an endpoint refused a probe: a defect with a name, or a reason why the probe does not count."""

from __future__ import annotations

import re
from dataclasses import dataclass

from toolyard.certify.probe import Probe

NOT_SERVED = "this surface is not served"
SCHEMA = re.compile(r"schema|grammar|\$ref|\$defs|anyof|strict|recurs|additionalproperties", re.IGNORECASE)
TEMPLATE = re.compile(
    r"jinja|chat.?template|roles? must|must alternate|raise_exception|system role not", re.IGNORECASE
)
PARSER = re.compile(
    r"failed to parse (?:input|tool|model|output)|tool.?call pars|pars\w+ (?:of )?tool.?call", re.IGNORECASE
)
OVERFLOW = re.compile(
    r"context.{0,20}(?:length|size|window|exceed)|exceed.{0,40}context|too long|max_model_len", re.IGNORECASE
)
BY_TASK = {"schema": "schema_refused", "choice": "choice_refused", "history": "history_refused"}


@dataclass(frozen=True, slots=True)
class Refused:
    """The defect behind a refusal, or why the probe is left out."""

    defect: str = ""
    skipped: str = ""
    detail: str = ""


def refusal_of(probe: Probe, status: int, body: str, *, first: bool) -> Refused:
    """What an answer other than 200 says about the stack."""
    detail = f"{status}: {' '.join(body.split())[:300]}"
    if probe.surface.startswith("responses") and status in (404, 405, 501):
        return Refused(skipped=NOT_SERVED)
    if OVERFLOW.search(body) and not SCHEMA.search(body):
        return Refused(skipped="the prompt does not fit the context", detail=detail)
    return Refused(_defect_of_refusal(probe, status, body, first=first), detail=detail)


def _defect_of_refusal(probe: Probe, status: int, body: str, *, first: bool) -> str:
    if TEMPLATE.search(body):
        return "template_failed"
    if SCHEMA.search(body) and probe.native and probe.task.tools:
        return "schema_refused"
    if PARSER.search(body):
        return "parser_failed"
    if status >= 500:
        return "server_failed"
    if not first:
        return "history_refused"
    return BY_TASK.get(probe.task.leans_on, "request_refused") if probe.native else "request_refused"
