"""Trends: the topics that go on from what has been typed, those with an article of their own first."""

from typing import TypedDict

from toolyard.world.kernel.faults import invalid, not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.tables import plain
from toolyard.world.kernel.types import SearchText
from toolyard.world.reference.encyclopaedia.entries import complete_title, entries_named, suggest_titles
from toolyard.world.reference.encyclopaedia.entry import EntryTitle
from toolyard.world.tools.trend.related_searches import kind_of, near_topics

GROUP = Group("Trend/Google_Trends")
_MOST = 6


class Completion(TypedDict):
    title: EntryTitle
    type: str


@GROUP.tool(
    examples=[{"query": "Healthy Recipes"}, {"query": "coffee"}],
    phrase="suggest Google Trends terms and topics that continue from {query}",
    noun="the Google Trends suggestions",
    jobs=("completions",),
)
def google_trends_autocomplete_search(*, query: SearchText) -> list[Completion]:
    """Topics that fit what has been typed so far, each with its kind.

    query: What has been typed so far.
    """
    if not query.strip():
        raise invalid("query", query, "want the beginning of a term, e.g. solar pan")
    found = {
        (entry["title"], kind_of(entry)): entry
        for entry in (*entries_named(query)[:2], *complete_title(query, _MOST))
    }
    if not found:
        raise not_found("topic that begins with", query[:60], nearest=suggest_titles(query))
    for title in near_topics(0, query):
        found.setdefault((title, kind_of(entries_named(title)[0])), entries_named(title)[0])
    ranked = sorted(
        found.values(),
        key=lambda entry: (not plain(entry["title"]).startswith(plain(query)), entry["qid"][0]),
    )
    return [{"title": entry["title"], "type": kind_of(entry)} for entry in ranked[:_MOST]]
