"""Names of streets as they are in the language of a country, and how an address is written there."""

from __future__ import annotations

_ENGLISH = ("Main Street", "Oak Avenue", "Market Street", "Station Road", "Park Lane", "Church Street", "River Road",
            "Mill Street", "High Street", "Garden Avenue")  # fmt: skip
_GERMAN = ("Hauptstraße", "Eichenallee", "Marktstraße", "Bahnhofstraße", "Parkweg", "Kirchstraße", "Uferstraße",
           "Mühlenstraße", "Schulstraße", "Gartenstraße")  # fmt: skip
_FRENCH = ("rue Principale", "avenue des Chênes", "rue du Marché", "rue de la Gare", "allée du Parc", "rue de l'Église",
           "quai de la Rivière", "rue du Moulin", "Grande Rue", "avenue du Jardin")  # fmt: skip
_SPANISH = ("Calle Mayor", "Avenida de los Robles", "Calle del Mercado", "Calle de la Estación", "Paseo del Parque",
            "Calle de la Iglesia", "Calle del Río", "Calle del Molino", "Calle Real", "Calle del Jardín")  # fmt: skip
_PORTUGUESE = ("Rua Principal", "Avenida dos Carvalhos", "Rua do Mercado", "Rua da Estação", "Alameda do Parque",
               "Rua da Igreja", "Rua do Rio", "Rua do Moinho", "Rua Direita", "Rua do Jardim")  # fmt: skip
_ITALIAN = ("Via Roma", "Viale delle Querce", "Via del Mercato", "Via della Stazione", "Viale del Parco", "Via della Chiesa",
            "Via del Fiume", "Via del Mulino", "Corso Italia", "Via del Giardino")  # fmt: skip
_DUTCH = ("Hoofdstraat", "Eikenlaan", "Marktstraat", "Stationsweg", "Parklaan", "Kerkstraat", "Rivierweg", "Molenstraat",
          "Schoolstraat", "Tuinlaan")  # fmt: skip
_SWEDISH = ("Storgatan", "Ekvägen", "Torggatan", "Järnvägsgatan", "Parkgatan", "Kyrkogatan", "Ågatan", "Kvarngatan",
            "Skolgatan", "Trädgårdsgatan")  # fmt: skip
_DANISH = ("Hovedgaden", "Egevej", "Torvegade", "Stationsvej", "Parkvej", "Kirkegade", "Åvej", "Møllegade", "Skolegade",
           "Havevej")  # fmt: skip
_POLISH = ("ul. Główna", "ul. Dębowa", "ul. Targowa", "ul. Dworcowa", "ul. Parkowa", "ul. Kościelna", "ul. Rzeczna",
           "ul. Młyńska", "ul. Szkolna", "ul. Ogrodowa")  # fmt: skip
_TURKISH = ("Cumhuriyet Caddesi", "Meşe Sokak", "Pazar Sokak", "İstasyon Caddesi", "Park Caddesi", "Cami Sokak",
            "Nehir Sokak", "Değirmen Sokak", "Okul Caddesi", "Bahçe Sokak")  # fmt: skip
_CHINESE = ("Renmin Road", "Jiefang Road", "Zhongshan Road", "Jianshe Road", "Gongyuan Road", "Wenhua Road", "Binjiang Road",
            "Xinhua Road", "Heping Road", "Huayuan Road")  # fmt: skip
_JAPANESE = ("Honcho", "Sakuracho", "Ichibacho", "Ekimaecho", "Koencho", "Teramachi", "Kawabatacho", "Suishacho",
             "Omotecho", "Midoricho")  # fmt: skip
_KOREAN = ("Jungang-ro", "Sejong-ro", "Sijang-gil", "Yeokjeon-ro", "Gongwon-ro", "Munhwa-ro", "Gangbyeon-ro", "Mulle-gil",
           "Hakgyo-ro", "Jeongwon-gil")  # fmt: skip
_NORWEGIAN = ("Storgata", "Eikeveien", "Torggata", "Jernbanegata", "Parkveien", "Kirkegata", "Elveveien", "Mølleveien",
              "Skolegata", "Hageveien")  # fmt: skip
_FINNISH = ("Pääkatu", "Tammitie", "Torikatu", "Asemakatu", "Puistokatu", "Kirkkokatu", "Jokitie", "Myllytie", "Koulukatu",
            "Puutarhakatu")  # fmt: skip
_CZECH = ("Hlavní", "Dubová", "Tržní", "Nádražní", "Parková", "Kostelní", "Říční", "Mlýnská", "Školní",
          "Zahradní")  # fmt: skip
_HUNGARIAN = ("Fő utca", "Tölgy utca", "Piac utca", "Állomás utca", "Park utca", "Templom utca", "Folyó utca", "Malom utca",
              "Iskola utca", "Kert utca")  # fmt: skip
_RUSSIAN = ("ulitsa Mira", "Dubovaya ulitsa", "Bazarnaya ulitsa", "Vokzalnaya ulitsa", "Parkovaya ulitsa",
            "Sobornaya ulitsa", "Naberezhnaya ulitsa", "Melnichnaya ulitsa", "Shkolnaya ulitsa",
            "Sadovaya ulitsa")  # fmt: skip
_ROMANIAN = ("Strada Principală", "Strada Stejarului", "Strada Pieței", "Strada Gării", "Strada Parcului",
             "Strada Bisericii", "Strada Râului", "Strada Morii", "Strada Școlii", "Strada Grădinii")  # fmt: skip
_CROATIAN = ("Glavna ulica", "Hrastova ulica", "Tržna ulica", "Kolodvorska ulica", "Parkovna ulica", "Crkvena ulica",
             "Riječka ulica", "Mlinska ulica", "Školska ulica", "Vrtna ulica")  # fmt: skip
_INDONESIAN = ("Jalan Merdeka", "Jalan Beringin", "Jalan Pasar", "Jalan Stasiun", "Jalan Taman", "Jalan Masjid",
               "Jalan Sungai", "Jalan Melati", "Jalan Sekolah", "Jalan Kebun")  # fmt: skip
_ARABIC = ("Al Nasr Street", "Al Nakheel Street", "Al Souq Street", "Al Mahatta Street", "Al Hadiqa Street",
           "Al Masjid Street", "Corniche Street", "Al Tahrir Street", "Al Madrasa Street", "Al Bustan Street")  # fmt: skip
_GREEK = ("Kentriki Odos", "Odos Ermou", "Odos Agoras", "Odos Stathmou", "Odos Alsous", "Odos Ekklisias", "Parapotamia Odos",
          "Odos Mylou", "Odos Scholeiou", "Odos Kipou")  # fmt: skip
_VIETNAMESE = ("Trần Phú", "Lê Lợi", "Nguyễn Huệ", "Hai Bà Trưng", "Quang Trung", "Lý Thường Kiệt", "Nguyễn Trãi",
               "Điện Biên Phủ", "Hùng Vương", "Phan Chu Trinh")  # fmt: skip
_ICELANDIC = ("Aðalgata", "Birkivegur", "Hafnargata", "Austurvegur", "Garðavegur", "Kirkjuvegur", "Árvegur", "Strandgata",
              "Skólavegur", "Brekkugata")  # fmt: skip
_NAMES = {
    _GERMAN: "DE AT CH LI",
    _FRENCH: "FR BE LU MC MA DZ TN SN CI",
    _SPANISH: "ES MX AR CO CL PE VE EC UY PY BO CR PA GT HN SV NI DO CU",
    _PORTUGUESE: "PT BR AO MZ",
    _ITALIAN: "IT",
    _DUTCH: "NL",
    _SWEDISH: "SE",
    _DANISH: "DK",
    _NORWEGIAN: "NO",
    _ICELANDIC: "IS",
    _FINNISH: "FI",
    _CZECH: "CZ SK",
    _HUNGARIAN: "HU",
    _RUSSIAN: "RU BY KZ",
    _ROMANIAN: "RO MD",
    _CROATIAN: "HR BA RS ME",
    _INDONESIAN: "ID MY",
    _POLISH: "PL",
    _TURKISH: "TR",
    _CHINESE: "CN TW",
    _JAPANESE: "JP",
    _KOREAN: "KR",
    _ARABIC: "AE SA QA KW BH OM EG JO LB IQ",
    _GREEK: "GR CY",
    _VIETNAMESE: "VN",
}
_BY_COUNTRY = {country: names for names, countries in _NAMES.items() for country in countries.split()}
_NUMBER_FIRST = (_ENGLISH, _FRENCH, _CHINESE, _ARABIC, _VIETNAMESE)
COUNT = len(_ENGLISH)


def street_address(country: str, number: int, place: int) -> str:
    """House number and street of a country (by code): `Hauptstraße 12`, `12 rue de la Gare`, `3-4-12 Honcho`."""
    names = _BY_COUNTRY.get(country, _ENGLISH)
    name = names[place % COUNT]
    name = name.replace("ß", "ss") if country in ("CH", "LI") else name
    if names is _JAPANESE:
        return f"{number % 6 + 1}-{number % 19 + 1}-{number % 13 + 1} {name}"
    return f"{number} {name}" if names in _NUMBER_FIRST else f"{name} {number}"
