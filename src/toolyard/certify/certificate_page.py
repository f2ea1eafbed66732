"""A certificate as one self-contained page, in the report's look and under the report's policy."""

from __future__ import annotations

from toolyard.certify.certificate import Certificate, Paired
from toolyard.certify.certificate_tables import certificate_tables, lost_probes
from toolyard.report.page.tables_page import render_tables
from toolyard.report.page.verdict_line import VerdictLine
from toolyard.text.numbers import how_many


def render_certificate(certificate: Certificate, difference: Paired | None = None) -> str:
    """The page; what endpoints sent is escaped like any text."""
    tables = [*certificate_tables(certificate, difference), lost_probes(certificate)]
    short = {tables[0].title: "Probes"}
    return render_tables(
        "Certificate", certificate.model, tables, short=short, verdict=certificate_verdict(certificate)
    )


def certificate_verdict(certificate: Certificate) -> VerdictLine:
    """Whether the stack is sound, and which defects it has."""
    passed = f"{certificate.passed} of {how_many(len(certificate.counted), 'probe')} passed"
    if certificate.sound:
        return VerdictLine(True, f"Sound: {passed}.")
    defects = f"{how_many(len(certificate.defects), 'defect')} found"
    return VerdictLine(False, f"{defects}: {', '.join(certificate.defects)}; {passed}.")
