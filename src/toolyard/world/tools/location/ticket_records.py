"""What Location/Ticket returns: events, performers, kinds and venues, in rows and in detail."""

from typing import Annotated, Literal, TypedDict

from toolyard.world.kernel.types import (
    CityName,
    CountryCode,
    CountryName,
    IsoDateTime,
    Latitude,
    Longitude,
    PostalCode,
    Semantic,
    StreetAddress,
    TicketEventId,
    TimeZoneName,
    Unit,
    Url,
    VenueId,
)
from toolyard.world.simulated.events import (
    AttractionId,
    EventDate,
    GenreId,
    Performer,
    SegmentId,
    Source,
    SubGenreId,
)

ClassificationId = Annotated[
    str,
    Semantic(
        "ticket_classification_id", accepts=("ticket_segment_id", "ticket_genre_id", "ticket_subgenre_id")
    ),
]
MarketId = Annotated[int, Semantic("ticket_market_id")]
GeoHash = Annotated[str, Semantic("geohash", r"[0-9a-zA-Z]{1,12}")]


class EventRow(TypedDict):
    id: TicketEventId
    name: str
    starts: IsoDateTime
    venue: str
    city: CityName
    country_code: CountryCode
    genre: str


class EventDetails(TypedDict):
    id: TicketEventId
    name: str
    date: EventDate
    starts: IsoDateTime
    time_zone: TimeZoneName
    on_sale_from: IsoDateTime
    on_sale_to: IsoDateTime
    price_from_usd: Annotated[int, Unit("USD")]
    price_to_usd: Annotated[int, Unit("USD")]
    attraction: Performer
    attraction_id: AttractionId
    venue: str
    venue_id: VenueId
    address: StreetAddress
    city: CityName
    segment_id: SegmentId
    genre_id: GenreId
    subgenre_id: SubGenreId
    market_id: MarketId
    geo_point: GeoHash
    url: Url


class AttractionRow(TypedDict):
    id: AttractionId
    name: Performer
    segment: str
    genre: str
    upcoming_events: int


class AttractionDetails(TypedDict):
    id: AttractionId
    name: Performer
    segment_id: SegmentId
    genre_id: GenreId
    subgenre_id: SubGenreId
    family: bool
    source: Source
    next_events: list[TicketEventId]
    url: Url


class ClassificationRow(TypedDict):
    segment: str
    segment_id: SegmentId
    genre: str
    genre_id: GenreId
    subgenre: str
    subgenre_id: SubGenreId


class ClassificationDetails(TypedDict):
    id: ClassificationId
    level: Literal["segment", "genre", "sub-genre"]
    name: str
    above: str | None
    below: list[ClassificationId]
    family: bool
    attractions: list[AttractionId]


class VenueRow(TypedDict):
    id: VenueId
    name: str
    city: CityName
    country_code: CountryCode
    postal_code: PostalCode | None
    upcoming_events: int


class VenueDetails(TypedDict):
    id: VenueId
    name: str
    address: StreetAddress
    city: CityName
    country: CountryName
    latitude: Latitude
    longitude: Longitude
    time_zone: TimeZoneName
    capacity: int
    market_id: MarketId
    next_events: list[TicketEventId]


class Suggested(TypedDict):
    events: list[EventRow]
    attractions: list[AttractionRow]
    venues: list[VenueRow]
