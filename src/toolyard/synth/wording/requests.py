"""The user's request for a whole chain, written by grammar, and what of the chain a text does not say.

First, find the capital of Peru, then look up the weather forecast for that capital.
List vegan recipes. Using the first recipe id from the list of recipes, show the recipe with that recipe id.
"""

from collections.abc import Iterator, Sequence
from random import Random

from toolyard.synth.chains.chain import Chain, ResultReference
from toolyard.synth.chains.projection import field
from toolyard.synth.wording.phrasing import reference_words, says_that_thing, step_noun, step_request
from toolyard.text.names import capitalise

_OPENINGS = ("", "", "", "Please ", "Please ", "I need you to ", "I would like you to ", "I want you to ")
_ASKING = ("Could you ", "Can you ", "Would you ", "Could you please ")
_NEXT = ("Then ", "Next, ", "After that, ", "Once you have that, ", "With that done, ")
_LAST = ("Finally, ", "To finish, ", "As the last step, ", "At the end, ")
_APART = ("Also, ", "Separately, ", "Besides that, ", "In addition, ", "Independently of that, ")
_USING = ("Using {0}, ", "With {0}, ", "Take {0} and ", "Based on {0}, ")
_FLOWS = (
    ("First, ", ", then ", ", and finally "),
    ("First ", ", next ", ", and at the end "),
    ("", ", then ", ", and after that "),
    ("Please ", ", after that ", ", and lastly "),
)
# Longer steps are not strung together in one sentence.
_LONGEST_FLOW = 260


def chain_query(chain: Chain, rng: Random) -> str:
    """The whole request of a user who wants this chain done; says every literal value."""
    plain = [step_request(step, chain, rng) for step in chain.steps]
    smooth = sum(map(len, plain)) <= _LONGEST_FLOW and not any(_breaks_sentence(text) for text in plain)
    if smooth and _is_linked(chain) and rng.random() < 0.4:
        return _one_sentence(plain, rng)
    return " ".join(_sentences_of_steps(chain, plain, rng))


def _breaks_sentence(text: str) -> bool:
    return any(sign in text for sign in ('"', "\n", ": ", "; "))


def _is_linked(chain: Chain) -> bool:
    """Whether every step but the first uses an earlier one."""
    return all(step.references for step in chain.steps[1:])


def _one_sentence(plain: Sequence[str], rng: Random) -> str:
    """All steps in one sentence."""
    asking = rng.random() < 0.25
    flow = (rng.choice(_ASKING), ", then ", ", and finally ") if asking else rng.choice(_FLOWS)
    joints = [flow[0], *[flow[1]] * (len(plain) - 2), flow[2] if len(plain) > 2 else ", and then "]
    body = "".join(joint + text for joint, text in zip(joints, plain, strict=True))
    return f"{body}?" if asking else _end_sentence(capitalise(body))


def _sentences_of_steps(chain: Chain, plain: Sequence[str], rng: Random) -> Iterator[str]:
    """One sentence per step."""
    asking = rng.random() < 0.15 and not _breaks_sentence(plain[0])
    first = rng.choice(_ASKING if asking else _OPENINGS) + plain[0]
    yield f"{first}?" if asking else _end_sentence(capitalise(first))
    used: list[str] = []
    for index in range(1, len(plain)):
        sentence = _using_sentence(chain, index, rng) if rng.random() < 0.35 else None
        if sentence is None:
            opening = rng.choice([known for known in _joining_words(chain, index) if known not in used])
            used.append(opening)
            sentence = opening + plain[index]
        yield _end_sentence(capitalise(sentence))


def _joining_words(chain: Chain, index: int) -> Sequence[str]:
    """Ways to begin a later step; one that uses nothing is marked as standing apart."""
    if not chain.steps[index].references:
        return _APART
    last = index == len(chain.steps) - 1 and index > 1
    return (*_LAST, "Then ") if last else _NEXT


def _using_sentence(chain: Chain, index: int, rng: Random) -> str | None:
    """`Using the X from the Y, ... that X` for a step that refers to one earlier step only and says no other X."""
    step = chain.steps[index]
    references = list(dict.fromkeys(step.references.values()))
    if len({reference.step for reference in references}) != 1:
        return None
    if any(says_that_thing(step, reference, chain) for reference in references):
        return None
    body = step_request(step, chain, rng, shortened=frozenset(step.references))
    return rng.choice(_USING).format(_join_references(references, chain)) + body


def _join_references(references: Sequence[ResultReference], chain: Chain) -> str:
    """Several fields of one step in one phrase: `the latitude and longitude from the city facts`."""
    source = references[0].step
    if len(references) == 1:
        return reference_words(references[0], chain)
    tool = chain.steps[source].tool
    known = [field(tool, reference.field) for reference in references]
    words = [item.words for item in known if item is not None]
    first = "first " if all(item is not None and item.of_first for item in known) else ""
    return f"the {first}{', '.join(words[:-1])} and {words[-1]} from {step_noun(chain, source)}"


def _end_sentence(text: str) -> str:
    return text if text.rstrip('"').endswith((".", "!", "?")) else f"{text}."
