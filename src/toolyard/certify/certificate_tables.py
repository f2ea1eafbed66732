"""The certificate of a serving stack as tables."""

from toolyard.certify.certificate import Certificate, Paired, explain_reason
from toolyard.certify.defects import DEFECTS, SUSPICIONS
from toolyard.certify.probe import SURFACES
from toolyard.core.table import Table
from toolyard.report.tables.formats import p_text
from toolyard.text.counted_nouns import how_many


def certificate_tables(certificate: Certificate, difference: Paired | None = None) -> list[Table]:
    """Passes by feature and surface, losses by part of the stack, defects, and the difference to a reference."""
    tables = [pass_table(certificate), loss_table(certificate), defect_table(certificate)]
    return tables if difference is None else [*tables, difference_table(difference)]


def pass_table(certificate: Certificate) -> Table:
    """Probes passed of those that count, by feature and surface."""
    surfaces = [name for name in SURFACES if any(item.surface == name for item in certificate.outcomes)]
    features = list(dict.fromkeys(item.feature for item in certificate.outcomes))
    rows = [
        (feature, *(_share_passed(certificate, feature, name) for name in surfaces)) for feature in features
    ]
    total = ("all", *(_share_passed(certificate, "", name) for name in surfaces))
    left = "; ".join(f"{count} left out: {why}" for why, count in certificate.skipped.items())
    title = f"{certificate.model}: {certificate.passed} of {len(certificate.counted)} probes passed"
    return Table(title, ("feature", *surfaces), (*rows, total), left, kinds={len(rows): "total"})


def _share_passed(certificate: Certificate, feature: str, surface: str) -> str | None:
    found = [
        item for item in certificate.counted if item.surface == surface and feature in ("", item.feature)
    ]
    return f"{sum(item.passed for item in found)}/{len(found)}" if found else None


def loss_table(certificate: Certificate) -> Table:
    """Points lost by each part of the stack."""
    rows = tuple(
        (layer, count, sum(item.suspected for item in certificate.counted if item.layer == layer))
        for layer, count in certificate.lost.items()
    )
    note = "Suspected: nothing but a difference between surfaces shows it; it does not change the exit code."
    return Table("Points lost", ("part of the stack", "lost", "of these suspected"), rows, note)


def defect_table(certificate: Certificate) -> Table:
    """Each defect with the first probe that shows it."""
    known = {**DEFECTS, **SUSPICIONS}
    counts = {**certificate.defects, **certificate.suspicions}
    rows = tuple(
        (name, known[name].layer, count, explain_reason(name), _first_probe(certificate, name))
        for name, count in counts.items()
    )
    return Table("Defects", ("defect", "part of the stack", "probes", "what it is", "first probe"), rows)


def _first_probe(certificate: Certificate, name: str) -> str:
    found = (item.probe for item in certificate.counted if name in item.defects or name == item.why)
    return next(found, "")


def difference_table(paired: Paired) -> Table:
    """Two endpoints on the same probes."""
    rows = (
        ("passed by both", paired.both, ""),
        ("passed here only", len(paired.only_here), ", ".join(paired.only_here[:4])),
        ("passed by the reference only", len(paired.only_there), ", ".join(paired.only_there[:4])),
        ("passed by neither", paired.neither, ""),
    )
    note = (
        f"{how_many(paired.probes, 'probe')} counted at both; exact McNemar test p = {p_text(paired.p_value)}"
    )
    return Table("Against the reference", ("outcome", "probes", "such as"), rows, note)


def lost_probes(certificate: Certificate) -> Table:
    """Every probe that did not pass, with what was seen."""
    rows = tuple(
        (item.probe, item.layer, item.why, explain_reason(item.why), item.detail)
        for item in certificate.counted
        if not item.passed
    )
    return Table("Lost probes", ("probe", "part of the stack", "why", "in words", "seen"), rows)
