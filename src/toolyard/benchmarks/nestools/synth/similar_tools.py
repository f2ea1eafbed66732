"""Distractors for records from the world: tools that sound like what is asked for and can do the job of no call.

Siblings of the same service come first, then whatever shares words with the request. Each is tried in place of
every gold call (`substitutes.does`): similarity alone would offer tools that answer the request as well as the gold
ones do, and a model that calls one of those would be marked wrong.
"""

import functools
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from toolyard.benchmarks.nestools.data.distractors import PER_GOLD_TOOL, is_distinct_name
from toolyard.synth.chains.chain import Chain
from toolyard.synth.chains.rivals import are_near, tells_some
from toolyard.synth.chains.substitutes import can_replace, chain_jobs
from toolyard.text.names import name_in_words
from toolyard.world.kernel.naming import short_names
from toolyard.world.kernel.phrase import speakable
from toolyard.world.kernel.registry import copies, library

# Of every five distractors so many are neighbours of gold tools; the others answer to the words of the request.
NEIGHBOURS = 3
# What likeness to a gold tool counts beside shared words: a tool of another field is soon told apart.
LIKENESS = 6.0
_WORD = re.compile(r"[a-z]+")
_LONG = 4


@functools.cache
def names() -> Mapping[str, str]:
    """Tool id -> the name it has in every record."""
    return {tool_id: name for name, tool_id in short_names(tuple(speakable())).items()}


@functools.cache
def pool() -> tuple[str, ...]:
    """The tools that may be offered: all but copies of others and those that could be bent to almost anything."""
    return tuple(
        tool for tool, known in speakable().items() if tool not in copies() and not known.facts.general
    )


def draw_similar_tools(chain: Chain, text: str, number: int = 0) -> tuple[str, ...]:
    """So many tools, or five per gold tool; fewer where no more may be offered."""
    gold = tuple(dict.fromkeys(step.tool for step in chain.steps))
    number = number or PER_GOLD_TOOL * len(gold)
    gold_names = [names()[tool] for tool in gold]
    wanted = chain_jobs(chain)
    chosen: list[str] = []
    # In a long list most tools are about something else: only those are tried that return anything alike.
    may_do = may_find_out if number > PER_GOLD_TOOL * len(gold) else lambda *_: True

    def take(candidates: Iterator[str], up_to: int) -> None:
        for other in candidates:
            if len(chosen) >= up_to:
                return
            fits = other not in chosen and other not in gold and is_distinct_name(names()[other], gold_names)
            if fits and not any(may_do(other, job.tool) and can_replace(other, job) for job in wanted):
                chosen.append(other)

    for place, tool in enumerate(gold, 1):
        take(iter(nearest_neighbours(tool)), place * number * NEIGHBOURS // (PER_GOLD_TOOL * len(gold)))
    take(_rank_by_request(text, gold), number)
    return tuple(chosen)


@functools.cache
def may_find_out(other: str, needed: str) -> bool:
    """Whether a tool is about things of the same kind, returns anything of what the other does, or may be bent to it."""
    return are_near(other, needed) or tells_some(other, needed)


@functools.cache
def nearest_neighbours(tool: str) -> tuple[str, ...]:
    """The pool by falling similarity of words, tools of the same service first."""
    own = _word_weights()[tool]
    service = tool.rsplit("/", 1)[0]

    def rank(other: str) -> tuple[bool, float]:
        return not other.startswith(f"{service}/"), -_cosine_of_words(own, _word_weights()[other])

    return tuple(sorted(pool(), key=rank))


def _rank_by_request(text: str, gold: Sequence[str]) -> Iterator[str]:
    """The pool by the words that its tools share with the request, rare ones counting more, and by likeness to gold."""
    said = {word for word in _stems_of_words(text) if len(word) >= _LONG}
    scores = {
        tool: math.fsum(weight for word, weight in _rarity_of_words(tool).items() if word in said)
        + LIKENESS * max(_cosine_of_words(_word_weights()[tool], _word_weights()[other]) for other in gold)
        for tool in pool()
    }
    yield from sorted(scores, key=lambda tool: -scores[tool])


def _cosine_of_words(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    return math.fsum(weight * other[word] for word, weight in one.items() if word in other)


@functools.cache
def _rarity_of_words(tool: str) -> Mapping[str, float]:
    """The words of a tool, each weighing more the fewer tools have it."""
    having = _document_frequencies()
    return {word: math.log(len(speakable()) / having[word]) for word in sorted(set(_words_of_tool(tool)))}


@functools.cache
def _document_frequencies() -> Mapping[str, int]:
    return Counter(word for tool in speakable() for word in set(_words_of_tool(tool)))


@functools.cache
def _word_weights() -> Mapping[str, Mapping[str, float]]:
    """Tool -> its words as a vector of length one."""
    found = {}
    for tool in speakable():
        weights = _rarity_of_words(tool)
        length = math.sqrt(math.fsum(weight * weight for weight in weights.values())) or 1.0
        found[tool] = {word: weight / length for word, weight in weights.items()}
    return found


def _words_of_tool(tool: str) -> Sequence[str]:
    """The words of name, category and description."""
    return list(
        _stems_of_words(name_in_words(tool.replace("/", " ")) + " " + library()[tool].document.description)
    )


def _stems_of_words(text: str) -> Iterator[str]:
    """Words without a plural's ending."""
    for word in _WORD.findall(text.casefold()):
        yield word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
