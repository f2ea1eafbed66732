"""Tools of the world as a list shows them: a readable name and one line that says what the tool does.

Weather/weatherapi/marine -> ("WeatherapiMarine", "Gives waves, swell, water temperature and ...")
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Mapping, Sequence

from toolyard.synth.chains.projection import spoken
from toolyard.world.registry import library

# Names and descriptions where those of the library say too little without its other tools.
RENAMED: Mapping[str, str] = {
    "Anti_Malware/Anti_Malware/blacklist_ip_2": "RecentMalwarePages",
    "Competition/API_F1/drivers_2": "FormulaOneTeams",
    "Food/spoonacular_products/classify_grocery_product_2": "GroceryCategoryComparison",
    "URL/URL/paper_rank": "DomainPageRank",
    "IP/IP/get_ip": "MachineIPAddress",
    "Execute/Execute/exectue_pycode_REPL": "PythonSession",
    "Execute/Execute/exectue_pycode_REPL_Ast": "PythonSessionValue",
    "Execute/Execute/execute_pycode": "PythonProgram",
    "Execute/Execute/execute_bash_code": "BashShell",
    "Execute/Execute/execute_mysql_query": "MysqlQuery",
    "Search/EngineSearch/yelp_search": "YelpWebSearch",
    "Entity/Wiki_data/search_by_code": "WikidataSparql",
    "Database/non_local/gutendex": "GutendexCatalogue",
    "Database/non_local/poetry": "PoetryCollection",
    "Mail/Mail/recieve_id": "OpenMail",
    "Mail/Mail/recieve_latest": "NewestMail",
    "Mail/Mail/recieve_list": "MailInbox",
    "Mail/Mail/send": "SendMail",
    "Mail/Mail/send_list": "SendMailToSeveral",
    "Food/Tasty/get_more_info": "TastyRecipePage",
    "Food/Tasty/list_feeds": "TastyRecipeFeed",
    "Food/Tasty/list_tags": "TastyTags",
    "Food/Tasty/load_tips": "TastyReaderTips",
    "Food/Tasty/get_auto_suggestion": "TastySearchSuggestions",
    "Stock/Stock/get_open_info": "MarketOpeningHours",
    "News/space_news/get_news_articles": "SpaceNewsArticles",
    "News/space_news/get_news_articles_by_id": "SpaceNewsArticleById",
    "News/space_news/get_news_blogs": "SpaceNewsBlogs",
    "News/space_news/get_news_blogs_by_id": "SpaceNewsBlogById",
    "News/space_news/get_news_info": "SpaceNewsInfo",
    "News/space_news/get_news_reports": "SpaceNewsReports",
    "News/space_news/get_news_reports_by_id": "SpaceNewsReportById",
    "Finance/Global_Ethereum_Price_Index/get_all_ticker_data": "EtherFullTicker",
    "Finance/Global_Ethereum_Price_Index/get_custom_ticker": "EtherCustomTicker",
    "Finance/Global_Ethereum_Price_Index/get_short_ticker": "EtherShortTicker",
    "Finance/Global_Ethereum_Price_Index/get_ticker_changes": "EtherPriceChanges",
    "Finance/Global_Ethereum_Price_Index/get_ticker_per_symbol": "EtherTickerBySymbol",
    "Advice/Bored/get_random_event": "RandomActivity",
    "Search/CostumizeSearch/get_further_contents": "WebPageText",
    "Search/CostumizeSearch/google_autocomplete_search": "GoogleAutocomplete",
    "Search/CostumizeSearch/google_related_question_search": "GoogleRelatedQuestions",
    "Search/ShoppingSearch/google_autocomplete_search": "ShoppingAutocomplete",
    "Search/ShoppingSearch/google_related_question_search": "ShoppingRelatedQuestions",
}
REDESCRIBED: Mapping[str, str] = {
    "Calendar/Calendar/available_countries": "Lists the countries whose holidays the calendar knows, with their codes.",
    "Competition/API_F1/drivers_2": "Lists Formula 1 teams with nationality, seasons, races and wins since 2012.",
    "Competition/API_BASKETBALL/leagues": "Lists basketball leagues and cups with the seasons known of each.",
    "Competition/API_BASKETBALL/game": "Lists basketball games with their quarters and points, in order of time.",
    "News/news_search/get_news_headlines_sources": "Lists the outlets that news comes from, with their ids.",
    "Travel/Hotels_Statistical_Data/search_location": "Gives hotel location number, IATA code and position of a city.",
    "Travel/Hotels/search_locations": "Lists cities and hotels that fit a text, with their region numbers.",
    "Advice/Bored/get_activity_by_accessibility": "Draws an activity of exactly one accessibility by chance.",
    "Advice/Bored/get_activity_by_participants": "Draws an activity for a number of people by chance.",
    "Advice/Bored/get_activity_by_price": "Draws an activity of exactly one price level by chance.",
    "Calendar/Calendar/long_weekend": "Lists long weekends, runs of three or more days off around holidays.",
    "Finance/Yahoo_Finance_market/get_popular_watchlists": (
        "Gives collections of shares that many people follow, with their mean change today."
    ),
    "Finance/Yelp/yelp_business_details": (
        "Gives contact, offers, features and opening hours of one business on Yelp, and whether it is open now."
    ),
    "Food/spoonacular_misc/talk_to_chatbot": (
        "Gives a food chatbot's reply to a sentence, in the context of a conversation if there is one."
    ),
    "Paper/meta_analysis/get_paper_details": (
        "Gives everything known about one paper, with the papers it cites and up to twenty citing papers."
    ),
    "Search/ShoppingSearch/ebay_search": "Gives listings of new and used goods on eBay, also auctions, twelve at most.",
    "Weather/weatherapi/current_weather": "Gives the measured weather conditions at a place right now.",
    "Weather/weatherapi/time_zone": "Gives the time zone of a place, its offset from UTC, and the local time there now.",
    "NLP/NLP/document_structure": "Gives title, abstract and headings of a document, from its text or its address.",
    "NLP/NLP/linguistic_analysis": "Gives base forms, parts of speech and sentences of a text, and how easy it reads.",
    "Faker/fake_data/fake_data": "Invents rows of data of one kind, e.g. persons or products, to fill a test system.",
    "Faker/fake_data/fake_data_custom": "Invents rows of data whose fields the caller names and types.",
    "Random/Random/generate_placeholder_text": "Invents sentences of filler text in mock Latin.",
    "Random/Random/generate_string": "Draws strings of random upper- and lower-case letters.",
}
_SPELLING: Mapping[str, str] = {
    "acitcity": "activity",
    "claasificatioin": "classification",
    "calory": "calorie",
    "calender": "calendar",
    "infomation": "information",
    "coinmarketmap": "coin market cap",
    "costumize": "custom",
    "multimodel": "multimodal",
    "prive": "price",
}
# Groups whose category does not say what they are about.
_ABOUT: Mapping[str, str] = {"Search/ShoppingSearch": "Product", "Finance/Yelp": "Location"}
_LEADING_VERBS = frozenset({"get", "fetch"})
_QUESTIONS = frozenset({"Whether", "How", "What", "Which", "Who", "When", "Where"})
_VERBS = frozenset({"Sends", "Scans", "Runs", "Puts"})
_PROPER = frozenset({"Indian", "Nobel", "Walmart's", "Grands", "NBA", "ICAO", "IATA", "IIIF", "Poisson"})
_SINGULAR = frozenset({"A", "An", "The", "One", "Everything", "Today's"})


@functools.cache
def offered() -> Mapping[str, tuple[str, str]]:
    """(name, description) by id, of every tool that a list may hold; of equal descriptions only the first."""
    names = _names()
    known: dict[str, str] = {}
    for tool in library():
        known.setdefault(_description(tool), tool)
    return {tool: (names[tool], description) for description, tool in known.items()}


def ids() -> Mapping[str, str]:
    """Id by listed name."""
    return {name: tool for tool, (name, _) in offered().items()}


def group(tool: str) -> str:
    """`Category/Subcategory` of an id."""
    return tool.rsplit("/", 1)[0]


def category(tool: str) -> str:
    """What a tool is about: the first part of its id, but for groups that are about something else."""
    return _ABOUT.get(group(tool), tool.split("/", 1)[0])


@functools.cache
def _names() -> Mapping[str, str]:
    """The tool's own words where they are at least two and its alone, else with the service before them."""
    names: dict[str, str] = dict(RENAMED)
    for parts in (1, 2, 3):
        left = {tool: _camel(tool, parts) for tool in library() if tool not in names}
        counts = Counter([*left.values(), *names.values()])
        names |= {
            tool: name
            for tool, name in left.items()
            if counts[name] == 1 and (parts > 1 or len(_words(tool.split("/")[-1])) > 1)
        }
    return names


def _camel(tool: str, parts: int) -> str:
    """The words of the last parts of an id as one name, none twice in a row."""
    words = [word for part in tool.split("/")[-parts:] for word in _words(part)]
    kept = [word for n, word in enumerate(words) if n == 0 or word.lower() != words[n - 1].lower()]
    return "".join(word if word.isupper() else word.capitalize() for word in kept)


def _words(part: str) -> Sequence[str]:
    words = " ".join(_SPELLING.get(word, word) for word in spoken(part).split()).split()
    return words[1:] if words[0] in _LEADING_VERBS and len(words) > 1 else words


def _description(tool: str) -> str:
    """What the tool does, as a sentence with a verb."""
    if tool in REDESCRIBED:
        return REDESCRIBED[tool]
    text = library()[tool].document.description
    first = text.split(" ", 1)[0]
    if first in _VERBS:
        return text
    if first in _QUESTIONS:
        return f"Tells {_lower(text)}"
    plural = first.endswith("s") and first not in _SINGULAR and not first.endswith(("ss", "'s"))
    listed = plural or first in ("All", "Every", "Ten", "Eight", "Seven", "Up")
    return f"{'Lists' if listed else 'Gives'} {_lower(text)}"


def _lower(text: str) -> str:
    first = text.split(" ", 1)[0]
    proper = first in _PROPER or first[1:2].isupper()
    return text if proper else text[0].lower() + text[1:]
