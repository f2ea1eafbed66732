"""What jobs pay in a country, against the United States and at least."""

from __future__ import annotations

import functools

from toolyard.world import seeds
from toolyard.world.shared.geography import City, currencies, find_country
from toolyard.world.worlds.job.common_jobs import FIRST_WIDE

_WAGES = {"US": 1.0, "CH": 1.05, "AU": 0.7, "CA": 0.7, "GB": 0.6, "DE": 0.65, "NL": 0.62, "IE": 0.65, "FR": 0.52,
          "SG": 0.6, "JP": 0.4, "AE": 0.5, "ES": 0.42, "IT": 0.45, "SE": 0.55, "NO": 0.7, "DK": 0.7, "FI": 0.52, "AT": 0.6,
          "BE": 0.58, "NZ": 0.55, "KR": 0.42, "IL": 0.55, "PT": 0.3, "PL": 0.3, "CN": 0.22, "BR": 0.14, "MX": 0.16,
          "IN": 0.1, "ZA": 0.2, "TR": 0.18, "ID": 0.1, "PH": 0.09, "VN": 0.1, "NG": 0.06, "KE": 0.08}  # fmt: skip
# What the law lets nobody be paid less for a year of full days, about, in the currency of the country.
_LEAST = {"FR": 21_200, "DE": 25_800, "GB": 23_800, "ES": 15_900, "NL": 27_600, "IE": 26_400, "AU": 47_600, "CA": 34_000,
          "US": 24_000, "CH": 45_000, "JP": 2_200_000, "PT": 11_500, "PL": 51_600, "BE": 24_000, "NZ": 48_000}  # fmt: skip
# How much nearer the pay of simple work is to that of other work than in the United States.
_LEVELLED = {"CH": 0.9, "AU": 0.9, "NO": 0.6, "DK": 1.2, "DE": 0.3, "GB": 0.9, "SE": 0.5, "FI": 0.5, "NL": 0.4, "IE": 0.9,
             "NZ": 1.1, "CA": 0.5, "AT": 0.4, "BE": 0.4}  # fmt: skip
_AS_IN_AMERICA = 80_000


@functools.cache
def wage(country_code: str) -> float:
    """Pay of a country against the United States, in its own currency."""
    code = find_country(country_code)["currency"]
    rate = next(row["per_usd"] for row in currencies() if row["code"] == code)
    return _WAGES.get(country_code, 0.25) * rate


def local_pay(pay: float, country_code: str) -> float:
    """What a job with this pay in the United States is worth elsewhere: simple work is paid better in some countries."""
    share = max(0.0, 1 - pay / _AS_IN_AMERICA)
    return pay * (1 + _LEVELLED.get(country_code, 0.0) * share)


# What some common work pays where it is far from what it is worth in America, a year, in the currency of the country.
_KNOWN = {
    "DE": {"Nurse": 43_000, "Registered Nurse": 43_000, "Teacher": 54_000},
    "FR": {"Nurse": 33_000, "Registered Nurse": 33_000, "Teacher": 35_000},
    "GB": {"Nurse": 37_500, "Registered Nurse": 37_500, "Teacher": 41_000},
    "ES": {"Nurse": 30_000, "Registered Nurse": 30_000, "Teacher": 30_000},
    "IT": {"Nurse": 29_000, "Registered Nurse": 29_000, "Teacher": 28_000},
    "CH": {"Nurse": 83_000, "Registered Nurse": 83_000, "Teacher": 98_000},
    "JP": {"Nurse": 4_900_000, "Registered Nurse": 4_900_000, "Teacher": 5_300_000},
    "NO": {"Nurse": 580_000, "Registered Nurse": 580_000, "Teacher": 590_000, "Electrician": 570_000},
    "IN": {"Nurse": 360_000, "Registered Nurse": 360_000, "Teacher": 420_000},
}


def usual_pay(title: str, pay: float, country_code: str) -> float:
    """What a job with this pay in the United States is usually paid in a country, in its own currency."""
    known = _KNOWN.get(country_code, {}).get(title)
    return float(known) if known else local_pay(pay, country_code) * wage(country_code)


def least_pay(city: City, number: int) -> float:
    """What an employer must pay at least, a little more at some houses."""
    above = 0.14 * seeds.unit("above the least", number) if number >= FIRST_WIDE else 0.0
    return _LEAST.get(city["country_code"], 0) / 0.92 * (1 + above)
