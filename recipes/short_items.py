"""Two hundred short questions with one exact answer each, to see what a training costs elsewhere.

    python recipes/short_items.py items.jsonl                  # the same seed gives the same items
    python recipes/rejection_sampling.py measure items.jsonl MODEL answers.jsonl

A third each of arithmetic, values read out of a text, and a form that is asked for. The answer counts where it is the last
line of what the model says, but for marks around it and a full stop; the prompt says so.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from random import Random

ITEMS = 200
ASKED = "{0}\nGive only the answer on the last line, without further words."
NAMES = ("Ada", "Bjorn", "Chidi", "Dalia", "Emeka", "Farah", "Goran", "Hanna", "Ines", "Jonas")
TOWNS = ("Bergen", "Lagos", "Quito", "Hanoi", "Turin", "Perth", "Lyon", "Kobe")
WORDS = ("river", "lamp", "stone", "cloud", "bread", "chair", "glass", "tiger", "paper", "green")


def arithmetic(rng: Random) -> tuple[str, str]:
    """A sum, a difference, a product, a division without rest, a share or both."""
    one, two, small = rng.randint(12, 99), rng.randint(12, 99), rng.randint(3, 12)
    share = rng.choice((5, 10, 20, 25, 50))
    pens = f"{small} boxes hold {one} pens each and {two} pens lie beside them. How many pens are there?"
    asked: dict[str, int] = {
        f"What is {one} + {two}?": one + two,
        f"What is {one + two} - {two}?": one,
        f"What is {one} * {small}?": one * small,
        f"What is {one * small} divided by {small}?": one,
        f"What is {share} percent of {100 * small}?": share * small,
        pens: small * one + two,
    }
    question, answer = rng.choice(list(asked.items()))
    return question, str(answer)


def extraction(rng: Random) -> tuple[str, str]:
    """A value out of a short text with several of its kind."""
    people, towns = rng.sample(NAMES, 3), rng.sample(TOWNS, 3)
    codes = [f"{letter}{rng.randint(100, 999)}" for letter in rng.sample("KLMRT", 3)]
    facts = zip(people, towns, codes, strict=True)
    text = " ".join(f"{name} from {town} has booking {code}." for name, town, code in facts)
    at = rng.randrange(3)
    asked = {
        f"Which booking does {people[at]} have?": codes[at],
        f"Where is {people[at]} from?": towns[at],
        f"Who has booking {codes[at]}?": people[at],
    }
    question, answer = rng.choice(list(asked.items()))
    return f"{text}\n{question}", answer


def form(rng: Random) -> tuple[str, str]:
    """Words or a date in a form that is asked for."""
    words = rng.sample(WORDS, 3)
    listed = ", ".join(words)
    year, month, day = rng.randint(2001, 2029), rng.randint(1, 12), rng.randint(1, 28)
    asked = {
        f"Write these words in capital letters with single spaces between them: {listed}": " ".join(words).upper(),
        f"Write these words in alphabetical order with commas and no spaces between them: {listed}": ",".join(sorted(words)),
        f"Write these words in reverse order with semicolons and no spaces between them: {listed}": ";".join(words[::-1]),
        f"Write a JSON list, without spaces, of these words in order: {listed}": json.dumps(words, separators=(",", ":")),
        f"Write the date {day}/{month}/{year} (day/month/year) as YYYY-MM-DD.": f"{year}-{month:02}-{day:02}",
    }  # fmt: skip
    question, answer = rng.choice(list(asked.items()))
    return question, answer


KINDS: tuple[Callable[[Random], tuple[str, str]], ...] = (arithmetic, extraction, form)


def items(seed: int = 0, count: int = ITEMS) -> list[dict[str, object]]:
    """The questions with their answers, the kinds in turn, no question twice."""
    rng = Random(seed)
    found: dict[str, dict[str, object]] = {}
    while len(found) < count:
        kind = KINDS[len(found) % len(KINDS)]
        question, answer = kind(rng)
        messages = [{"role": "user", "content": ASKED.format(question)}]
        item = {
            "benchmark": f"short {kind.__name__}",
            "seed": len(found),
            "messages": messages,
            "answer": answer,
        }
        found.setdefault(question, item)
    return list(found.values())


def earned(text: str, answer: str) -> float:
    """1 where the last line is the answer."""
    lines = text.strip().splitlines() or [""]
    return float(lines[-1].strip(" `*").removesuffix(".") == answer)


def main() -> None:
    """Writes the items."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    given.out.write_text("".join(json.dumps(item) + "\n" for item in items(given.seed)), encoding="utf-8")


if __name__ == "__main__":
    main()
