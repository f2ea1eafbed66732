"""A row to train on: a prompt as the evaluation sends it, and the answer that scores 1 there.

    {"id": "mtu/M-S_12_1", "messages": [{"role": "user", "content": "..."}, {"role": "assistant", "content": "..."}],
     "source": "mtu/sgd", "part": "mtu", "group": "M-S call", "renamed": false, "train": "last"}

Only the last message is trained on; it is always the assistant's.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from toolyard.core.types import JsonValue, Message

CHARACTERS_PER_TOKEN = 3.5


@dataclass(frozen=True, slots=True)
class TrainingRow:
    """One row: `part` is the benchmark whose form it has, `group` its place there, `source` where its content is from."""

    id: str
    part: str
    group: str
    source: str
    prompt: tuple[Message, ...]
    answer: str
    renamed: bool = False

    @property
    def characters(self) -> int:
        """The length of all messages."""
        return sum(len(message.content) for message in self.prompt) + len(self.answer)

    @property
    def tokens(self) -> int:
        """An estimate of its tokens."""
        return estimate_tokens(self.characters)

    def to_json(self) -> dict[str, JsonValue]:
        """The row as it is written."""
        said = [{"role": message.role, "content": message.content} for message in self.prompt]
        return {
            "id": self.id,
            "messages": [*said, {"role": "assistant", "content": self.answer}],
            "source": f"{self.part}/{self.source}",
            "part": self.part,
            "group": self.group,
            "renamed": self.renamed,
            "train": "last",
        }


def estimate_tokens(characters: int) -> int:
    """About how many tokens so many characters are."""
    return round(characters / CHARACTERS_PER_TOKEN)


def row_texts(row: TrainingRow) -> Sequence[str]:
    """Everything that is said in a row."""
    return [*(message.content for message in row.prompt), row.answer]
