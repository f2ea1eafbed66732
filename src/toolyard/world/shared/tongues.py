"""Which language a text is in: by script, else by the letter triples of our own sample sentences."""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Mapping

SAMPLES: Mapping[str, str] = {
    "en": "the people of this town went to the market with their children and bought some bread and cheese as it was "
    "the day before the holiday and nothing would be left in the house when the shops were closed what is your name "
    "hello thank you where is the station this is what I think about that there were things which could have been",
    "fr": "les gens de cette ville sont allés au marché avec leurs enfants et ont acheté du pain et du fromage parce que "
    "c'était la veille de la fête et il n'y aurait plus rien à la maison quand les magasins seraient fermés comment "
    "vous appelez vous bonjour merci où est la gare je ne sais pas ce que nous pouvons faire pour elle dans cette maison",
    "es": "la gente de esta ciudad fue al mercado con sus hijos y compró pan y queso porque era el día antes de la fiesta y "
    "no quedaría nada en la casa cuando las tiendas estuvieran cerradas cómo te llamas hola gracias dónde está la "
    "estación no sé qué podemos hacer para ella en esta casa los niños están muy contentos con el perro",
    "de": "die menschen dieser stadt gingen mit ihren kindern auf den markt und kauften brot und käse weil es der tag vor "
    "dem fest war und nichts mehr im haus sein würde wenn die geschäfte geschlossen sind wie heißt du hallo danke wo ist "
    "der bahnhof ich weiß nicht was wir für sie tun können in diesem haus sind die kinder sehr glücklich mit dem hund",
    "it": "la gente di questa città andò al mercato con i propri figli e comprò pane e formaggio perché era il giorno prima "
    "della festa e non ci sarebbe stato più niente in casa quando i negozi fossero chiusi come ti chiami ciao grazie "
    "dove è la stazione non so che cosa possiamo fare per lei in questa casa i bambini sono molto felici con il cane",
    "pt": "as pessoas desta cidade foram ao mercado com os seus filhos e compraram pão e queijo porque era o dia antes da "
    "festa e não haveria mais nada em casa quando as lojas estivessem fechadas como você se chama olá obrigado onde "
    "fica a estação não sei o que podemos fazer para ela nesta casa as crianças estão muito felizes com o cão",
}
_SCRIPTS = (
    ("ja", "\u3040", "\u30ff"),
    ("ko", "\uac00", "\ud7a3"),
    ("zh", "\u4e00", "\u9fff"),
    ("ru", "\u0400", "\u04ff"),
    ("ar", "\u0600", "\u06ff"),
    ("el", "\u0370", "\u03ff"),
    ("hi", "\u0900", "\u097f"),
)


def _triples(text: str) -> Counter[str]:
    padded = f"  {' '.join(text.lower().split())}  "
    return Counter(padded[n : n + 3] for n in range(len(padded) - 2))


@functools.cache
def _profiles() -> Mapping[str, tuple[Counter[str], int]]:
    found = {language: _triples(text) for language, text in SAMPLES.items()}
    return {language: (counts, sum(counts.values())) for language, counts in found.items()}


def language_of(text: str) -> str:
    """The code of the likeliest language; English where there is nothing to go by."""
    sample = text[:2000]
    for language, first, last in _SCRIPTS:
        # Japanese is written with Chinese signs too: a few syllable signs settle it.
        if any(first <= sign <= last for sign in sample):
            return language
    if not any(sign.isalpha() for sign in sample):
        return "en"
    wanted = _triples(sample)
    scores = {
        language: sum(n * math.log((counts[triple] + 0.05) / (total + 60)) for triple, n in wanted.items())
        for language, (counts, total) in _profiles().items()
    }
    return max(scores, key=lambda language: (round(scores[language], 9), language == "en"))
