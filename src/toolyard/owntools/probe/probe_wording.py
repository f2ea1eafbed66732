"""Requests in people's words, made from what a tool does rather than from how its document puts it."""

import json
import re
from collections.abc import Mapping, Sequence
from random import Random

from toolyard.core.types import JsonValue
from toolyard.owntools.document_wording import join_words
from toolyard.owntools.mirror.mirror_plan import ToolPlan
from toolyard.owntools.probe.probe_steps import Step, StepChain
from toolyard.owntools.tool_meaning import plural_noun, with_article
from toolyard.text.names import name_in_words, name_words

_PHRASES: Mapping[str, tuple[str, ...]] = {
    "create": ("create a new {noun}", "add {a_noun}", "set up {a_noun}"),
    "read": ("show me the {noun}", "open the {noun}", "look up the {noun}"),
    "list": ("list the {nouns}", "show me all {nouns}", "give me every {noun} there is"),
    "search": ("search the {nouns}", "look through the {nouns}", "find {nouns}"),
    "update": ("change the {noun}", "update the {noun}", "edit the {noun}"),
    "delete": ("delete the {noun}", "remove the {noun}", "get rid of the {noun}"),
}
_ASKING = ("", "", "Please ", "Could you ", "I would like you to ")
_NEXT = ("Then ", "After that, ", "Next, ", "Once that is done, ")
_CHANGING = ("Sorry, make that {value} for the {words}.", "Actually, the {words} should be {value}.",
             "On second thought, take {value} as the {words}.")  # fmt: skip
_THANKS = ("Thanks, that is all for now.", "Great, thank you very much!", "Perfect, that helps me a lot.")
_SENTENCE = re.compile(r"(.{12,160}?)[.;:(\n]|(.{12,160})$")
_VERB_END = re.compile(r"^(.{2,}?)(ies|ches|shes|sses|xes|s)$")
_VERBS = frozenset(
    "return get convert compute find list fill wrap remove collapse divide count calculate show estimate add create run "
    "send read write search fetch check make set start stop open close move copy merge split sort format parse".split()
)
_ARTICLES = frozenset("the a an all every one this these your my some".split())
_BEFORE_ARTICLES = frozenset("for with if when is are of in on to from both not by as".split())
_NO_VERBS = frozenset("this class status access series analysis".split())


def value_text(value: JsonValue) -> str:
    """A value as people write it."""
    if isinstance(value, str):
        return f'"{value}"' if not value or re.search(r"[\s,.]", value) or not value[0].isalnum() else value
    return json.dumps(value, ensure_ascii=False)


def phrase_imperative(plan: ToolPlan, rng: Random) -> str:
    """What is to be done, as an imperative without values."""
    noun = plan.meaning.noun
    if plan.table and plan.meaning.status:
        return f"have the {noun} {plan.meaning.status}"
    if plan.table and plan.kind in _PHRASES:
        words = rng.choice(_PHRASES[plan.kind])
        return words.format(noun=noun, nouns=plural_noun(noun), a_noun=with_article(noun))
    return _imperative_words(plan)


def _imperative_words(plan: ToolPlan) -> str:
    """The first words of the description, or the words of the name where there is none or the two contradict."""
    tool = plan.tool
    found = None if plan.meaning.contradicts else _SENTENCE.match(tool.description)
    text = (found[1] or found[2]).strip() if found else ""
    if not text:
        words = name_words(tool.name) or [tool.name]
        return (
            " ".join(words)
            if plan.meaning.named or _base_of_verb(words[0])
            else f"work out the {' '.join(words)}"
        )
    first, _, rest = text.partition(" ")
    verb = _leading_verb(first.lower(), rest)
    if verb is None:
        article = "" if first.lower() in _ARTICLES else "the "
        return f"work out {article}{text[0].lower()}{text[1:]}"
    return f"{verb} {rest}"


def _leading_verb(word: str, rest: str) -> str | None:
    """The verb that a description begins with: "litres of water" has none, "lend a copy" has, whatever it is."""
    following = rest.split(" ", 1)[0].lower()
    if following == "of":
        return None
    if following in _ARTICLES and word.isalpha() and word not in _ARTICLES | _BEFORE_ARTICLES:
        return _base_of_verb(word) or word
    return _base_of_verb(word)


def _base_of_verb(word: str) -> str | None:
    """The plain form of a verb in the third person (`returns`, `applies`), or of one that is plain already."""
    if word in _NO_VERBS or not word.isalpha():
        return None
    if word in _VERBS:
        return word
    found = _VERB_END.match(word)
    if found is None:
        return word if word.endswith(("ate", "ute", "ert", "ect")) else None
    stem, ending = found[1], found[2]
    return (
        f"{stem}y"
        if ending == "ies"
        else f"{stem}{ending[:-2]}"
        if len(ending) == 4
        else stem + ending[:-1].replace("e", "")
    )


def phrase_request(
    plan: ToolPlan,
    step: Step,
    rng: Random,
    *,
    without: Sequence[str] = (),
    said: Mapping[str, JsonValue] | None = None,
) -> str:
    """One step as an imperative with every value that the user gives; what was `said` before is "the same"."""
    text = phrase_imperative(plan, rng)
    key = plan.meaning.key
    parts = []
    for name, value in step.arguments.items():
        if name in without or name in step.links:
            continue
        again = said is not None and name in said and said[name] == value
        words = f"the same {name_in_words(name)}" if again else f"{name_in_words(name)} {value_text(value)}"
        if name == key and plan.table and plan.kind != "create":
            text += f" with {words}" if again else f" with the {words}"
        else:
            parts.append(words)
    if not parts:
        return text
    joint = ", with" if key in step.arguments else " with"
    if plan.kind == "update" and plan.table:
        joint = " so that it has"
    return f"{text}{joint} {join_words(parts)}"


def end_as_sentence(text: str) -> str:
    """The text with a capital and an end."""
    text = text.strip()
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith((".", "?", "!")) else ".")


def user_request(text: str, rng: Random) -> str:
    """An imperative as a user puts it."""
    opening = rng.choice(_ASKING)
    return end_as_sentence(f"{opening}{text}{'?' if opening == 'Could you ' else ''}")


def chain_request(plans: Mapping[str, ToolPlan], chain: StepChain, rng: Random) -> str:
    """A whole chain in a few sentences; what a later step takes from an earlier one is said."""
    said: list[str] = []
    named: dict[str, JsonValue] = {}
    for place, step in enumerate(chain.steps):
        text = phrase_request(plans[step.tool], step, rng, said=named)
        named |= step.arguments
        for name, link in step.links.items():
            source = plans[chain.steps[link.step].tool]
            from_which = "that" if link.step == place - 1 else f"the {_result_noun(source)} above"
            text += f", using the {name_in_words(link.field if link.field != 'result' else name)} from {from_which}"
        said.append(user_request(text, rng) if place == 0 else end_as_sentence(rng.choice(_NEXT) + text))
    return " ".join(said)


def _result_noun(plan: ToolPlan) -> str:
    return plan.meaning.noun or name_in_words(plan.tool.name)


def missing_value_question(parameter: str) -> str:
    """What an assistant asks when a value is missing."""
    return f"Which {name_in_words(parameter)} should I use?"


def given_later(parameter: str, value: JsonValue) -> str:
    """The user's answer to that."""
    return f"The {name_in_words(parameter)} is {value_text(value)}."


def value_correction(parameter: str, value: JsonValue, rng: Random) -> str:
    """The user changes a value."""
    return rng.choice(_CHANGING).format(value=value_text(value), words=name_in_words(parameter))


def thanking_turn(rng: Random) -> str:
    """A turn that needs no call."""
    return rng.choice(_THANKS)
