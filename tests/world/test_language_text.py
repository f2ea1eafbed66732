"""Language tools compute from their lexicons, agree with one another, and say so where a lexicon ends."""

from cases import each_case
from toolyard.world import World, call
from toolyard.world.kernel.tables import read_table
from toolyard.world.reference.language_detection import detect_language
from toolyard.world.tools.nlp.prose import count_syllables, reading_ease, split_sentences
from toolyard.world.tools.translation.lexicon import LANGUAGES
from world_answers import ask


@each_case("text, language")
def test_languages_are_told(text: str, language: str) -> None:
    assert detect_language(text) == language


def test_translation_runs_both_ways_and_is_honest_about_its_limits() -> None:
    name = "Translation/Translation/get_translation_nllb"
    there = {
        "input_text": "good morning, friend",
        "src_lang": "eng_Latn",
        "tgt_lang": "spa_Latn",
        "max_length": 50,
    }
    assert ask(name, **there)["translation_text"] == "buenos días, amigo"
    back = {**there, "input_text": "buenos días, amigo", "src_lang": "spa_Latn", "tgt_lang": "eng_Latn"}
    assert ask(name, **back)["translation_text"] == "good morning, friend"
    unknown = call(World.fresh(), name, {**there, "input_text": "the quantum friend"})
    assert unknown.error == "out_of_range"
    assert "quantum" in unknown.text
    assert "friend = amigo" in unknown.text, "what is known word by word is said, not strung together"


def test_the_lexicon_is_whole_and_wide() -> None:
    words, phrases = list(read_table("translations.tsv")), list(read_table("phrases.tsv"))
    assert len({row["en"] for row in words}) >= 1000
    assert len(phrases) >= 150
    assert all(row[language] for row in (*words, *phrases) for language in LANGUAGES)


@each_case("text, language, wanted")
def test_words_and_phrases_are_translated(text: str, language: str, wanted: str) -> None:
    found = ask("Translation/Translation/get_translation_baidu", text=text, tgt_lang=language)
    assert found["result"] == wanted


def test_sentiment_follows_negation_and_strength() -> None:
    def score(text: str) -> float:
        return float(ask("NLP/NLP/sentiment_analysis", txt=text)["score"])

    assert score("The food was very good") > score("The food was good") > 0 > score("The food was not good")
    assert ask("NLP/NLP/sentiment_analysis", txt="The table has four legs.")["score_tag"] == "NONE"
    foreign = ask("NLP/NLP/sentiment_analysis", txt="Der Kaffee war kalt und das Brot alt.")
    assert (foreign["language"], foreign["score_tag"], foreign["negative_words"]) == ("de", "NONE", [])
    mixed = ask("NLP/NLP/sentiment_analysis", txt="The view was wonderful. The waiter was rude.")
    assert [row["score"] > 0 for row in mixed["sentences"]] == [True, False]
    assert mixed["agreement"] == "DISAGREEMENT"


def test_sentences_syllables_summaries_and_readability() -> None:
    assert split_sentences("Dr. Smith came. He left!") == ["Dr. Smith came.", "He left!"]
    assert [count_syllables(word) for word in ("cat", "table", "banana", "make")] == [1, 2, 3, 1]
    assert reading_ease("The cat sat on the mat.") == 116.1
    text = "Polar bears live on ice. It melts. Bears need ice to hunt seals. I had soup. Fewer bears survive without ice."
    found = ask("NLP/NLP/summarization", txt=text, sentences=3)["summary"]
    assert found == "Polar bears live on ice. Bears need ice to hunt seals. Fewer bears survive without ice."


def test_word_search_combines_wishes_and_survives_hostile_patterns() -> None:
    name = "Word/Word/search_word"
    found = ask(name, partOfSpeech="verb", letters=4, letterPattern="^s[etw]", limit=50)["words"]
    assert {"sell", "stop", "swap"} <= {row["word"] for row in found}
    assert ask(name, letterPattern="^sesquipedalian$")["words"][0]["parts_of_speech"] == [
        "noun",
        "adjective",
    ]
    assert ask(name, letterPattern="(e+)+(e+)+$", limit=1)["total"] > 0
    assert call(World.fresh(), name, {"letterPattern": "(("}).error == "invalid_value"
    assert len(ask(name, random=True)["words"]) == 1


def test_sections_of_a_page_and_of_markup() -> None:
    page = ask("NLP/NLP/document_structure", txt_url="https://en.wikipedia.org/wiki/Climate_change")
    assert "Causes" in [row["heading"] for row in page["headings"]]
    markup = "<title>Tea</title><h1>Tea</h1><p>A drink.</p><h2>History</h2><p>Old.</p>"
    found = ask("NLP/NLP/document_structure", txt=markup)
    assert (found["title"], found["abstract"], found["headings"]) == (
        "Tea",
        "A drink.",
        [{"level": 2, "heading": "History"}],
    )
    assert call(World.fresh(), "NLP/NLP/document_structure", {}).error == "invalid_value"
