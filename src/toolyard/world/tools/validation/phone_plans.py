"""How the numbers of a country are made up: how long they are, and with which digits each kind of line begins.

DE  6-11  mobile 1[5-7]  free 800  premium 900|137  shared 180
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass

from toolyard.world.kernel.tables import texts_of

_PLANS = """
US 10-10 free=8(00|33|44|55|66|77|88) premium=900
CA 10-10 free=8(00|33|44|55|66|77|88) premium=900
GB 9-10 mobile=7[1-57-9] fixed=[123567] free=80[08] premium=9|7[06] shared=8[47]
IE 7-10 mobile=8[2-9] fixed=[1-9] free=1800 premium=15 shared=18[59]0
DE 6-11 mobile=1[5-7] free=800 premium=900|137 shared=180
AT 4-13 mobile=6[5-9] free=800 premium=9[03] shared=8[12]
CH 9-9 mobile=7[4-9] fixed=[2-689] free=800 premium=90[016] shared=84
FR 9-9 mobile=[67] fixed=[1-59] free=80 premium=8[19] shared=82
BE 8-9 mobile=4[5-9] free=800 premium=90 shared=78
NL 7-9 mobile=6[1-58] fixed=[1-578] free=800 premium=90
ES 9-9 mobile=6|7[1-9] fixed=[89][1-8] free=[89]00 premium=80[367] shared=90[12]
PT 9-9 mobile=9[1236] fixed=2 free=800 premium=76 shared=808
IT 6-11 mobile=3 fixed=0 free=80[03] premium=89 shared=84
GR 10-10 mobile=69 fixed=2 free=800 premium=90 shared=801
DK 8-8
NO 5-8 mobile=[49] fixed=[235-7] free=80 premium=82
SE 7-9 mobile=7[02369] free=20[2-9] premium=9[04]
FI 5-12 mobile=4|50 free=800 premium=[67]00
IS 7-7 mobile=[678] fixed=[45] free=800 premium=90
PL 9-9 mobile=45|5[0137]|6[069]|7[2389]|88 fixed=[1-8] free=800 premium=70 shared=801
CZ 9-9 mobile=60[1-8]|7[02379] fixed=[2-5] free=800 premium=90 shared=84
SK 9-9 mobile=9 fixed=[2-5] free=800 shared=850
HU 8-9 mobile=[2357]0|31 fixed=[1-9] free=80 premium=9[01] shared=40
RO 9-9 mobile=7 fixed=[23] free=800 premium=90
BG 7-9 mobile=8[7-9]|98 free=800 premium=90
RU 10-10 mobile=9 fixed=[348] free=80[04] premium=809
UA 9-9 mobile=39|50|6[3678]|73|9[1-9] fixed=[3-6] free=800 premium=900
TR 10-10 mobile=5 fixed=[2-4] free=800 premium=900
IL 8-10 mobile=5 fixed=[2-489]|7[2-9] free=1800
AE 7-9 mobile=5 fixed=[2-4679] free=800
SA 9-10 mobile=5 fixed=1 free=800
EG 8-10 mobile=1[0125] fixed=[2-9]|1[35] free=800
ZA 9-9 mobile=6|7[1-46-9]|8[1-5] fixed=[1-5] free=80 premium=86
NG 7-10 mobile=[789][01] free=800
KE 7-9 mobile=7|1[01] fixed=[24-6] free=800
GH 9-9 mobile=2|5 fixed=3 free=800
CN 7-11 mobile=1[3-9]\\d{9}$ fixed=10|[2-9] free=800 shared=400
JP 9-10 mobile=[789]0 fixed=[1-9] free=120|800
KR 8-10 mobile=1[016-9]\\d{7,8}$ fixed=[2-7] free=80 shared=1[568]\\d{6}$
TW 8-9 mobile=9 fixed=[2-8] free=80[09]
HK 8-8 mobile=[4-79] fixed=[238] free=800
SG 8-10 mobile=[89]\\d{7}$ fixed=[36] free=1?800
MY 8-10 mobile=1[0-9] fixed=[3-9] free=1800
TH 8-9 mobile=[689] fixed=[2-7] free=1800
VN 9-10 mobile=[35789] fixed=2 free=1800
PH 8-10 mobile=9 fixed=[2-8] free=1800
ID 8-12 mobile=8 fixed=[2-79] free=800
IN 10-11 mobile=[6-9]\\d{9}$ fixed=[1-5]\\d{9}$ free=1800
PK 9-10 mobile=3 fixed=[24-9] free=800
BD 7-10 mobile=1[3-9] fixed=[2-9]
AU 6-10 mobile=4\\d{8}$ fixed=[2378]\\d{8}$ free=1800 shared=13
NZ 8-10 mobile=2[0-9] fixed=[34679] free=800|508 premium=900
MX 10-10 free=800 premium=900
BR 10-11 mobile=[1-9]\\d9\\d{8}$ fixed=[1-9]\\d[2-5]\\d{7}$ free=800 premium=900 shared=300
AR 10-11 mobile=9\\d{10}$ fixed=[1-3]\\d{9}$ free=800 premium=60[04] shared=81
CL 9-9 mobile=9 fixed=[2-7] free=800
CO 10-10 mobile=3 fixed=60 free=1?800
PE 8-9 mobile=9 fixed=[1-8] free=800
"""
_CANADIAN = frozenset(
    "204 226 236 249 250 263 289 306 343 354 365 367 368 382 403 416 418 428 431 437 438 450 468 474 506 514 519 548 579 "
    "581 584 587 604 613 639 647 672 683 705 709 742 753 778 780 782 807 819 825 867 873 879 902 905".split()
)
_ISLANDS = frozenset(
    "242 246 264 268 284 340 345 441 473 649 658 664 670 671 684 721 758 767 784 787 809 829 849 868 869 876 939".split()
)
_SHORT = frozenset(
    "911 112 999 110 113 114 115 117 118 119 122 100 101 102 000 111 995 997 998 411 311 "
    "116116 116117 116111 116000 116123 118118 118500 11880 11833 118712 118218".split()
)
KINDS = texts_of("phone_plans.kinds")


@dataclass(frozen=True, slots=True)
class Plan:
    """The least and the most digits after the calling code, and the beginnings of each kind of line."""

    least: int
    most: int
    begins: Mapping[str, str]

    def kind_of(self, national: str) -> str | None:
        """The kind of line of a number; None where no number of the country begins so."""
        for kind, name in KINDS.items():
            if kind in self.begins and re.match(self.begins[kind], national):
                return name
        if "fixed" in self.begins:
            return None
        return "fixed line" if "mobile" in self.begins else "fixed line or mobile"


@functools.cache
def _plans() -> Mapping[str, Plan]:
    found = {}
    for line in _PLANS.strip().splitlines():
        code, digits, *begins = line.split()
        least, _, most = digits.partition("-")
        found[code] = Plan(int(least), int(most), dict(part.split("=", 1) for part in begins))
    return found


def plan_of(country: str, calling: str) -> Plan:
    """The plan of a country by its code; of one that shares the code 1 by its calling code."""
    if len(calling) == 4 and calling.startswith("1"):
        return Plan(7, 7, {})
    return _plans().get(country, Plan(6, 12, {}))


def reason_against_number(country: str, national: str, calling: str) -> str:
    """Why a number with the calling code 1 is none of its country; nothing where it is."""
    area = national[:3]
    if len(calling) == 4 and calling.startswith("1") and national[0] in "01":
        return "the exchange code must not begin with 0 or 1"
    if country not in ("US", "CA") or re.match(r"8(?:00|33|44|55|66|77|88)|900", area):
        return ""
    if national[0] in "01" or national[3] in "01":
        return "area and exchange code must not begin with 0 or 1"
    if area.endswith("11"):
        return f"{area} is no area code"
    if country == "US" and area in _CANADIAN:
        return f"the area code {area} belongs to Canada"
    if area in _ISLANDS:
        return f"the area code {area} belongs to another country with the calling code 1"
    if country == "CA" and area not in _CANADIAN:
        return f"the area code {area} is none of Canada"
    return ""


# Numbers that are in use although shorter than their country's plan: Childline in Britain.
_SHORTER = {("GB", "8001111"): "toll-free"}


def shorter_kind(country: str, national: str) -> str | None:
    """The kind of line of a number that the plan has no room for; None where nobody has it."""
    return _SHORTER.get((country, national))


def is_short(number: str) -> bool:
    """Whether a number is one for emergencies or information."""
    return number.replace(" ", "") in _SHORT
