"""Entity: the relations of the graph, their names and what else people call them."""

from __future__ import annotations

from collections.abc import Mapping

_RELATIONS = """P17|country
P19|place of birth
P20|place of death
P26|spouse
P27|country of citizenship
P30|continent
P31|instance of
P36|capital
P37|official language
P38|currency
P39|position held
P50|author
P57|director
P61|discoverer or inventor
P69|educated at
P84|architect
P106|occupation
P118|league or competition
P131|located in the administrative territorial entity
P136|genre
P159|headquarters location
P161|cast member
P166|award received
P170|creator
P175|performer
P176|manufacturer
P229|IATA airline designator
P230|ICAO airline designator
P249|ticker symbol
P276|location
P279|subclass of
P297|ISO 3166-1 alpha-2 code
P397|parent astronomical body
P414|stock exchange
P421|located in time zone
P452|industry
P495|country of origin
P569|date of birth
P570|date of death
P571|inception
P577|publication date
P625|coordinate location
P641|sport
P800|notable work
P856|official website
P1082|population
P1083|maximum capacity
P1128|employees
P2043|length
P2044|elevation above sea level
P2046|area
P2048|height
P2067|mass
P2120|radius
P2583|distance from Earth
P2936|language used"""


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
    "P2067": "weight",
}  # fmt: skip


def relations() -> Mapping[str, str]:
    """Relation id -> what it says."""
    return dict(line.split("|", 1) for line in _RELATIONS.splitlines())
