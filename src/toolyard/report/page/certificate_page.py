"""A certificate as one self-contained page, in the report's look and under the report's policy."""

from __future__ import annotations

from toolyard.certify.certificate import Certificate, Paired
from toolyard.report.page.comparison_page import page_text
from toolyard.report.tables.certificate_tables import certificate_tables, lost_probes


def render_certificate(certificate: Certificate, difference: Paired | None = None) -> str:
    """The page; what endpoints sent is escaped like any text."""
    tables = [*certificate_tables(certificate, difference), lost_probes(certificate)]
    names = ["Probes", *(table.title for table in tables[1:])]
    return page_text(
        "certificate.html.j2",
        title="Certificate: sound" if certificate.sound else "Certificate: defects found",
        kicker=certificate.model,
        links=[(f"part-{place}", name) for place, name in enumerate(names, 1)],
        remarks=[],
        tables=tables,
    )
