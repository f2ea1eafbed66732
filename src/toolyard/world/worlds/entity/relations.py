"""Entity: the relations of the graph, their names and what else people call them."""

from __future__ import annotations

from collections.abc import Mapping

_RELATIONS = """P6|head of government
P17|country
P19|place of birth
P20|place of death
P21|sex or gender
P22|father
P25|mother
P26|spouse
P27|country of citizenship
P30|continent
P31|instance of
P35|head of state
P36|capital
P37|official language
P38|currency
P39|position held
P40|child
P47|shares border with
P50|author
P54|member of sports team
P57|director
P61|discoverer or inventor
P69|educated at
P84|architect
P88|commissioned by
P102|member of political party
P106|occupation
P108|employer
P112|founded by
P118|league or competition
P131|located in the administrative territorial entity
P136|genre
P138|named after
P140|religion or worldview
P159|headquarters location
P161|cast member
P166|award received
P169|chief executive officer
P170|creator
P175|performer
P176|manufacturer
P178|developer
P180|depicts
P186|made from material
P195|collection
P206|located in or next to body of water
P229|IATA airline designator
P230|ICAO airline designator
P249|ticker symbol
P264|record label
P276|location
P279|subclass of
P297|ISO 3166-1 alpha-2 code
P355|has subsidiary
P397|parent astronomical body
P414|stock exchange
P421|located in time zone
P451|unmarried partner
P452|industry
P463|member of
P495|country of origin
P509|cause of death
P527|has part(s)
P569|date of birth
P570|date of death
P571|inception
P577|publication date
P625|coordinate location
P641|sport
P740|location of formation
P749|parent organization
P800|notable work
P802|student
P856|official website
P1056|product or material produced or service provided
P1066|student of
P1082|population
P1083|maximum capacity
P1128|employees
P1303|instrument
P2043|length
P2044|elevation above sea level
P2046|area
P2048|height
P2067|mass
P2120|radius
P2583|distance from Earth
P2936|language used
P3373|sibling"""


# What people call relations that have another name.
ALSO_CALLED: Mapping[str, str] = {
    "P19": "born birthplace", "P569": "born birthday birthdate", "P20": "died death deathplace", "P570": "died deathdate",
    "P26": "wife husband married partner", "P27": "nationality citizen", "P50": "writer wrote written",
    "P57": "directed filmmaker",
    "P69": "alma mater university school studied education", "P106": "job profession", "P159": "seat based",
    "P161": "actor actress starring", "P166": "prize won", "P571": "founded foundation established created",
    "P577": "released release",
    "P1082": "inhabitants", "P2044": "height altitude", "P175": "singer artist band", "P37": "language", "P38": "money",
    "P856": "homepage url", "P625": "coordinates latitude longitude", "P1128": "staff workers", "P176": "maker producer",
    "P279": "kind of type", "P31": "is a type", "P170": "painter artist", "P61": "discovered invented inventor",
    "P2067": "weight", "P22": "dad parent",
    "P25": "mom mum parent", "P40": "son daughter children kids", "P3373": "brother sister",
    "P112": "founder founders", "P169": "ceo boss", "P6": "prime minister mayor", "P35": "president king queen monarch",
    "P47": "borders neighbour neighbor", "P102": "party", "P54": "team club plays for", "P108": "works for worked",
    "P527": "members band member", "P740": "formed", "P264": "label", "P138": "namesake eponym", "P21": "male female",
    "P186": "material", "P463": "membership", "P140": "faith belief", "P749": "owner parent company",
}  # fmt: skip


def relations() -> Mapping[str, str]:
    """Relation id -> what it says."""
    return dict(line.split("|", 1) for line in _RELATIONS.splitlines())
