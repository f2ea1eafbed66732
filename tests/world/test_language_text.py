"""Language tools compute from their lexicons, agree with one another, and say so where a lexicon ends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from toolyard.world import World, call
from toolyard.world.kernel.tables import read_table
from toolyard.world.reference.tongues import language_of
from toolyard.world.tools.nlp.prose import reading_ease, sentences, syllables
from toolyard.world.tools.translation.lexicon import LANGUAGES
from toolyard.world.tools.word.lexicon import own


def ask(name: str, arguments: Mapping[str, Any], world: World | None = None) -> Any:
    observation = call(world or World.fresh(), name, arguments)
    assert observation.error is None, observation.text
    return observation.value


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Where are the children?", "en"),
        ("Je ne sais pas où est la maison", "fr"),
        ("¿Dónde está la casa de los niños?", "es"),
        ("Ich weiß nicht, wo das Haus ist", "de"),
        ("Non so dove è la casa dei bambini", "it"),
        ("As crianças não estão em casa", "pt"),
        ("我爱你", "zh"),
        ("こんにちは世界", "ja"),
        ("Привет", "ru"),
        ("Dziękuję bardzo", "pl"),
        ("Merhaba, nasılsın?", "tr"),
        ("دوست دارم", "fa"),
        ("love", "en"),
        ("", "en"),
    ],
)
def test_languages_are_told(text: str, language: str) -> None:
    assert language_of(text) == language


def test_translation_runs_both_ways_and_is_honest_about_its_limits() -> None:
    name = "Translation/Translation/get_translation_nllb"
    there = {
        "input_text": "good morning, friend",
        "src_lang": "eng_Latn",
        "tgt_lang": "spa_Latn",
        "max_length": 50,
    }
    assert ask(name, there)["translation_text"] == "buenos días, amigo"
    back = {
        "input_text": "buenos días, amigo",
        "src_lang": "spa_Latn",
        "tgt_lang": "eng_Latn",
        "max_length": 50,
    }
    assert ask(name, back)["translation_text"] == "good morning, friend"
    unknown = call(World.fresh(), name, {**there, "input_text": "the quantum friend"})
    assert unknown.error == "not_found"
    assert "quantum" in unknown.text
    assert "friend = amigo" in unknown.text, "what is known word by word is said, not strung together"
    assert ask("Translation/Translation/get_translation_baidu", {"text": "我爱你到永远", "tgt_lang": "en"})[
        "result"
    ] == ("I will love you forever")


def test_the_lexicon_is_whole_and_wide() -> None:
    words, phrases = list(read_table("translations.tsv")), list(read_table("phrases.tsv"))
    assert len({row["en"] for row in words}) >= 1000
    assert len(phrases) >= 150
    assert all(row[language] for row in (*words, *phrases) for language in LANGUAGES)
    for text, target, wanted in (
        ("Good morning", "pt", "Bom dia"), ("What's your name?", "fra", "Comment tu t'appelles ?"),
        ("to eat", "kor", "먹다"),
        ("Germany", "tr", "Almanya"), ("понедельник", "swe", "måndag"), ("ich weiß nicht", "pl", "nie wiem"),
    ):  # fmt: skip
        assert (
            ask("Translation/Translation/get_translation_baidu", {"text": text, "tgt_lang": target})["result"]
            == wanted
        )


def test_sentiment_follows_negation_and_strength() -> None:
    def score(text: str) -> float:
        return float(ask("NLP/NLP/sentiment_analysis", {"txt": text})["score"])

    assert score("The food was very good") > score("The food was good") > 0 > score("The food was not good")
    assert ask("NLP/NLP/sentiment_analysis", {"txt": "The table has four legs."})["score_tag"] == "NONE"
    foreign = ask("NLP/NLP/sentiment_analysis", {"txt": "Der Kaffee war kalt und das Brot alt."})
    assert (foreign["language"], foreign["score_tag"], foreign["negative_words"]) == ("de", "NONE", [])
    mixed = ask("NLP/NLP/sentiment_analysis", {"txt": "The view was wonderful. The waiter was rude."})
    assert [row["score"] > 0 for row in mixed["sentences"]] == [True, False]
    assert mixed["agreement"] == "DISAGREEMENT"


def test_sentences_syllables_and_readability() -> None:
    assert sentences("Dr. Smith came. He left!") == ["Dr. Smith came.", "He left!"]
    assert [syllables(word) for word in ("cat", "table", "banana", "make")] == [1, 2, 3, 1]
    assert reading_ease("The cat sat on the mat.") == 116.1


def test_a_summary_keeps_sentences_of_the_text_in_order() -> None:
    text = "Polar bears live on ice. It melts. Bears need ice to hunt seals. I had soup. Fewer bears survive without ice."
    found = ask("NLP/NLP/summarization", {"txt": text, "sentences": 3})["summary"]
    assert found == "Polar bears live on ice. Bears need ice to hunt seals. Fewer bears survive without ice."


def test_synonyms_antonyms_and_rhymes_are_consistent() -> None:
    for word, rows in own().items():
        assert word not in {other for row in rows for other in (*row["synonyms"], *row["antonyms"])}
    assert "night" in ask("Word/Word/get_rhymes", {"word": "light"})["rhymes"]
    assert "light" in ask("Word/Word/get_rhymes", {"word": "delight"})["rhymes"]
    assert ask("Word/Word/get_pronunciation", {"word": "encyclopedia"})["syllable_count"] == 6


def test_word_search_combines_wishes_and_survives_hostile_patterns() -> None:
    name = "Word/Word/search_word"
    found = ask(name, {"partOfSpeech": "verb", "letters": 4, "letterPattern": "^s[etw]", "limit": 50})[
        "words"
    ]
    assert {"sell", "stop", "swap"} <= {row["word"] for row in found}
    assert ask(name, {"letterPattern": "^sesquipedalian$"})["words"][0]["parts_of_speech"] == [
        "noun",
        "adjective",
    ]
    assert ask(name, {"letterPattern": "(e+)+(e+)+$", "limit": 1})["total"] > 0
    assert call(World.fresh(), name, {"letterPattern": "(("}).error == "invalid_value"
    assert len(ask(name, {"random": True})["words"]) == 1


def test_names_are_judged_alike_by_all_three_tools() -> None:
    assert (
        ask("Predict/Predict/predict_nationality", {"names": ["Wang"]})[0]["countries"][0]["country_id"]
        == "CN"
    )
    genders = ask("Predict/Predict/predict_gender", {"names": ["Tom", "Alice", "Xyzzy"]})
    assert [row["gender"] for row in genders] == ["male", "female", None]
    ages = ask("Predict/Predict/predict_age", {"names": ["Sophia", "Elizabeth"], "country_id": "England"})
    assert ages[0]["age"] < ages[1]["age"]
    assert {row["country_id"] for row in ages} == {"GB"}


def test_advice_and_activities_can_be_found_again() -> None:
    world = World.fresh()
    slip = ask("Advice/Advice_slip/random_advice", {}, world)
    assert ask("Advice/Advice_slip/advice_by_id", {"slip_id": slip["slip_id"]}, world) == slip
    assert ask("Advice/Advice_slip/advice_by_id", {"slip_id": 456})["slip_id"] == 456
    slips = ask("Advice/Advice_slip/search_advice", {"query": "healthy eating"})["slips"]
    assert [row["topic"] for row in slips[:4]] == ["healthy eating"] * 4
    activity = ask("Advice/Bored/get_activity_by_price_range", {"minprice": 0.3, "maxprice": 0.4}, world)
    assert 0.3 <= activity["price"] <= 0.4
    assert ask("Advice/Bored/get_activity_by_key", {"key": activity["key"]}) == activity
    assert len({row["id"] for row in ask("Joke/jokes/random_ten_joke", {}, world)}) == 10


def test_sections_of_a_page_and_of_markup() -> None:
    page = ask("NLP/NLP/document_structure", {"txt_url": "https://en.wikipedia.org/wiki/Climate_change"})
    assert "Causes" in [row["heading"] for row in page["headings"]]
    markup = "<title>Tea</title><h1>Tea</h1><p>A drink.</p><h2>History</h2><p>Old.</p>"
    found = ask("NLP/NLP/document_structure", {"txt": markup})
    assert (found["title"], found["abstract"], found["headings"]) == (
        "Tea",
        "A drink.",
        [{"level": 2, "heading": "History"}],
    )
    assert call(World.fresh(), "NLP/NLP/document_structure", {}).error == "invalid_value"
