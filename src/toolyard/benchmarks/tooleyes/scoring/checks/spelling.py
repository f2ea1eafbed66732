"""Values in words again: plainly, as people write them every day, and wrongly."""

from collections.abc import Sequence
from datetime import timedelta

from toolyard.benchmarks.tooleyes.scoring.checks.stated_values import Clock, Day, Month, Name, Number, Value
from toolyard.text.counted_nouns import ONES, TEENS
from toolyard.text.ordinals import MONTHS, ordinal_day


def plain_text(values: Sequence[Value], *, unit: bool = True) -> str:
    """The first value as data have it, with its unit or without."""
    if not values:
        return "something"
    value = values[0]
    if isinstance(value, Number):
        number = f"{value.number:.10g}"
        return f"{number} {value.unit}" if unit and value.unit not in ("", "share") else number
    if isinstance(value, Day):
        return value.day.isoformat()
    if isinstance(value, Month):
        return f"{MONTHS[value.month - 1].capitalize()} {value.year}"
    if isinstance(value, Clock):
        return f"{value.minutes // 60:02d}:{value.minutes % 60:02d}"
    return value.text


def everyday_text(values: Sequence[Value], style: int) -> str:
    """The first value in one of three other spellings."""
    value = values[0]
    if isinstance(value, Number):
        return _spell_number(value, style)
    if isinstance(value, Day):
        month, day = MONTHS[value.day.month - 1].capitalize(), value.day
        return (
            f"{day.day} {month} {day.year}",
            f"{month} {ordinal_day(day.day)}, {day.year}",
            f"{day:%d.%m.%Y}",
        )[style]
    if isinstance(value, Clock):
        return _spell_time(value, style)
    if isinstance(value, Name):
        return (value.text, value.text.upper() if len(value.text) > 3 else value.text, f'"{value.text}"')[
            style
        ]
    return plain_text(values)


def _spell_number(value: Number, style: int) -> str:
    number = value.number
    whole = number.is_integer()
    if style == 0:
        return f"{number:,.0f}" if whole else f"{number:,.10g}" if abs(number) < 1000 else f"{number:,.2f}"
    if style == 1 and whole and 0 < number < 20 and not value.unit:
        return (*ONES, *TEENS)[int(number)]
    if style == 1:
        return f"**{number:.10g}**"
    if whole or not value.digits:
        return f"{number:.10g}"
    return (
        f"{number:.10g}".replace(".", ",")
        if abs(number) < 1000 and len(f"{number:.10g}".partition(".")[2]) != 3
        else f"{number:.10g}"
    )


def _spell_time(value: Clock, style: int) -> str:
    hour, minute = divmod(value.minutes, 60)
    half = "am" if hour < 12 else "pm"
    twelve = (hour - 1) % 12 + 1
    return (f"{twelve}:{minute:02d} {half}", f"{twelve}:{minute:02d} {half[0]}.m.", f"{hour}:{minute:02d}")[
        style
    ]


def wrong_value(values: Sequence[Value], rivals: Sequence[Value]) -> str:
    """A wrong value of the same kind; another item of its list where there is one."""
    if not values:
        return "Quenby Ostrander"
    value = values[0]
    if isinstance(value, Number):
        other = value.number * 1.17 + 3
        return plain_text(
            (Number(float(round(other)) if value.number.is_integer() else round(other, 2), value.unit),)
        )
    if isinstance(value, Day):
        return (value.day + timedelta(days=9)).isoformat()
    if isinstance(value, Month):
        return plain_text((Month(value.year, value.month % 12 + 1),))
    if isinstance(value, Clock):
        return plain_text((Clock((value.minutes + 95) % 1440),))
    names = [rival for rival in rivals if isinstance(rival, Name)]
    return names[0].text if names else "Quenby Ostrander"
