"""Cities, regions and countries under the names that they have in the language of a locale."""

from __future__ import annotations

import functools
from collections.abc import Mapping

_CITIES: Mapping[str, Mapping[str, str]] = {
    "de": {"Cologne": "Köln", "Munich": "München", "Frankfurt": "Frankfurt am Main", "Nuremberg": "Nürnberg",
           "Hanover": "Hannover", "Vienna": "Wien", "Geneva": "Genf", "Zurich": "Zürich"},
    "it": {"Rome": "Roma", "Milan": "Milano", "Naples": "Napoli", "Turin": "Torino", "Florence": "Firenze",
           "Venice": "Venezia", "Genoa": "Genova", "Geneva": "Ginevra", "Zurich": "Zurigo", "Bern": "Berna",
           "Basel": "Basilea"},
    "fr": {"Geneva": "Genève", "Bern": "Berne", "Basel": "Bâle", "Brussels": "Bruxelles", "Antwerp": "Anvers",
           "Montreal": "Montréal", "Quebec City": "Québec"},
    "es": {"Seville": "Sevilla", "Mexico City": "Ciudad de México", "Bogota": "Bogotá", "Havana": "La Habana"},
    "pt": {"Lisbon": "Lisboa"},
    "nl": {"The Hague": "Den Haag", "Brussels": "Brussel", "Antwerp": "Antwerpen", "Bruges": "Brugge", "Ghent": "Gent"},
    "pl": {"Warsaw": "Warszawa"},
    "sv": {"Gothenburg": "Göteborg"},
    "da": {"Copenhagen": "København"},
    "cs": {"Prague": "Praha"},
    "ro": {"Bucharest": "București"},
    "tr": {"Istanbul": "İstanbul", "Izmir": "İzmir"},
    "el": {"Athens": "Αθήνα", "Thessaloniki": "Θεσσαλονίκη"},
    "uk": {"Kyiv": "Київ", "Lviv": "Львів", "Odesa": "Одеса", "Kharkiv": "Харків"},
    "ru": {"Moscow": "Москва", "Novosibirsk": "Новосибирск", "Saint Petersburg": "Санкт-Петербург",
           "Vladivostok": "Владивосток"},
    "ja": {"Tokyo": "東京", "Yokohama": "横浜市", "Osaka": "大阪市", "Nagoya": "名古屋市", "Sapporo": "札幌市",
           "Fukuoka": "福岡市", "Kyoto": "京都市", "Hiroshima": "広島市", "Kobe": "神戸市", "Sendai": "仙台市"},
    "zh": {"Beijing": "北京", "Chengdu": "成都", "Chongqing": "重庆", "Guangzhou": "广州", "Hangzhou": "杭州",
           "Harbin": "哈尔滨", "Kunming": "昆明", "Nanjing": "南京", "Qingdao": "青岛", "Shanghai": "上海",
           "Shenzhen": "深圳",
           "Tianjin": "天津", "Wuhan": "武汉", "Xi'an": "西安", "Taipei": "台北", "Kaohsiung": "高雄"},
    "ko": {"Seoul": "서울", "Busan": "부산", "Incheon": "인천"},
}  # fmt: skip
_REGIONS: Mapping[str, Mapping[str, str]] = {
    "de": {"Bavaria": "Bayern", "Saxony": "Sachsen", "Hesse": "Hessen", "North Rhine-Westphalia": "Nordrhein-Westfalen",
           "Lower Saxony": "Niedersachsen", "Styria": "Steiermark", "Tyrol": "Tirol", "Vienna": "Wien", "Geneva": "Genf",
           "Zurich": "Zürich"},
    "it": {"Tuscany": "Toscana", "Lombardy": "Lombardia", "Sicily": "Sicilia", "Piedmont": "Piemonte", "Apulia": "Puglia",
           "Sardinia": "Sardegna"},
    "fr": {"Occitania": "Occitanie", "Brittany": "Bretagne", "Normandy": "Normandie", "Corsica": "Corse",
           "Geneva": "Genève", "Bern": "Berne", "Zurich": "Zurich", "Quebec": "Québec"},
    "es": {"Catalonia": "Cataluña", "Basque Country": "País Vasco", "Community of Madrid": "Comunidad de Madrid",
           "Andalusia": "Andalucía", "Balearic Islands": "Islas Baleares", "Valencian Community": "Comunidad Valenciana",
           "Mexico City": "Ciudad de México"},
    "pt": {"Lisbon": "Lisboa", "Federal District": "Distrito Federal"},
    "nl": {"North Holland": "Noord-Holland", "South Holland": "Zuid-Holland"},
    "pl": {"Pomerania": "pomorskie", "Lesser Poland": "małopolskie", "Masovia": "mazowieckie",
           "Lower Silesia": "dolnośląskie"},
    "tr": {"Istanbul": "İstanbul", "Izmir": "İzmir"},
    "ru": {"Moscow": "Москва", "Novosibirsk": "Новосибирская область", "Saint Petersburg": "Санкт-Петербург",
           "Primorsky": "Приморский край"},
    "ja": {"Tokyo": "東京都", "Kanagawa": "神奈川県", "Osaka": "大阪府", "Aichi": "愛知県", "Hokkaido": "北海道",
           "Fukuoka": "福岡県", "Kyoto": "京都府", "Hiroshima": "広島県"},
    "zh": {"Beijing": "北京市", "Sichuan": "四川省", "Chongqing": "重庆市", "Guangdong": "广东省", "Zhejiang": "浙江省",
           "Heilongjiang": "黑龙江省", "Yunnan": "云南省", "Jiangsu": "江苏省", "Shandong": "山东省", "Shanghai": "上海市",
           "Tianjin": "天津市", "Hubei": "湖北省", "Shaanxi": "陕西省"},
    "ko": {"Seoul": "서울특별시", "Busan": "부산광역시", "Incheon": "인천광역시"},
}  # fmt: skip


def city_name(locale: str, name: str) -> str:
    """A city as the language of a locale calls it; as English does where that is not known."""
    return _CITIES.get(locale[:2], {}).get(name, name)


def region_name(locale: str, name: str) -> str:
    """A region in the same way."""
    return _REGIONS.get(locale[:2], {}).get(name, name)


@functools.lru_cache(maxsize=64)
def _territories(language: str) -> Mapping[str, str]:
    from babel import Locale, UnknownLocaleError

    try:
        return Locale(language).territories
    except UnknownLocaleError:
        return {}


def country_name(locale: str, code: str, name: str) -> str:
    """A country in the language of a locale."""
    return name if locale[:2] == "en" else _territories(locale[:2]).get(code, name)
