"""English names of months and weekdays, and days of the month as they are said."""

MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
# The same as they are written in a sentence.
MONTH_NAMES = tuple(name.capitalize() for name in MONTHS)
WEEKDAY_NAMES = tuple(name.capitalize() for name in WEEKDAYS)
# The number of a month by its name and by its usual short forms.
MONTH_NUMBERS = {
    spelling: number
    for number, month in enumerate(MONTHS, start=1)
    for spelling in (month, month[:3], *(("sept",) if month == "september" else ()))
}


def ordinal_day(day: int) -> str:
    """A day of the month as it is said: 1st, 2nd, 11th."""
    ending = "th" if 10 <= day % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"{day}{ending}"
