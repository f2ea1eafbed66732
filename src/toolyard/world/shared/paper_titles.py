"""What a query for papers is about: its subject as titles write it, and the field of research that it belongs to."""

from __future__ import annotations

import re

from toolyard.world.reference.wordnet import senses
from toolyard.world.shared.entries import named
from toolyard.world.shared.entry import Entry
from toolyard.world.shared.subjects import spelled
from toolyard.world.tables import plain

_FIELDS = {
    "health": "Medicine", "animals": "Biology", "plants": "Biology", "biology": "Biology", "chemistry": "Chemistry",
    "physics": "Physics", "space": "Physics", "mathematics": "Mathematics", "computing": "Computer Science",
    "technology": "Computer Science", "finance": "Economics", "business": "Economics", "psychology": "Psychology",
}  # fmt: skip
_QUESTION = re.compile(
    r"^(?:(?:does|do|did|can|could|is|are|was|should|will|how|why|what|which|when|the|a|an|of|effects?|impact|role) )+"
)
_LETTERS = frozenset(
    "crispr dna rna hiv aids mri adhd copd ptsd bmi llm gpt gan cnn rnn pcr hpv ecg eeg ai nlp uv ldl hdl als covid ct icu "
    "ssri nsaid ckd ibs ibd pcos ivf hrt tb rsv mmr bcg glp uti gerd tnf gaba dha epa".split()
)
_SPELLED = {
    "mrna": "mRNA",
    "sirna": "siRNA",
    "ssris": "SSRIs",
    "nsaids": "NSAIDs",
    "llms": "LLMs",
    "ecmo": "ECMO",
}
_FOR = re.compile(
    r" (?:good|bad|safe|healthy|unhealthy|harmful|useful|effective|dangerous|better|linked|related|helpful) "
    r"(?:for|in|against|with|to|during|than) (?:the |your |a )?"
)
_DOING = re.compile(
    r" (?:prevent|cause|reduce|increase|affect|improve|help|treat|cure|influence|lower|raise|"
    r"decrease|worsen|benefit|relieve|work for|work against|work in|protect against|lead to|interact with)s? (?:the |your )?"
)
# Small words that stand in questions, not in names.
JOINING = frozenset("about against among and between by during for from in on or to versus with".split())


# Questions that are too long to be a subject, without the words that ask.
_ASKED = re.compile(
    r"^(?:(?:does|do|did|can|could|is|are|was|were|should|will|how|why|what|which|when|much|the|a|an|there|any|evidence|that"
    r"|known|about|best|current|recent|latest|good) )+(?:of |for |on )?"
)
_LONG_QUESTION, _LONGEST_SUBJECT = 5, 7


def asked_subject(query: str) -> str:
    """What a long question is about: metformin and cardiovascular mortality, where it asks whether one lowers the other."""
    text = " ".join(plain(query).strip(" ?.!").split())
    if len(text.split()) <= _LONG_QUESTION:
        return query
    bare = _FOR.sub(" and ", _DOING.sub(" and ", _ASKED.sub("", text)))
    if len(bare.split()) > _LONGEST_SUBJECT:
        bare = re.sub(
            r" (?:in|among|for|with|during|after) (?:(?!\b(?:in|among|for|with|during|after)\b).)*$", "", bare
        )
    return query if bare == text else bare


def as_title(subject: str) -> str:
    """What a query is about, as titles write it: "does vitamin d prevent fractures" is vitamin D and fractures."""
    bare = _FOR.sub(" and ", _DOING.sub(" and ", _QUESTION.sub("", subject))) or subject
    bare = _EFFECT.sub(r"\1 and \2", bare)
    bare = re.sub(r"^(?!.*\bof\b)(.+) (side effects|adverse effects|symptoms)$", r"\2 of \1", bare)
    if re.search(r" (?:theorem|conjecture|hypothesis|equation|paradox|effect|problem)$", bare):
        return f"the {' '.join(map(_capital, bare.split()))}"
    if named(bare):
        return _inside(spelled(bare), named(bare)[0]["kind"])
    bare = _joined(bare)
    shown = [
        _SPELLED.get(word) or (word.upper() if word in _LETTERS else _capital(word)) for word in bare.split()
    ]
    first = named(bare.split()[0])
    remedy = shown[0] in ("CRISPR", "MRI") or any(
        entry["kind"] in ("medicine", "drug", "medication") for entry in first[:1]
    )
    ill = any(field_of(entry) == "Medicine" for entry in named(" ".join(bare.split()[1:]))[:1])
    if remedy and ill and len(shown) > 2 and shown[1] not in ("and", "in", "for", "of", "versus", "vs"):
        shown.insert(1, "in")
    title = _WHOM.sub(lambda found: f" in{_the(found[1])}", _NAMED_SO.sub(" SARS-CoV-2", " ".join(shown)))
    title = (
        title.replace("COVID 19", "COVID-19").replace("GLP 1", "GLP-1").replace("omega 3", "omega-3").strip()
    )
    title = _HYPHENED.sub(r"\1-\2", title)
    return re.sub(r"\bvitamin ([a-k])\b", lambda found: f"vitamin {found[1].upper()}", title)


# Words that are written with a hyphen before another one.
_HYPHENED = re.compile(
    r"\b(pre|post|non|anti|self|long|short|low|high|double|evidence|treatment|drug|beta|community|hospital|whole|stem|single|"
    r"health|insulin) (exposure|operative|partum|natal|traumatic|small|alcoholic|invasive|inflammatory|harm|care|esteem|"
    r"term|dose|risk|income|intensity|carb|fat|calorie|blind|based|resistant|blockers|acquired|related|dependent)\b",
)
# What something does to something else: yoga on back pain.
_EFFECT = re.compile(r"^(\S+(?: \S+){0,2}) on (\S+(?: \S+){0,3})$")
_PROPER = frozenset(
    "person city country company place film book song band university continent landmark".split()
)


def _inside(title: str, kind: str) -> str:
    """The name of a thing as it stands inside a sentence: antibiotic resistance, Parkinson's disease."""
    first, blank, rest = title.partition(" ")
    own = first.lower() if first[1:].islower() or first.islower() else ""
    if first.endswith("'s") and first[0].isupper():
        return title
    return title if not own or kind in _PROPER else f"{_capital(own)}{blank}{rest}"


def _the(whom: str) -> str:
    return whom.replace(" elderly", " the elderly")


_NAMED_SO = re.compile(r"(?:^| )sars cov 2\b", re.I)
# Whom a study is about, without the word that joins it: hypertension treatment elderly.
_WHOM = re.compile(
    r"(?<!\bin)(?<!\bin the)(?<!\band)(?<!\bfor)(?<!\bof)(?<!\bolder)(?<!\byoung)(?<!\bamong)"
    r"( elderly| children| adults| older adults| adolescents| pregnancy| women| men| athletes)$"
)


def _joined(bare: str) -> str:
    """Two things side by side with "and" between them: migraine acupuncture is migraine and acupuncture."""
    parts = bare.split()
    if JOINING & set(parts) or len(parts) > _LONGEST_PAIR:
        return bare
    for place in range(len(parts) - 1, 0, -1):
        pair = " ".join(parts[:place]), " ".join(parts[place:])
        first, second = (next(iter(named(name)), None) for name in pair)
        if (
            first is None
            or second is None
            or first["kind"] in ("medicine", "drug")
            or (parts[-1] in _HEADS and len(parts) - place < 2)
        ):
            continue
        if {"Medicine", "Biology"} & {field_of(first), field_of(second)}:
            return " and ".join(pair)
    return bare


_LONGEST_PAIR = 4
# Nouns that what stands before them belongs to: weight loss is one thing.
_HEADS = frozenset(
    "prevention treatment therapy risk outcomes symptoms management diagnosis screening vaccine vaccines surgery loss gain "
    "disease syndrome effects research cancer pain resistance infection failure attack prophylaxis prevalence incidence "
    "mortality rehabilitation guidelines epidemiology medication drugs trial trials biomarkers genetics vaccination".split()
)


def _capital(word: str) -> str:
    """A word of a title as the dictionary writes it: African children, Alzheimer's disease."""
    if word.endswith("'s"):
        return f"{_capital(word[:-2])}'s"
    sense = next(iter(senses(word)), None)
    own = next((form for form in sense.words if plain(form) == word), word) if sense else word
    return own if own.isalpha() and own[1:].islower() else word


def field_of(entry: Entry) -> str:
    """The field of research that something belongs to; "" where it does not say."""
    kind = entry["kind"]
    if kind in ("disease", "medicine", "drug", "symptom"):
        return "Medicine"
    return "Computer Science" if kind.startswith("computer") else _FIELDS.get(entry["field"], "")


# Words that say to which field a subject belongs, whatever it is about.
_SAYING = {
    "Environmental Science": "sustainability sustainable pollution microplastics deforestation biodiversity emissions "
    "heat warming",
    "Economics": "poverty inequality income unemployment "
    "economics economy economic monetary fiscal inflation tax taxation wage wages trade tariff tariffs finance",
    "Physics": "electron electrons proton photon photons neutron atom atoms laser lasers "
    "topological insulators neutrino neutrinos higgs boson graphene superconductivity superconductor "
    "superconductors quantum photonics plasma semiconductor",
    "Psychology": "psychology psychological cognition personality",
    "Mathematics": "theorem conjecture hypothesis algebra topology geometry",
    "Computer Science": "algorithm algorithms software cybersecurity blockchain",
    "Biology": "protein proteins gene genes genome genomes cell cells species coral evolution photosynthesis",
    "Engineering": "vehicles battery batteries turbine turbines",
    "Law": "law laws legal copyright constitutional",
    "History": "history medieval empire revolution renaissance",
    "Business": "logistics supply marketing entrepreneurship management",
    "Education": "education teaching teachers classroom curriculum",
    "Linguistics": "linguistics grammar phonology dialect dialects syntax",
    "Philosophy": "philosophy ethics moral",
    "Political Science": "democracy election elections politics voting populism",
    "Sociology": "sociology migration gender urbanization",
    "Geology": "geology earthquake earthquakes volcano volcanoes tectonics",
    "Agricultural and Food Sciences": "agriculture soil irrigation fertilizer",
    "Materials Science": "alloy alloys polymer polymers",
    "Chemistry": "catalysis catalyst catalysts",
}


_THEORIES = {
    "game theory": "Mathematics", "number theory": "Mathematics", "graph theory": "Mathematics", "set theory": "Mathematics",
    "string theory": "Physics", "information theory": "Computer Science",
}  # fmt: skip


def field_said(subject: str) -> str:
    """The field of research that the words of a subject say, the last of them first; "" where none does."""
    theory = next((field for name, field in _THEORIES.items() if name in plain(subject)), "")
    if theory:
        return theory
    for word in reversed(plain(subject).split()):
        for field, known in _SAYING.items():
            if word in known.split():
                return field
    return ""
