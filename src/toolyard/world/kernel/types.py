"""What values mean: semantic types for parameters and returned fields.

A semantic type is an `Annotated` alias. Two fields with an equal meaning can be joined: what one tool
returns, another accepts. Plain `str`, `int`, `float` and `bool` are generic and join nothing. A meaning
that only one world uses is declared in that world, in the same way.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypedDict, TypeVar

GENERIC = frozenset({"text", "number", "flag", "json"})
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Semantic:
    """A meaning. `pattern` must match the whole value.

    A parameter also takes what it `accepts`; a returned field can also stand for what it `is_a`.
    """

    name: str
    pattern: str | None = None
    accepts: tuple[str, ...] = ()
    is_a: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Range:
    """Closed bounds of a number, or of the length of a string or list."""

    minimum: float | None = None
    maximum: float | None = None


@dataclass(frozen=True, slots=True)
class Unit:
    """The unit a number is in, e.g. "km" or "USD"."""

    name: str


@dataclass(frozen=True, slots=True)
class Within:
    """A parameter whose value only makes sense together with another one, e.g. a region within a country."""

    parameter: str


@dataclass(frozen=True, slots=True)
class Named:
    """The documented name of a parameter, where it cannot be a Python name."""

    name: str


_DATE = r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])"
# As schemas show it.
DATE_PATTERN = f"^(?:{_DATE})$"
_CLOCK = r"([01]\d|2[0-3]):[0-5]\d"

JsonValue = Annotated[Any, Semantic("json")]

# Time
IsoDate = Annotated[str, Semantic("iso_date", _DATE)]
ForecastDate = Annotated[str, Semantic("forecast_date", _DATE, is_a=("iso_date",))]
FutureDate = Annotated[str, Semantic("future_date", _DATE, is_a=("iso_date",))]
PastDate = Annotated[str, Semantic("past_date", _DATE, is_a=("iso_date",))]
IsoDateTime = Annotated[str, Semantic("iso_datetime")]
Moment = Annotated[str, Semantic("moment", accepts=("iso_date", "iso_datetime"))]
ComingTime = Annotated[str, Semantic("coming_moment", accepts=("future_date", "event_date"))]
ClockTime = Annotated[str, Semantic("clock_time", _CLOCK)]
UnixTime = Annotated[int, Semantic("unix_time"), Unit("s")]
Year = Annotated[int, Semantic("year")]
TimeZoneName = Annotated[str, Semantic("time_zone")]

# Places
Place = Annotated[
    str,
    Semantic("place", accepts=("city", "coordinates", "airport_code", "icao_code", "ip_address", "place_id")),
]
CityName = Annotated[str, Semantic("city")]
RegionName = Annotated[str, Semantic("region")]
RegionCode = Annotated[str, Semantic("region_code")]
CountryName = Annotated[str, Semantic("country")]
CountryCode = Annotated[str, Semantic("country_code")]
ContinentName = Annotated[str, Semantic("continent")]
PlaceId = Annotated[str, Semantic("place_id")]
Latitude = Annotated[float, Semantic("latitude"), Unit("degree"), Range(-90, 90)]
Longitude = Annotated[float, Semantic("longitude"), Unit("degree"), Range(-180, 180)]
Coordinates = Annotated[str, Semantic("coordinates")]
PostalCode = Annotated[str, Semantic("postal_code")]
StreetAddress = Annotated[str, Semantic("street_address")]
AirportCode = Annotated[str, Semantic("airport_code", r"[A-Za-z]{3}")]
IcaoCode = Annotated[str, Semantic("icao_code", r"[A-Za-z]{4}")]
AirlineCode = Annotated[str, Semantic("airline_code")]
SightName = Annotated[str, Semantic("sight")]

# Language and money
LanguageCode = Annotated[str, Semantic("language_code")]
LocaleCode = Annotated[str, Semantic("locale")]
CurrencyCode = Annotated[str, Semantic("currency_code")]
Amount = Annotated[float, Semantic("amount")]

# Business
Ticker = Annotated[str, Semantic("ticker")]
CompanyName = Annotated[str, Semantic("company")]
ExchangeCode = Annotated[str, Semantic("exchange")]
Sector = Annotated[str, Semantic("sector")]
Industry = Annotated[str, Semantic("industry")]
CryptoSymbol = Annotated[str, Semantic("crypto_symbol")]
JobTitle = Annotated[str, Semantic("job_title")]
TicketEventId = Annotated[str, Semantic("ticket_event_id")]
VenueId = Annotated[str, Semantic("venue_id")]
BusinessId = Annotated[str, Semantic("business_id")]
BusinessCategory = Annotated[str, Semantic("business_category")]

# People and the net
PersonName = Annotated[str, Semantic("person")]
FirstName = Annotated[str, Semantic("first_name")]
EmailAddress = Annotated[str, Semantic("email")]
PhoneNumber = Annotated[str, Semantic("phone")]
Url = Annotated[str, Semantic("url")]
PageUrl = Annotated[str, Semantic("page_url", is_a=("url",))]
DomainName = Annotated[str, Semantic("domain")]
IpAddress = Annotated[str, Semantic("ip_address")]
FilePath = Annotated[str, Semantic("file_path")]

# Things
RecipeId = Annotated[int, Semantic("recipe_id")]
IngredientName = Annotated[str, Semantic("ingredient")]
ProductName = Annotated[str, Semantic("product")]
Topic = Annotated[str, Semantic("topic")]
Word = Annotated[str, Semantic("word")]
# What people type into a search. Catalogues are closed, so a name that another tool returned need not be in them.
SearchText = Annotated[str, Semantic("search_text")]
# Running text that text tools can work on: an article, a letter, a joke, a description of some sentences.
Prose = Annotated[str, Semantic("prose")]
MathExpression = Annotated[str, Semantic("math_expression")]


class Money(TypedDict):
    """An amount and its currency."""

    amount: Amount
    currency: CurrencyCode


class Page(TypedDict, Generic[Item]):
    """Part of a longer list: `total` rows exist, these start at `offset`."""

    total: int
    offset: int
    items: list[Item]
