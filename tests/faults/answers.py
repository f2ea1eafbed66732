"""Sound answers as a function of the request: the oracle's for many, wrong, empty and senseless ones for the rest."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CHARACTERS_PER_TOKEN = 4
CHATTER = "I am afraid that I cannot help with that."


@dataclass(frozen=True, slots=True)
class Told:
    """An answer and the tokens that were read and written for it."""

    text: str
    read: int
    written: int


@dataclass(frozen=True, slots=True)
class AnswerBook:
    """The oracle's answer to each prompt that it was asked, and all of its answers as a stock of wrong ones."""

    known: Mapping[str, str]
    stock: tuple[str, ...]

    def answer(self, body: Mapping[str, Any]) -> Told:
        """The one answer to this request."""
        text = self._text(body["messages"], body.get("seed"))
        characters = sum(len(message["content"] or "") for message in body["messages"])
        return Told(text, tokens(characters), tokens(len(text)))

    def _text(self, messages: list[dict[str, Any]], seed: object) -> str:
        prompt = prompt_key(messages)
        drawn = int(hashlib.sha256(f"{prompt}/{seed}".encode()).hexdigest(), 16)
        if "Evaluation Score" in messages[0]["content"]:
            return f"Scoring Reason: as it is.\nEvaluation Score: {drawn % 10 + 1}"
        choice, place = drawn % 100, drawn // 100
        if choice < 55 and prompt in self.known:
            return self.known[prompt]
        if choice < 62:
            return ""
        if choice < 70 or not self.stock:
            return CHATTER
        return self.stock[place % len(self.stock)]


def tokens(characters: int) -> int:
    """Tokens of a text of that length, at four characters each."""
    return -(-characters // CHARACTERS_PER_TOKEN)


def prompt_key(messages: Iterable[Mapping[str, Any]]) -> str:
    """A digest of roles and contents."""
    turns = [[message["role"], message["content"]] for message in messages]
    return hashlib.sha256(json.dumps(turns).encode()).hexdigest()


def read_book(transcripts: Path) -> AnswerBook:
    """What the oracle said in a run, prompt by prompt."""
    known: dict[str, str] = {}
    for line in transcripts.read_text(encoding="utf-8").splitlines():
        messages = json.loads(line)["messages"]
        for place, message in enumerate(messages):
            if message["role"] == "assistant":
                known[prompt_key(messages[:place])] = message["content"]
    return AnswerBook(known, tuple(sorted(set(known.values()))))
