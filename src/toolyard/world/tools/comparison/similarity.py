"""Comparison/Text_Similarity_Calculator: how alike two texts are, by four measures."""

import math
import re
from collections import Counter
from typing import Annotated, TypedDict

from toolyard.world.index import words
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.types import Prose, Range

GROUP = Group("Comparison/Text_Similarity_Calculator")
Text = Annotated[Prose, Range(0, 20_000)]


# Chinese, Japanese and Korean signs, which are written without blanks: each counts as a word.
_SIGNS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def _space_out_signs(text: str) -> str:
    return _SIGNS.sub(lambda sign: f" {sign[0]} ", text)


class Similarity(TypedDict):
    percentage: float
    edit_distance: int
    character_percentage: float
    word_overlap_percentage: float
    word_cosine_percentage: float


@GROUP.tool(
    examples=[
        {
            "text1": "The quick brown fox jumps over the lazy dog",
            "text2": "The fast brown fox leaps over the lazy hound",
        },
        {"text1": "123456", "text2": "abcdefg"},
    ],
    phrase=(
        "tell me in per cent how similar two texts are, the first being {text1} and the second being {text2}"
    ),
    noun="the text similarity result",
)
def calculate_similarity(*, text1: Text, text2: Text) -> Similarity:
    """How similar two texts are in per cent: the mean of the character and the word cosine measure, with the parts.

    Case counts only for characters; small words such as the, a and of are left out of the measures of words.

    text1: First text.
    text2: Second text.
    """
    from rapidfuzz.distance import Indel, Levenshtein

    one, other = (Counter(words(_space_out_signs(text))) for text in (text1, text2))
    characters = Indel.normalized_similarity(text1, text2)
    shared = sum((one & other).values())
    union = sum((one | other).values())
    overlap = shared / union if union else float(text1 == text2)
    length = math.sqrt(sum(n * n for n in one.values()) * sum(n * n for n in other.values()))
    cosine = sum(one[word] * other[word] for word in one) / length if length else float(text1 == text2)
    return {
        "percentage": round(50 * (characters + cosine), 2),
        "edit_distance": Levenshtein.distance(text1, text2),
        "character_percentage": round(100 * characters, 2),
        "word_overlap_percentage": round(100 * overlap, 2),
        "word_cosine_percentage": round(100 * cosine, 2),
    }
