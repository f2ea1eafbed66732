"""Two names of one thing that share no letters: airports and their cities, peoples and countries, everyday doubles.

Facts that any reader knows and no rule can derive. A group is closed: "cheap" is never "moderate", and a code that is
in no group is only itself.
"""

import re
from collections.abc import Iterable, Mapping

_AIRPORTS = (
    "abq albuquerque|ams amsterdam|anc anchorage|ath athens|atl atlanta|aus austin|bcn barcelona|ber berlin|bkk bangkok"
    "|bna nashville|bom mumbai|bos boston|bru brussels|bud budapest|buf buffalo|bur burbank,los angeles|bwi baltimore"
    "|can guangzhou|cdg paris|chs charleston|cle cleveland|clt charlotte|cmh columbus|cph copenhagen|cvg cincinnati"
    "|dal dallas|dca washington|del delhi,new delhi|den denver|dfw dallas,fort worth|dtw detroit|dub dublin|dxb dubai"
    "|edi edinburgh|elp el paso|ewr newark,new york|fco rome|fll fort lauderdale|fra frankfurt|gva geneva|ham hamburg"
    "|hel helsinki|hkg hong kong|hnd tokyo|hnl honolulu|hou houston|iad washington|iah houston|icn seoul|ind indianapolis"
    "|ist istanbul|jax jacksonville|jfk new york|jnb johannesburg|kix osaka|kul kuala lumpur|las las vegas|lax los angeles"
    "|lga new york|lgb long beach|lgw london|lhr london|lis lisbon|lys lyon|mad madrid|man manchester|mci kansas city"
    "|mco orlando|mdw chicago|mel melbourne|mem memphis|mex mexico city|mia miami|mke milwaukee|msp minneapolis"
    "|msy new orleans|muc munich|mxp milan|nce nice|nrt tokyo|oak oakland|okc oklahoma city|oma omaha|ont ontario"
    "|ord chicago|ory paris|osl oslo|pdx portland|pek beijing|phl philadelphia|phx phoenix|pit pittsburgh|prg prague"
    "|pvd providence|pvg shanghai|rdu raleigh,durham|ric richmond|rno reno|san san diego|sat san antonio|sdf louisville"
    "|sea seattle|sfo san francisco|sin singapore|sjc san jose|slc salt lake city|smf sacramento|sna santa ana,orange county"
    "|stl saint louis,st louis|stn london|svo moscow|syd sydney|tpa tampa|tpe taipei|tul tulsa|tus tucson|vie vienna"
    "|waw warsaw|yul montreal|yvr vancouver|yyc calgary|yyz toronto|zrh zurich"
)
_PEOPLES = (
    "afghan afghanistan|african africa|american america,united states,usa,us|argentinian,argentine argentina"
    "|armenian armenia|australian australia|austrian austria|basque|belgian belgium|brazilian brazil"
    "|british britain,great britain,uk,united kingdom|bulgarian bulgaria|burmese burma,myanmar"
    "|cambodian cambodia|canadian canada|caribbean caribbean islands|chilean chile|chinese china|colombian colombia"
    "|cuban cuba|czech czechia,czech republic|danish denmark|dutch netherlands,holland|egyptian egypt|english england"
    "|eritrean eritrea"
    "|ethiopian ethiopia|filipino philippines|finnish finland|french france|georgian georgia|german germany|greek greece"
    "|hawaiian hawaii|hungarian hungary|indian india|indonesian indonesia|iranian,persian iran,persia|iraqi iraq"
    "|irish ireland|israeli israel|italian italy|jamaican jamaica|japanese japan|kenyan kenya|korean korea,south korea"
    "|lebanese lebanon|malaysian malaysia|mexican mexico|mongolian mongolia|moroccan morocco|nepalese,nepali nepal"
    "|nigerian nigeria|norwegian norway|pakistani pakistan|peruvian peru|polish poland|portuguese portugal"
    "|romanian romania|russian russia|scandinavian scandinavia|scottish scotland|sicilian sicily|spanish spain"
    "|swedish sweden|swiss switzerland|syrian syria|taiwanese taiwan|thai thailand|tibetan tibet|tunisian tunisia"
    "|turkish turkey,türkiye|ukrainian ukraine|venezuelan venezuela|vietnamese vietnam|welsh wales"
)
_DOUBLES = (
    "concert|music|music concert|live music|gig; play|theater|theatre|theater play|theatre play; "
    "game|sports|sport|match|sports game|sporting event|sports event; movie|film; movies|films; cab|taxi; "
    "flat|apartment; cheap|inexpensive|low cost|budget; expensive|high end|upscale|pricey; "
    "moderate|medium|mid range|moderately priced|mid priced; "
    "centre|center|downtown|city centre|city center|town centre|town center|centre of town|center of town; "
    "doctor|physician; general practitioner|gp|family doctor|primary care physician|general practice|primary care; "
    "dermatologist|skin doctor|skin specialist|dermatology; ophthalmologist|eye doctor|eye specialist|ophthalmology; "
    "gynecologist|gynaecologist|gynecology; cardiologist|heart doctor|heart specialist|cardiology; "
    "dentist|dental|dental clinic; psychologist|psychology; psychiatrist|psychiatry; "
    "family counselor|family counsellor|family therapist; hair salon|hairdresser|hair stylist|hair studio; "
    "lawyer|attorney; fall|autumn; vacation|holiday; laptop|notebook; cell phone|cellphone|mobile phone|mobile; "
    "sedan|saloon; suv|sport utility vehicle; guesthouse|guest house; swimming pool|swimmingpool|pool; "
    "museum|museums; wifi|wi-fi|wireless internet|free wifi; tv|television|tv show|tv series|television series; "
    "one way|oneway|one-way; round trip|roundtrip|round-trip|return trip; economy|economy class|coach; "
    "business|business class; first class|first; male|man; female|woman; photo|picture|image; email|e-mail|mail; "
    "children|kids; science fiction|sci-fi|sci fi|scifi; romantic|romance; comedy|comedic; "
    "romantic comedy|rom-com|romcom; kid friendly|good for kids|child friendly|family friendly; vegetarian|veggie; "
    "barbecue|barbeque|bbq; salary|income|wage; bachelor|bachelors|bachelor's degree|bachelor's; "
    "biggest|largest; tallest|highest; fastest|quickest; "
    "master|masters|master's degree|master's; full time|full-time|fulltime; part time|part-time|parttime"
)
_BESIDE_AIRPORTS = frozenset({"airport", "international", "intl", "the", "in", "of"})
_BESIDE_FOOD = frozenset(
    {"food", "cuisine", "restaurant", "restaurants", "style", "dishes", "cooking", "kitchen"}
)
_FOOD = re.compile(r"food|cuisine|kitchen|ethnic|nationality|category|restaurant|dish", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")


def _text_words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.casefold()))


def _groups_by_name(entries: Iterable[Iterable[str]]) -> Mapping[tuple[str, ...], frozenset[int]]:
    """Every name and the groups that it is in; Portland has one airport here, London three."""
    found: dict[tuple[str, ...], set[int]] = {}
    for number, names in enumerate(entries):
        for name in names:
            found.setdefault(_text_words(name), set()).add(number)
    return {name: frozenset(numbers) for name, numbers in found.items()}


def _cities_by_code() -> dict[str, frozenset[tuple[str, ...]]]:
    pairs = (entry.split(" ", 1) for entry in _AIRPORTS.split("|"))
    return {code: frozenset(_text_words(city) for city in cities.split(",")) for code, cities in pairs}


_CITIES = _cities_by_code()
_NATIONS = _groups_by_name(entry.replace(" ", ",", 1).split(",") for entry in _PEOPLES.split("|"))
_SAME = _groups_by_name(entry.split("|") for entry in _DOUBLES.split("; "))


def same_thing(given: str, gold: str, about: str) -> bool:
    """Whether both texts are usual names of one thing; `about` is the parameter's name and description."""
    ours, wanted = _text_words(given), _text_words(gold)
    if _share_a_group(_SAME, ours, wanted) or _word_by_word(ours, wanted):
        return True
    return same_airport(given, gold) or (_FOOD.search(about) is not None and same_people(given, gold))


def _word_by_word(ours: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    """ "Largest snake" and "biggest snake": every word the same, or another name of it."""
    return len(ours) == len(wanted) > 1 and all(
        first == second or _share_a_group(_SAME, (first,), (second,))
        for first, second in zip(ours, wanted, strict=True)
    )


def same_airport(given: str, gold: str) -> bool:
    """Whether one text has the code of an airport of the city that the other names: "PDX", "Portland (PDX)"."""
    return _is_code_of_city(given, gold) or _is_code_of_city(gold, given)


def _is_code_of_city(text: str, city: str) -> bool:
    """The code in capitals, alone or with its own city's name beside it."""
    words = [word for word in _WORD.findall(text) if word.casefold() not in _BESIDE_AIRPORTS]
    codes = [word for word in words if word.isupper() and word.casefold() in _CITIES]
    cities = _CITIES[codes[0].casefold()] if len(codes) == 1 else frozenset()
    if tuple(word for word in _text_words(city) if word not in _BESIDE_AIRPORTS) not in cities:
        return False
    beside = tuple(word.casefold() for word in words if word != codes[0])
    return not beside or beside in cities


def same_people(given: str, gold: str) -> bool:
    """Whether one text names a people and the other its country, or both the same with a word for food."""
    ours, wanted = (
        tuple(word for word in _text_words(text) if word not in _BESIDE_FOOD) for text in (given, gold)
    )
    return bool(ours) and (ours == wanted or _share_a_group(_NATIONS, ours, wanted))


def _share_a_group(
    groups: Mapping[tuple[str, ...], frozenset[int]], ours: tuple[str, ...], wanted: tuple[str, ...]
) -> bool:
    return bool(groups.get(ours, frozenset()) & groups.get(wanted, frozenset()))
