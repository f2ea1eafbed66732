"""Identifiers and subject classes of papers: numbers that the archives could have given at that time."""

from __future__ import annotations

import calendar
import functools
import re
from collections.abc import Mapping
from datetime import date

from toolyard.world.tables import read_table

# The archive's own class of papers that their venue does not tell.
_CLASSES = {
    "cs.CL": "1706.03762 1810.04805 2005.14165 2401.00741 1711.08412 1802.05365 1907.11692 1906.08237 1909.11942 1910.01108 "
    "1908.10084 2203.15556 2203.02155 2201.11903 2206.07682 2204.02311 2302.13971 2307.09288 2303.08774 2310.06825 "
    "2303.12712 2212.08073 2106.09685 2005.11401 2004.04906 2210.03629 2302.04761 2305.10601 2305.15334 1301.3781 "
    "1310.4546 1409.0473 1409.3215 1406.1078 1609.08144 1804.07461",
    "cs.CV": "1512.03385 2010.11929 1506.02640 1409.1556 1409.0575 1505.04597 1506.02025 1506.01497 1704.04861 1508.06576 "
    "2103.00020 2102.12092 1312.6199 1710.09829 2304.02643 1312.6229 2103.03230",
    "stat.ML": "1406.2661 1312.6114 1503.02531 1607.06450 1701.07875 1607.00133 1710.10903 1412.6572 1706.06083 1706.03741",
    "cs.NE": "1207.0580 1404.7828 1410.5401", "cs.AI": "1712.01815 1705.07874 2307.16789", "cs.SI": "1607.00653 1706.02216",
    "cs.CY": "2009.03300",
    "cond-mat.other": "0709.1163", "cond-mat.mtrl-sci": "cond-mat/0410550 cond-mat/0702595",
    "cond-mat.mes-hall": "cond-mat/0509330", "cond-mat.dis-nn": "cond-mat/9910332",
    "cond-mat.stat-mech": "cond-mat/0106096",
    "cs.SD": "1609.03499", "eess.AS": "2212.04356", "cs.DC": "1605.08695", "cs.MS": "2006.10256", "cs.SE": "2107.03374",
    "gr-qc": "1602.03837 1710.05832", "astro-ph.GA": "1906.11238", "astro-ph.CO": "1807.06209",
    "hep-ex": "1207.7214 1207.7235",
    "quant-ph": "1910.11333 1801.00862", "math.DG": "math/0211159", "math.NT": "math/0404188", "math.CA": "math/0410542",
    "physics.soc-ph": "physics/0508025",
}  # fmt: skip
_BY_ID = {key: name for name, keys in _CLASSES.items() for key in keys.split()}
_VENUES = {
    **dict.fromkeys(("CVPR", "ICCV", "ECCV", "MICCAI", "International Journal of Computer Vision"), "cs.CV"),
    **dict.fromkeys(("ACL", "EMNLP", "NAACL", "TACL"), "cs.CL"),
}
_SEEN = re.compile(r"image|visual|vision|object|pixel", re.IGNORECASE)
# Numbers that PubMed had reached at the start of a year, in millions.
_PUBMED = {2014: 24.4, 2015: 25.6, 2016: 26.8, 2017: 28.1, 2018: 29.4, 2019: 30.7, 2020: 32.0, 2021: 33.5, 2022: 35.1,
           2023: 36.7, 2024: 38.2}  # fmt: skip


def archive_class(arxiv: str, venue: str, title: str, field: str) -> str:
    """The subject class of a known preprint, such as cs.CV; "none" where there is no preprint."""
    if not arxiv:
        return "none"
    if arxiv in _BY_ID or "/" in arxiv:
        return _BY_ID.get(arxiv, arxiv.split("/")[0])
    if field != "Computer Science":
        return {"Mathematics": "math.CO", "Biology": "q-bio.QM", "Economics": "q-fin.EC"}.get(
            field, "physics.data-an"
        )
    return _VENUES.get(venue) or ("cs.CV" if _SEEN.search(title) else "cs.LG")


def pubmed_number(day: date, number: int) -> str:
    """An id that PubMed could have given on a day."""
    first = _PUBMED.get(day.year, 38.2 if day.year > 2024 else 20.0)
    return str(round(first * 1e6) + day.timetuple().tm_yday * 3200 + number % 3200)


@functools.cache
def _submitted() -> Mapping[str, date]:
    """The day of the first version of well-known preprints."""
    return {row["arxiv"]: date.fromisoformat(row["day"]) for row in read_table("preprint_days.tsv")}


@functools.cache
def printed() -> Mapping[str, Mapping[str, str]]:
    """Title -> DOI, PubMed number and day of well-known papers without a preprint."""
    return {row["title"]: row for row in read_table("paper_dois.tsv")}


# Preprints a month, by year; the numbers of a month are given out in order.
_A_MONTH = {
    2007: 4600, 2008: 4900, 2009: 5300, 2010: 5800, 2011: 6400, 2012: 7000, 2013: 7700, 2014: 8100, 2015: 8800,
    2016: 9400, 2017: 10300, 2018: 11700, 2019: 13000, 2020: 14900, 2021: 15100, 2022: 15500, 2023: 19000, 2024: 20000,
}  # fmt: skip


def arxiv_number(day: date, number: int) -> str:
    """An id that the archive could have given on a day: four digits until 2014, and in order of the days of a month."""
    most, days = _A_MONTH.get(day.year, 20000), calendar.monthrange(day.year, day.month)[1]
    before, until = (day.day - 1) * most // days, day.day * most // days
    place = before + 1 + number % (until - before - 1)
    return f"{day:%y%m}.{place:04d}" if day.year < 2015 else f"{day:%y%m}.{place:05d}"


def submitted_on(arxiv: str) -> date:
    """The day on which a well-known preprint appeared."""
    return _submitted()[arxiv]


# Words of a subject that say in which archive its preprints stand.
_ARCHIVES = {
    "cond-mat.mes-hall": "topological insulator insulators graphene superconductor superconductors superconductivity",
    "quant-ph": "quantum qubit entanglement teleportation",
    "hep-ph": "higgs neutrino neutrinos quark quarks lepton boson",
    "hep-th": "string strings supersymmetry holography",
    "astro-ph.GA": "galaxy galaxies star stars exoplanet exoplanets cosmology telescope nebula",
    "gr-qc": "gravity relativity gravitational",
    "math.NT": "riemann prime primes fermat collatz diophantine",
    "math.DG": "ricci geometry manifold manifolds",
    "math.PR": "probability martingale",
    "stat.ML": "bayesian regression",
    "cs.CL": "language translation chatbot chatbots speech",
    "cs.CV": "image images vision video",
    "cs.CR": "security cryptography blockchain cybersecurity privacy",
    "cs.RO": "robot robots robotics vehicles",
    "physics.chem-ph": "battery batteries",
    "q-fin.EC": "inflation income wage wages poverty inequality",
    "q-fin.GN": "stock stocks market markets trading",
}


def archive_of(subject: str, otherwise: str) -> str:
    """The category of a preprint by the words of its subject; another where these say nothing."""
    said = set(subject.lower().split())
    return next((name for name, known in _ARCHIVES.items() if said & set(known.split())), otherwise)
