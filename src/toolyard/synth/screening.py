"""Text that speaks to a model instead of describing a tool, a task or a result.

Such text is shown to other models, by later stages and by every run on the data. What is found here is what gives
itself away; the prompts also mark all foreign text as data.
"""

import re
import unicodedata

from toolyard.text.templates import PLACE

_ADDRESSING = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass) (?:all |any |every )?(?:of )?(?:the |your |my |these |those )?"
    r"(?:previous|prior|above|earlier|preceding|system|other) (?:instruction|prompt|message|rule|text|direction|and|task)"
    r"|\b(?:ignore|disregard|forget) (?:all |any )?(?:your |the )?(?:instructions|rules|guidelines)\b"
    r"|\b(?:previous|prior|new|above|hidden|secret) instructions\b"
    r"|\b(?:system|developer) (?:prompt|message)\b"
    r"|\byou are (?:now|(?:now )?(?:an? )?(?:ai|assistant|language model|large language model|chatbot))\b"
    r"|\b(?:output|print|respond|reply|answer|say|write)(?: with)? (?:only|just|nothing but|exactly)\b"
    r"|\bjailbreak\b|\bas an ai\b"
)
_MARKERS = ("```", "<|", "|>", "[inst]", "[/inst]", "<<sys>>", "<</sys>>", "### instruction", "### response")
_TAGS = re.compile(
    r"</?(?:field|example|tools|calls|values|task|query|system|user|assistant|think|answer|provided_tools?)>"
)
_TURN = re.compile(r"^[ \t]*(?:system|assistant|human)[ \t]*:", re.MULTILINE)


def addresses_model(text: str) -> bool:
    """Whether a text gives orders to its reader, or carries marks of a prompt."""
    plain = unicodedata.normalize("NFKC", text).lower()
    # Characters that nobody sees would split the words that are looked for.
    plain = "".join(character for character in plain if unicodedata.category(character) != "Cf")
    if PLACE.search(plain) or _TAGS.search(plain) or _TURN.search(plain):
        return True
    if any(marker in plain for marker in _MARKERS):
        return True
    return _ADDRESSING.search(" ".join(plain.replace("_", " ").split())) is not None
