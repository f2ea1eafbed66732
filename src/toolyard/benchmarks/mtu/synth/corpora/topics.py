"""Topics (Figure 3) and licences as tables: a dialogue carries the set of its topics.

The five held-out topics are read off the tools of the official OOD rows; the paper does not name them.
"""

from __future__ import annotations

from collections.abc import Iterable

from toolyard.benchmarks.mtu.statistics import DOMAINS as WORDS

DOMAINS: dict[str, tuple[str, ...]] = {domain: tuple(topics) for domain, topics in WORDS.items()}
HELD_OUT: tuple[str, ...] = DOMAINS["Others"]
TOPICS: tuple[str, ...] = tuple(topic for topics in DOMAINS.values() for topic in topics)

LICENCES: dict[str, str] = {
    "sgd": "CC BY-SA 4.0",
    "multiwoz": "MIT",
    "multiwoz-fields": "MIT",
    "taskmaster": "CC BY 4.0",
    "snips": "CC0 1.0",
    "metalwoz": "Microsoft Research Data License (non-commercial, no redistribution)",
    "atis": "not stated (LDC origin)",
}

# Whole service names stand before prefixes: Services_1 to Services_4 are four trades under one prefix.
SGD: dict[str, str] = {
    "Services_1": "Hair", "Services_2": "Dentist", "Services_3": "Doctor", "Services_4": "Therapist",
    "Alarm": "Alarm", "Banks": "Bank", "Buses": "Bus", "Calendar": "Calendar", "Events": "Event",
    "Flights": "Flight", "Homes": "Apartment", "Hotels": "Hotel", "Media": "Movie", "Messaging": "Message",
    "Movies": "Movie", "Music": "Music", "Payment": "Payment", "RentalCars": "Renter",
    "Restaurants": "Restaurant", "RideSharing": "Taxi", "Trains": "Train", "Travel": "Attraction",
    "Weather": "Weather",
}  # fmt: skip
MULTIWOZ: dict[str, str] = {
    "attraction": "Attraction", "bus": "Bus", "hospital": "Doctor", "hotel": "Hotel", "restaurant": "Restaurant",
    "taxi": "Taxi", "train": "Train",
}  # fmt: skip
SNIPS: dict[str, str] = {
    "AddToPlaylist": "Music", "BookRestaurant": "Restaurant", "GetWeather": "Weather", "PlayMusic": "Music",
    "RateBook": "Library", "SearchCreativeWork": "Movie", "SearchScreeningEvent": "Movie",
}  # fmt: skip
# By the name before the first dot of an annotation, or the file's own subject (TM-3, TM-4).
TASKMASTER: dict[str, str] = {
    "uber_lyft": "Taxi", "movie_ticket": "Movie", "restaurant_reservation": "Restaurant",
    "coffee_ordering": "Coffee", "pizza_ordering": "Pizza", "auto_repair": "Auto Repair",
    "flight_search": "Flight", "food_order": "Restaurant", "hotel_search": "Hotel", "movie_search": "Movie",
    "music": "Music", "restaurant": "Restaurant", "epl": "Sport", "mlb": "Sport", "mls": "Sport",
    "nba": "Sport", "nfl": "Sport", "movie": "Movie", "coffee": "Coffee",
}  # fmt: skip
METALWOZ: dict[str, str] = {
    "ALARM_SET": "Alarm", "APARTMENT_FINDER": "Apartment", "APPOINTMENT_REMINDER": "Appointment",
    "AUTO_SORT": "Message", "BANK_BOT": "Bank", "BUS_SCHEDULE_BOT": "Bus", "CITY_INFO": "Attraction",
    "CONTACT_MANAGER": "Contact", "EDIT_PLAYLIST": "Music", "EVENT_RESERVE": "Event",
    "GUINESS_CHECK": "World Record", "HOME_BOT": "Home", "LIBRARY_REQUEST": "Library",
    "MAKE_RESTAURANT_RESERVATIONS": "Restaurant", "MOVIE_LISTINGS": "Movie", "MUSIC_SUGGESTER": "Music",
    "ORDER_PIZZA": "Pizza", "PLAY_TIMES": "Event", "RESTAURANT_PICKER": "Restaurant", "SKI_BOT": "Sport",
    "SPORTS_INFO": "Sport", "UPDATE_CALENDAR": "Calendar", "UPDATE_CONTACT": "Contact",
    "VACATION_IDEAS": "Attraction", "WEATHER_CHECK": "Weather",
}  # fmt: skip


def sgd_topic(service: str) -> str | None:
    """The topic of an SGD service, by its whole name or the part before the number."""
    return SGD.get(service) or SGD.get(service.rpartition("_")[0])


def topics_of(found: Iterable[str | None]) -> tuple[str, ...]:
    """The topics there are, sorted, each once."""
    return tuple(sorted({topic for topic in found if topic}))
