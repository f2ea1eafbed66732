"""The certificate for other programs: JUnit XML for nightly jobs, a badge, JSON, and the page."""

from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from toolyard.certify.certificate import Certificate, Paired, ProbeOutcome, explain_reason
from toolyard.certify.certificate_tables import certificate_tables, lost_probes
from toolyard.lines import indented_json, write_whole
from toolyard.report.page.tables_page import render_tables
from toolyard.report.page.verdict_line import VerdictLine
from toolyard.text.counted_nouns import how_many
from toolyard.text.printable import printable_line

BADGE = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="20" role="img" aria-label={label}>'
    '<rect width="{width}" height="20" rx="3" fill="#444"/>'
    '<rect x="62" width="{value}" height="20" rx="3" fill="{colour}"/>'
    '<g fill="#fff" font-family="Verdana,sans-serif" font-size="11">'
    '<text x="8" y="14">tool calls</text><text x="69" y="14">{text}</text></g></svg>\n'
)


def write_certificate(folder: Path, certificate: Certificate, difference: Paired | None = None) -> None:
    """certificate.json, certificate.html, junit.xml and badge.svg in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / "certificate.json", indented_json(certificate_json(certificate, difference)))
    page = render_certificate(certificate, difference)
    write_whole(folder / "certificate.html", page.encode("utf-8", "replace"))
    write_whole(folder / "junit.xml", junit_xml(certificate).encode("utf-8", "replace"))
    write_whole(folder / "badge.svg", badge_svg(certificate).encode())


def certificate_json(certificate: Certificate, difference: Paired | None = None) -> dict[str, object]:
    """The certificate, and the paired difference where there is a reference."""
    against = None if difference is None else difference.to_json()
    return {**certificate.to_json(), "against": against}


def junit_xml(certificate: Certificate) -> str:
    """One test case per probe; a defect is a failure, what the model cannot do is skipped with its reason."""
    cases = "".join(_test_case_xml(outcome) for outcome in certificate.outcomes)
    failed = sum(bool(item.defects) for item in certificate.counted)
    skipped = sum(not item.passed and not item.defects for item in certificate.outcomes)
    head = f'<testsuite name={_quote(f"toolyard certify {certificate.model}")} tests="{len(certificate.outcomes)}"'
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{head} failures="{failed}" skipped="{skipped}">\n{cases}</testsuite>\n'


def _test_case_xml(outcome: ProbeOutcome) -> str:
    name = f"  <testcase classname={_quote(outcome.surface)} name={_quote(outcome.probe.partition('/')[2])}"
    if outcome.passed:
        return f"{name}/>\n"
    if outcome.defects:
        words = "; ".join(f"{defect}: {explain_reason(defect)}" for defect in outcome.defects)
        inner = (
            f"<failure type={_quote(outcome.why)} message={_quote(words)}>{_escape(outcome.detail)}</failure>"
        )
    else:
        inner = f"<skipped message={_quote(outcome.skipped or f'{outcome.layer}: {explain_reason(outcome.why)}')}/>"
    return f"{name}>{inner}</testcase>\n"


def _quote(text: str) -> str:
    return quoteattr(printable_line(text))


def _escape(text: str) -> str:
    return escape(printable_line(text))


def badge_svg(certificate: Certificate) -> str:
    """Sound, or how many kinds of defects; of our own words only."""
    count = len(certificate.defects)
    text = f"sound {certificate.passed}/{len(certificate.counted)}"
    if not certificate.sound:
        text = how_many(count, "defect") if count else "not asked"
    value = 14 + 7 * len(text)
    colour = "#2e7d32" if certificate.sound else "#b3261e"
    return BADGE.format(
        width=62 + value, value=value, colour=colour, text=text, label=quoteattr(f"tool calls: {text}")
    )


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
