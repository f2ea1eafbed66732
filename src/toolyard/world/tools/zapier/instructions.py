"""Instructions in plain words, read: the event, mail, row or message that they ask for. What is unclear is a fault."""

import re
from dataclasses import dataclass
from datetime import date, time

from toolyard.world.kernel.faults import ToolFault
from toolyard.world.reference.days import ClockMention, DayMention, find_clock, find_day

OWN_NAME = "Alex Morgan"
_QUOTED = re.compile(r"\"([^\"]{1,2000})\"|“([^”]{1,2000})”|(?<!\w)'((?:[^']|(?<=\w)'(?=\w)){1,2000})'(?!\w)")
_VERB = re.compile(
    r"^(?:please |can you |could you |i want to |i'd like to )*(?:add|create|schedule|book|set up|put|"
    r"make|plan|enter|insert|note|remind)\b"
    r"(?: me)?(?: (?:an?|the|my|new|calendar))*(?: (?:event|entry|appointment|reminder)\b)?(?: (?:for|"
    r"called|named|titled|about|to|of)\b)?",
    re.I,
)
_TRAILING = re.compile(
    r"\b(?:on|at|for|from|to|by|in my calendar|into my calendar|to my calendar|in the calendar|my calendar)\s*$",
    re.I,
)
# The end of an event, of which only the beginning is kept: from 2pm to 3pm.
_UNTIL = re.compile(
    r"\s(?:to|until|till|-|–)\s?(?:\d{1,2}(?::\d{2})? ?(?:am|pm)|\d{1,2}:\d{2}|noon|midnight)(?!\w)", re.I
)
# How long an event lasts, which is not kept either.
_LASTING = re.compile(
    r"\s(?:for|lasting) (?:an?|one|two|three|four|half an?|\d{1,3}(?:\.5)?)(?: and a half)? ?"
    r"(?:hours?|hrs?|h|minutes?|mins?)\b",
    re.I,
)
_PAIR = re.compile(r"([A-Za-z]\w{0,39})\s{0,3}[:=]\s{0,3}(\"[^\"]{1,100}\"|'[^']{1,100}'|[^,;\n'\"]{1,100})")
_LOOSE = re.compile(r"([A-Za-z]\w{0,39})\s+(?:is |of |= ?)?(\S[^,;\n]{0,99})")
_SUBJECT = re.compile(r"\bsubject(?: line)?(?: is|:|=)?\s*(?P<text>[^,.;\n\"']{1,120})", re.I)
_SUBJECT_QUOTE = re.compile(r"\b(?:subject(?: line)?|titled?)(?: is| of| set to|:|=)?\s*[\"'“]", re.I)
_SAYING = re.compile(
    r"\b(?:saying\b|telling (?:him|her|them)\b|to (?:say|tell (?:him|her|them))\b|(?:that|which) says\b|"
    r"asking (?:him|her|them)\b|"
    r"with the (?:text|body|message|content)\b|(?:body|text|message|content)(?: is\b|:|=)|"
    r"and (?:say|tell (?:him|her|them)|ask (?:him|her|them))\b):?\s*(?:that |to )?(?P<text>.+)",
    re.I | re.S,
)
_SHEET = re.compile(r"\b(?:sheet|spreadsheet|table|list)\s+(?P<name>[A-Z]\w{0,40})\b")


@dataclass(frozen=True, slots=True)
class Event:
    """An event to be written into a calendar; without a time it lasts all day."""

    title: str
    day: date
    clock: time | None

    def as_json(self) -> dict[str, str]:
        """As the calendar keeps it."""
        return {
            "title": self.title,
            "date": self.day.isoformat(),
            "time": f"{self.clock:%H:%M}" if self.clock else "all day",
        }


def missing_detail_fault(what: str) -> ToolFault:
    """The fault for instructions that leave something out."""
    return ToolFault("invalid_value", f"the instructions must name {what}", parameter="instructions")


def quoted_texts(text: str) -> list[str]:
    """The texts in quotes; an apostrophe within a word is none."""
    return ["".join(parts) for parts in _QUOTED.findall(text)]


def text_outside_quotes(text: str) -> str:
    """The text around the quotes."""
    return _QUOTED.sub(" ", text)


def parse_event(text: str, today: date) -> Event:
    """The event that instructions ask for: day and time outside of quotes, the title in quotes or what is left."""
    around = text_outside_quotes(text)
    day, clock = parse_when(around, today)
    if day is None:
        raise missing_detail_fault("the day, e.g. 2024-05-20, 20 May, tomorrow or next Friday")
    quotes = quoted_texts(text)
    title = quotes[0] if quotes else _leftover_title(around, day, clock)
    if not title:
        raise missing_detail_fault("the title of the event, e.g. 'Dentist' on 2024-05-20 at 10:30")
    return Event(title[:200], day.day, clock.clock if clock else None)


def parse_when(text: str, today: date) -> tuple[DayMention | None, ClockMention | None]:
    """The day and the time that a text names; a fault where there is no such day or time."""
    try:
        return find_day(text, today), find_clock(text)
    except ValueError as error:
        raise ToolFault(
            "invalid_value",
            f"the instructions name no possible day or time: {error}; say e.g. 2024-05-20 at 15:00",
            parameter="instructions",
        ) from None


def _leftover_title(text: str, day: DayMention, clock: ClockMention | None) -> str:
    spans = sorted([day.span, *([clock.span] if clock else [])], reverse=True)
    for start, end in spans:
        text = f"{_TRAILING.sub('', text[:start].rstrip())} {text[end:]}"
    text = _VERB.sub("", " ".join(_LASTING.sub(" ", _UNTIL.sub(" ", text)).split()).strip(" .!,:;"))
    before = None
    while before != text:
        before, text = text, _TRAILING.sub("", text.strip(" .!,:;"))
    return text.strip()


def parse_mail(text: str) -> tuple[str, str]:
    """Subject and body of the mail that instructions ask for: in quotes, or behind "subject" and "saying that"."""
    quotes = quoted_texts(text)
    if len(quotes) > 1:
        # The quotation behind the word subject is the subject, wherever it stands.
        marked = _SUBJECT_QUOTE.search(text)
        about = next(iter(quoted_texts(text[marked.end() - 1 :])), quotes[0]) if marked else quotes[0]
        return about, next((quote for quote in quotes if quote != about), quotes[1])
    subject = quotes[0] if quotes and _SUBJECT_QUOTE.search(text) else None
    said = quotes[0] if quotes and subject is None else _message_text(text_outside_quotes(text))
    if said is None and "thank" in text.lower():
        return subject or "Thank you", f"Hello,\n\nthank you very much for your help.\n\n{OWN_NAME}"
    if said is None:
        raise missing_detail_fault(
            "what the mail says, e.g. subject 'Minutes', text 'Here they are.', or saying that ..."
        )
    if subject is None:
        named = _SUBJECT.search(text_outside_quotes(text))
        words = said.split()
        subject = named["text"].strip() if named else " ".join(words[:8]) + ("..." if len(words) > 8 else "")
    return subject, said if quotes and said == quotes[0] else f"Hello,\n\n{said}\n\n{OWN_NAME}"


def _message_text(text: str) -> str | None:
    """What a mail shall say: what follows "saying that", "body:" and the like."""
    match = _SAYING.search(text)
    match = match or re.search(r"@\S+\s+that\s+(?P<text>\S.+)", text, re.S)
    said = match["text"].strip() if match else ""
    return said[0].upper() + said[1:] if said else None


# Where a row goes, behind its last cell: "age: 31 to the sheet".
_WHERE = re.compile(
    r"\s+(?:to|into|in|on)(?:\s+(?:the|my|our|a))?\s*(?:(?:\S+\s+)?(?:sheet|spreadsheet|table)\b.*)?$", re.I
)


def parse_row(text: str) -> tuple[str, dict[str, str]]:
    """The sheet and the cells of a row: name: value pairs, or name value, name value behind a colon."""
    pairs = {match[1].lower(): _WHERE.sub("", match[2]).strip(" .'\"") for match in _PAIR.finditer(text)}
    cells = {name: value for name, value in pairs.items() if value and name not in ("sheet", "row")}
    quotes = [quote for quote in quoted_texts(text) if quote not in cells.values()]
    named = _SHEET.search(text)
    sheet = quotes[0] if quotes else named["name"] if named else "Sales"
    if cells:
        return sheet, cells
    _, colon, listed = _QUOTED.sub("~", text).partition(":")
    parts = [_LOOSE.fullmatch(part.strip(" .")) for part in re.split(r",|;| and ", listed)] if colon else []
    cells = {part[1].lower(): part[2].strip() for part in parts if part}
    if not cells or len(cells) < len(parts):
        raise missing_detail_fault("the cells as name: value, e.g. month: 2024-05, units: 150")
    return sheet, cells
