"""Post codes that begin as those of a city do."""

from __future__ import annotations

import re

from toolyard.world.reference.places.geography import City
from toolyard.world.reference.places.post_codes import post_code

_BEGINNINGS = {
    "Paris": "75", "Marseille": "130", "Lyon": "690", "Toulouse": "31", "Nice": "06", "Nantes": "44", "Strasbourg": "67",
    "Montpellier": "34", "Bordeaux": "33", "Lille": "59", "Rennes": "35", "Berlin": "10", "Hamburg": "20", "Munich": "80",
    "Cologne": "50", "Frankfurt": "60", "Stuttgart": "70", "Düsseldorf": "40", "Leipzig": "04", "Heidelberg": "69",
    "Dresden": "01", "Bremen": "28", "Hanover": "30", "Nuremberg": "90", "Tokyo": "10", "Osaka": "54", "Kyoto": "60",
    "Yokohama": "23", "Nagoya": "46", "Sapporo": "06", "Fukuoka": "81", "Kobe": "65", "Hiroshima": "73", "Sendai": "98",
    "Madrid": "280", "Barcelona": "080", "Valencia": "460", "Seville": "410", "Bilbao": "480", "Málaga": "290",
    "Palma": "070", "Rome": "001", "Milan": "201", "Naples": "801", "Turin": "101", "Bologna": "401", "Palermo": "901",
    "Florence": "501", "Venice": "301", "Amsterdam": "10", "Rotterdam": "30", "The Hague": "25", "Utrecht": "35",
    "Warsaw": "00", "Kraków": "30",
    "Gdańsk": "80", "Wrocław": "50", "Vienna": "10", "Graz": "80", "Salzburg": "50", "Innsbruck": "60", "Basel": "40",
    "Bern": "30", "Geneva": "12", "Zurich": "80", "Stockholm": "11", "Gothenburg": "41", "Malmö": "21", "Lisbon": "1",
    "Porto": "4", "São Paulo": "01", "Rio de Janeiro": "20", "Brasília": "70", "Salvador": "40", "Belo Horizonte": "30",
    "Fortaleza": "60", "Manaus": "69", "Curitiba": "80", "Porto Alegre": "90", "Beijing": "100", "Shanghai": "200",
    "Tianjin": "300", "Chongqing": "400", "Guangzhou": "510", "Shenzhen": "518", "Chengdu": "610", "Hangzhou": "310",
    "Harbin": "150", "Kunming": "650", "Nanjing": "210", "Qingdao": "266", "Wuhan": "430", "Xi'an": "710", "Moscow": "101",
    "Saint Petersburg": "190", "Novosibirsk": "630", "Vladivostok": "690", "Seoul": "04", "Busan": "48", "Incheon": "22",
    "Mumbai": "400", "Delhi": "110", "New Delhi": "110", "Bangalore": "560", "Bengaluru": "560", "Chennai": "600",
    "Kolkata": "700", "Hyderabad": "500", "Ahmedabad": "380", "Pune": "411", "Jaipur": "302", "Helsinki": "00",
    "Tampere": "33", "Istanbul": "34", "Ankara": "06", "Izmir": "35", "Antalya": "07", "Mexico City": "0",
    "Guadalajara": "44", "Monterrey": "64", "Sydney": "20", "Melbourne": "30", "Brisbane": "40", "Perth": "60",
    "Adelaide": "50", "Canberra": "26", "Toronto": "M", "Montreal": "H", "Vancouver": "V", "Calgary": "T", "Edmonton": "T",
    "Ottawa": "K", "Quebec City": "G", "Winnipeg": "R", "Halifax": "B",
    "Kochi": "682", "Goa": "403", "Tijuana": "22", "Cancún": "77", "Riyadh": "12", "Jeddah": "23", "Cairo": "11",
    "Alexandria": "21", "Luxor": "85", "Johannesburg": "20", "Cape Town": "80", "Durban": "40", "Pretoria": "00",
    "Brussels": "10", "Antwerp": "20", "Ghent": "90", "Copenhagen": "2", "Aarhus": "80", "Oslo": "0", "Bergen": "50",
    "Athens": "10", "Thessaloniki": "54", "Prague": "1", "Brno": "60", "Budapest": "1",
    "Bucharest": "01", "Cluj-Napoca": "40", "Kyiv": "01",
    "Lviv": "79", "Bangkok": "10", "Chiang Mai": "50", "Phuket": "83", "Phitsanulok": "65",
    "Jakarta": "10", "Surabaya": "60", "Bandung": "40", "Denpasar": "80",
}  # fmt: skip
# The areas of the British codes, letters before the first digit.
_AREAS = {
    "London": "SW", "Manchester": "M", "Birmingham": "B", "Liverpool": "L", "Leeds": "LS", "Glasgow": "G", "Edinburgh": "EH",
    "Bristol": "BS", "Cardiff": "CF", "Belfast": "BT", "Sheffield": "S", "Newcastle": "NE", "Newcastle upon Tyne": "NE",
    "Oxford": "OX", "Cambridge": "CB", "Nottingham": "NG", "Leicester": "LE", "York": "YO", "Bath": "BA", "Brighton": "BN",
}  # fmt: skip


def postcode_of(city: City, drawn: str) -> str:
    """A post code that begins as those of a city do; the drawn one where that is not known."""
    if city["country_code"] == "GB":
        area = _AREAS.get(city["name"])
        return re.sub(r"^[A-Z]+(\d+)[A-Z]?", rf"{area}\1", drawn) if area else drawn
    digits = int("".join(sign for sign in drawn if sign.isdigit()) or 0)
    own = _BEGINNINGS.get(city["name"], "")
    return post_code(city, digits) or own + drawn[len(own) :]
