"""Tool documents with a review's proposed texts applied; what only a person can write stays unchanged."""

import json
from copy import deepcopy
from typing import Any

from toolyard.core.types import Record
from toolyard.owntools.lint.lint_findings import LintFinding, ToolReview
from toolyard.owntools.lint.lint_rules import TO_FILL_IN

DESCRIPTIONS = ("missing_description", "vague_description", "contradiction", "near_duplicate")
PARAMETER_TEXTS = ("undescribed_parameter",)
PARAMETER_SCHEMAS = ("untyped_parameter", "hidden_enum")


def applicable_findings(review: ToolReview) -> tuple[LintFinding, ...]:
    """The findings whose proposals are texts to put in, one for each place, the worst first."""
    found: dict[tuple[str, ...], LintFinding] = {}
    for each in review.findings:
        written = each.proposal and TO_FILL_IN not in each.proposal
        if written and each.rule in (*DESCRIPTIONS, *PARAMETER_TEXTS, *PARAMETER_SCHEMAS):
            place = "" if each.rule in DESCRIPTIONS else each.rule
            found.setdefault((each.tool, each.parameter, place), each)
    return tuple(found.values())


def rewritten_documents(review: ToolReview) -> list[Record]:
    """The document of every tool as a model sees it, with all applicable proposals."""
    documents: dict[str, dict[str, Any]] = {
        tool.name: {"name": tool.name, "description": tool.description, "parameters": deepcopy(tool.schema)}
        for tool in review.source.tools
    }
    for finding in applicable_findings(review):
        document = documents[finding.tool]
        if finding.rule in DESCRIPTIONS:
            document["description"] = finding.proposal
            continue
        schema = document["parameters"]["properties"][finding.parameter]
        if finding.rule in PARAMETER_TEXTS:
            schema["description"] = finding.proposal
        else:
            schema |= json.loads("{" + finding.proposal + "}")
    return list(documents.values())
