"""Food/spoonacular_misc, second half: questions, text, jokes, trivia and a chatbot that remembers."""

from __future__ import annotations

import re
from typing import Annotated, Literal, NotRequired, TypedDict

from toolyard.world.faults import ToolFault, invalid
from toolyard.world.registry import tool
from toolyard.world.state import Store, World
from toolyard.world.types import IngredientName, Prose, Range, RecipeId, Semantic
from toolyard.world.worlds.food.asked import said as spoken
from toolyard.world.worlds.food.asked_foods import asked_food
from toolyard.world.worlds.food.cards import all_cuisines
from toolyard.world.worlds.food.food_lore import JOKES, TRIVIA
from toolyard.world.worlds.food.food_mentions import FoodMention, food_mentions
from toolyard.world.worlds.food.ingredients import (
    INTOLERANCES,
    called,
    find_ingredient,
    ingredient_or_none,
    mentions,
    tolerated,
)
from toolyard.world.worlds.food.kitchen_help import converted, cooking_time
from toolyard.world.worlds.food.meanings import DishName, FewCount
from toolyard.world.worlds.food.quick_answers import asked_nutrient, quick_answer
from toolyard.world.worlds.food.recipe_words import search
from toolyard.world.worlds.food.recipes import Recipe, every_recipe, recipes
from toolyard.world.worlds.food.substitutes import substitutes_for
from toolyard.world.worlds.food.wine_foods import written
from toolyard.world.worlds.food.wines import dish_pairing_for_wine, wine_pairing

GROUP = "Food/spoonacular_misc"
CONVERSATIONS = Store("food_conversations")
ContextId = Annotated[str, Semantic("food_conversation_id"), Range(1, 100)]


class Annotation(TypedDict):
    annotation: str
    tag: Literal["ingredient", "dish"]
    start: int
    end: int
    ingredient: NotRequired[IngredientName]
    dish: NotRequired[DishName]


class Detected(TypedDict):
    annotations: list[Annotation]


class Joke(TypedDict):
    text: Prose
    kind: Literal["joke"]


class Trivia(TypedDict):
    text: Prose
    kind: Literal["trivia"]


class Offered(TypedDict):
    number: int
    id: RecipeId
    title: DishName


class Reply(TypedDict):
    answerText: Prose
    contextId: ContextId
    turn: int
    media: list[Offered]


class Suggestions(TypedDict):
    suggests: list[str]


@tool(
    GROUP,
    examples=[{"text": "I like to eat delicious tacos. Only a cheeseburger with cheddar is better."}],
    phrase="detect every dish and ingredient mentioned in this text: {text}",
    noun="the detected food mentions",
)
def detect_food_in_text(*, text: Prose) -> Detected:
    """Dishes and ingredients that a text names, with their places in it; places count from 0, and the end is excluded.

    text: The text to look through; the first 6,000 characters count.
    """
    text = spoken(text, "text", "I ate two tacos.")[:6000]
    return {"annotations": [_annotation(text, row) for row in food_mentions(text)[:100]]}


def _annotation(text: str, row: FoodMention) -> Annotation:
    spoken_of = text[row.start : row.end]
    if row.tag == "dish":
        return {"annotation": spoken_of, "tag": "dish", "start": row.start, "end": row.end, "dish": row.name}
    return {
        "annotation": spoken_of,
        "tag": "ingredient",
        "start": row.start,
        "end": row.end,
        "ingredient": row.name,
    }


@tool(
    GROUP,
    examples=[{}],
    phrase="tell me a random joke about food",
    noun="the food joke",
    jobs=("jokes",),
    stands_in_for=("Food/spoonacular_misc/talk_to_chatbot",),
)
def random_food_joke(world: World) -> Joke:
    """A joke about food."""
    return {"text": world.draw_anew(JOKES, "food joke"), "kind": "joke"}


@tool(
    GROUP,
    examples=[{}],
    phrase="tell me a random piece of food trivia",
    noun="the food trivia",
    stands_in_for=("Food/spoonacular_misc/talk_to_chatbot",),
)
def random_food_trivia(world: World) -> Trivia:
    """A fact about food."""
    return {"text": world.draw_anew(TRIVIA, "food trivia"), "kind": "trivia"}


_DIETS = ("vegan", "vegetarian", "gluten free", "dairy free", "pescatarian", "ketogenic")
_COURSES = ("dessert", "breakfast", "soup", "salad", "snack")


def _fitting(seed: int, wanted: str) -> list[Recipe]:
    """Recipes for a sentence; those alone that keep to the diets and courses it names."""
    said = wanted.lower().replace("-", " ")
    diets = [diet for diet in _DIETS if diet in said]
    courses = [course for course in _COURSES if course in said]
    kitchens = {kitchen for name, kitchen in _KITCHENS.items() if name in said}
    kitchens |= {
        name for row in every_recipe(seed) for name in row.cuisines if f" {name.lower()} " in f" {said} "
    }
    avoided = [name for name in INTOLERANCES if _avoided(name, said)]
    left_out = [asked_food(match[1]) for match in _AVOIDED.finditer(said) if ingredient_or_none(match[1])]
    found = search(seed, _essence(_AVOIDED.sub(" ", wanted)))
    if not diets and not courses and not kitchens and not avoided and not left_out:
        return found
    every = (
        found
        if (avoided or left_out) and found and not (diets or courses or kitchens)
        else every_recipe(seed)
    )
    # Who names a food wants that and no other.
    every = found if food_mentions(_AVOIDED.sub(" ", wanted)) else every
    every = [*found, *(row for row in every if row not in found)]
    if kitchens:
        every.sort(
            key=lambda row: (row.cuisines[0] not in kitchens, not courses and "main course" not in row.types)
        )
    # Who asks for the food of a country does not ask for coffee.
    drinks = bool(_DRINKS.search(said))
    return [
        row
        for row in every
        if all(row.suits(diet) for diet in diets)
        and not any(food.any_in(row) for food in left_out)
        and (drinks or not kitchens or "drink" not in row.types)
        and all(one in row.types for one in courses)
        and (not kitchens or kitchens & set(row.cuisines))
        and tolerated(row.flags, avoided)
    ]


_DRINKS = re.compile(r"\b(?:drinks?|cocktails?|coffees?|teas?|juices?|beverages?|smoothies?)\b")
# Wishes that a search understands beside the food.
_WISHED = re.compile(r"\b(?:quick|fast|healthy|spicy|low carb|keto|paleo|veggie)\b", re.I)
# What a question is asked with, which names no food.
_ASKING = re.compile(
    r"\b(?:what|how|who|when|where|which|why|can|could|would|should|do|does|did|is|are|i|you|me|my|we|long|good|have|has|"
    r"there|with|for|to|a|an|the|s|t|m|re|ve|ll|d)\b",
    re.I,
)


def _essence(text: str) -> str:
    """The foods and wishes that a sentence names; what is left of it without its question words where it names none."""
    foods = [text[row.start : row.end] for row in food_mentions(text)]
    if foods:
        return " ".join((*_WISHED.findall(text), *foods))
    return " ".join(_ASKING.sub(" ", text.replace("'", " ")).split())


# What somebody cannot eat, as people say it.
_AVOIDED = re.compile(
    r"\b(?:allergic to|allergy to|intolerant to|intolerance to|without|no|cannot eat|can't eat) (\w+)", re.I
)
_SPOKEN = {"Dairy": "dairy milk lactose cheese", "Egg": "egg eggs", "Gluten": "gluten", "Peanut": "peanut peanuts nuts",
           "Seafood": "seafood fish", "Shellfish": "shellfish shrimp", "Soy": "soy tofu",
           "Tree Nut": "nuts nut almonds walnuts", "Wheat": "wheat", "Sesame": "sesame"}  # fmt: skip
_KITCHENS = {
    "thailand": "Thai", "italy": "Italian", "mexico": "Mexican", "japan": "Japanese", "china": "Chinese", "india": "Indian",
    "france": "French", "greece": "Greek", "spain": "Spanish", "korea": "Korean", "vietnam": "Vietnamese",
    "peru": "Peruvian",
    "germany": "German", "morocco": "Moroccan", "brazil": "Brazilian", "indonesia": "Indonesian", "poland": "Polish",
}  # fmt: skip


def _avoided(name: str, said: str) -> bool:
    return any(match[1].lower() in _SPOKEN.get(name, "").split() for match in _AVOIDED.finditer(said))


def _small_talk(world: World, lower: str) -> str:
    """What the chatbot answers to a greeting, to thanks and to a wish for a joke or trivia; nothing to all else."""
    if "joke" in lower:
        return world.draw("chat").choice(JOKES)
    if "trivia" in lower or "fact" in lower or re.search(r"\binteresting about\b", lower):
        return world.draw("chat").choice(TRIVIA)
    bare = lower.strip(" .!?")
    if bare in ("hello", "hi", "hey", "good morning", "good evening", "hello there", "hi there"):
        return "Hello! Tell me what you would like to cook, or ask for a joke."
    if bare in ("help", "what can you do", "who are you"):
        return "Ask me for recipes, substitutes, conversions, nutrients, a wine for a dish, a joke or trivia."
    return "You are welcome. Enjoy your meal!" if bare in ("thanks", "thank you", "bye", "goodbye") else ""


_WINE = re.compile(r"\bwines?\b.*?\b(?:with|for|to) (?:an? |the |my |some )?([^?.!]+)", re.I)


def _wine_for(world: World, text: str) -> str:
    """A wine for the food that somebody asks one for; nothing where none is asked for or known."""
    asked = _WINE.search(text) if not text.lower().startswith(("suggest", "cook")) else None
    try:
        wines = wine_pairing(world, food=asked[1])["pairedWines"] if asked else []
    except ToolFault:
        return ""
    return f"You could drink: {', '.join(map(written, wines))}." if wines else ""


_WITH_WINE = re.compile(
    r"\bwhat\b.*?\b(?:goes?|pairs?|eat|serve|cook)\b.*? with (?:an? |the |my |some )?([\w' -]+)", re.I
)


def _dishes_for(text: str) -> str:
    """Dishes for the wine that somebody has; nothing where none is named."""
    asked = _WITH_WINE.search(text)
    try:
        dishes = dish_pairing_for_wine(wine=asked[1])["pairings"] if asked else []
    except ToolFault:
        return ""
    return f"It goes well with {', '.join(dishes)}." if dishes else ""


def _said(world: World, text: str, memory: dict[str, object]) -> tuple[str, list[Recipe], str]:
    """What the chatbot says, the recipes it offers, and the query to remember."""
    lower = text.lower()
    query, shown = str(memory.get("query", "")), int(str(memory.get("shown", 0)))
    small_talk = _small_talk(world, lower)
    if small_talk:
        return small_talk, [], query
    named = list(mentions(text))
    if named and re.search(r"\bhow (much|many)\b", lower) and asked_nutrient(lower):
        return quick_answer(world, q=text)["answer"], [], query
    if re.search(r"substitute|replace|instead of", lower) and named:
        row = find_ingredient(named[0].ingredient.name)
        taken = "; ".join(substitutes_for(row))
        said = (
            f"Instead of {row.name} you can take: {taken}."
            if taken
            else f"I know no substitute for {row.name}."
        )
        return said, [], query
    if told := converted(text) or cooking_time(lower):
        return told, [], query
    if wine := _dishes_for(text) or _wine_for(world, text):
        return wine, [], query
    more = lower.strip(" .!?") in ("more", "show me more", "next", "others")
    if more and not query:
        return "Tell me first what you would like to cook.", [], query
    wanted, start = (query, shown) if more else (text, 0)
    found = _fitting(world.seed, wanted)[start : start + 3] if wanted.strip() else []
    if not found and more:
        return "That is all I know of this kind. What else would you like to cook?", [], query
    if not found:
        return "I know no recipe like that. Try an ingredient or a dish.", [], query
    drinks = all("drink" in row.types for row in found)
    said = "Here is more:" if more else "You could mix:" if drinks else "You could cook:"
    return f"{said} {', '.join(row.title for row in found)}.", found, wanted


@tool(
    GROUP,
    examples=[
        {"text": "Suggest something with salmon"},
        {"text": "tell me a joke", "contextId": "evening-1"},
    ],
    phrase="say the following to the food chatbot[ with {contextId} as the conversation context]: {text}",
    noun="the food chatbot reply",
    stands_in_for=("Food",),
    general=True,
    described_as=(
        "Gives a food chatbot's reply to a sentence, in the context of a conversation if there is one."
    ),
)
def talk_to_chatbot(world: World, *, text: str, contextId: ContextId = "default") -> Reply:
    """The chatbot's reply to a sentence; it suggests recipes and substitutes, and knows jokes and trivia.

    Say "more" to get further recipes of the same kind: conversations are remembered by their context.

    text: What to say to the chatbot.
    contextId: A name of one's own for the conversation, so that it is remembered.
    """
    if not text.strip():
        raise invalid("text", text, "say something, e.g. 'suggest a pasta dish'")
    view = world.store(CONVERSATIONS)
    memory: dict[str, object] = dict(view.get(contextId, {}))
    answer, offered, query = _said(world, text[:300], memory)
    shown = int(str(memory.get("shown", 0))) if query == memory.get("query") else 0
    turn = int(str(memory.get("turn", 0))) + 1
    view[contextId] = {"query": query, "shown": shown + len(offered), "turn": turn, "last": text[:300]}
    return {
        "answerText": answer,
        "contextId": contextId,
        "turn": turn,
        "media": [{"number": n, "id": row.id, "title": row.title} for n, row in enumerate(offered, 1)],
    }


@tool(
    GROUP,
    examples=[{"query": "tell"}, {"query": "chicken", "number": 3}],
    phrase=(
        "suggest sentences I could say to the food chatbot that contain {query}[, returning at most {number} "
        "sentences]"
    ),
    noun="the chatbot sentence suggestions",
)
def conversation_suggests(world: World, *, query: str, number: FewCount = 5) -> Suggestions:
    """Sentences that one could say to the chatbot and that hold what was typed.

    query: Part of a sentence, a word or its first letters.
    number: How many sentences at most.
    """
    spoken(query, "query", "tell")
    names = [called(query, row) for row in mentions(query)] or ["chicken", "salmon", "tofu"]
    sentences = [
        "Tell me a joke",
        "Tell me some food trivia",
        "Show me more",
        *(f"Suggest a dish with {name}" for name in names),
        *(f"What can I use instead of {name}?" for name in names),
        *(f"Find a substitute for {name}" for name in names),
        *(f"Show me {cuisine} recipes" for cuisine in all_cuisines(world)),
        *(f"Suggest a {diet} dish" for diet in _DIETS),
        *(
            f"Suggest a {wish}{course}"
            for wish in ("", "quick ", "vegan ")
            for course in (*_COURSES, "dinner")
        ),
        *(f"Give me a recipe for {dish}" for dish in dict.fromkeys(row.dish for row in recipes(world.seed))),
        *(f"How do I cook {dish}?" for dish in dict.fromkeys(row.dish for row in recipes(world.seed))),
    ]
    wanted = query.strip().lower()
    found = [text for text in sentences if f" {wanted}" in f" {text.lower()}"]
    return {"suggests": found[:number]}
