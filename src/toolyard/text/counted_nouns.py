"""English number words."""

ONES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
TEENS = (
    "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
SMALL_NUMBERS = {word: number for number, word in enumerate((*ONES, *TEENS))}


def how_many(count: int, noun: str) -> str:
    """`1 sample`, `2,000 samples`: a regular noun in its number."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
