"""Food/spoonacular_misc, second half: questions, text, jokes, trivia and a chatbot that remembers."""

import functools
import re
from typing import Annotated, Literal, NotRequired, TypedDict

from toolyard.world.kernel.faults import ToolFault, invalid
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import Store, World
from toolyard.world.kernel.tables import read_table, table_texts
from toolyard.world.kernel.types import IngredientName, Prose, Range, RecipeId, Semantic
from toolyard.world.simulated.food.ingredients import Ingredient, find_ingredients, find_spans
from toolyard.world.simulated.food.nutrients import find_nutrient
from toolyard.world.simulated.food.recipes import DIETS, Dish, Recipe, all_cuisines, all_dishes, search
from toolyard.world.simulated.food.value_types import DishName, FewCount
from toolyard.world.tools.food.argument_checks import check_text as spoken
from toolyard.world.tools.food.ingredient_tools import substitutes_for
from toolyard.world.tools.food.quick_answers import food_names, quick_answer
from toolyard.world.tools.food.wines import wine_pairing

GROUP = Group("Food/spoonacular_misc")
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


@GROUP.tool(
    examples=[{"text": "I like to eat delicious tacos. Only a cheeseburger with cheddar is better."}],
    phrase="detect every dish and ingredient mentioned in this text: {text}",
    noun="the detected food mentions",
)
def detect_food_in_text(*, text: Prose) -> Detected:
    """Dishes and ingredients that a text names, with their places in it; places count from 0, and the end is excluded.

    text: The text to look through; the first 6,000 characters count.
    """
    text = spoken(text, "text", "I ate two tacos.")[:6000]
    found = [_make_annotation(text, row, start, end) for row, start, end in find_spans(text, food_names())]
    return {"annotations": found[:100]}


def _make_annotation(text: str, row: Ingredient | Dish, start: int, end: int) -> Annotation:
    if isinstance(row, Dish):
        return {"annotation": text[start:end], "tag": "dish", "start": start, "end": end, "dish": row.title}
    return {
        "annotation": text[start:end],
        "tag": "ingredient",
        "start": start,
        "end": end,
        "ingredient": row.name,
    }


@GROUP.tool(
    phrase="tell me a random joke about food",
    noun="the food joke",
    jobs=("jokes",),
    stands_in_for=("Food/spoonacular_misc/talk_to_chatbot",),
)
def random_food_joke(world: World) -> Joke:
    """A joke about food."""
    return {"text": world.draw_anew(food_lore("joke"), "food joke"), "kind": "joke"}


@GROUP.tool(
    phrase="tell me a random piece of food trivia",
    noun="the food trivia",
    stands_in_for=("Food/spoonacular_misc/talk_to_chatbot",),
)
def random_food_trivia(world: World) -> Trivia:
    """A fact about food."""
    return {"text": world.draw_anew(food_lore("trivia"), "food trivia"), "kind": "trivia"}


@functools.cache
def food_lore(kind: str) -> tuple[str, ...]:
    """All jokes or trivia about food."""
    return tuple(row["text"] for row in read_table("food_lore.tsv") if row["kind"] == kind)


_COURSES = ("dessert", "breakfast", "soup", "salad", "snack", "dinner")
_GREETINGS = table_texts("food_talk.greetings")
_WINE = re.compile(r"\bwines?\b.*?\b(?:with|for|to) (?:an? |the |my |some )?([^?.!]+)", re.IGNORECASE)
_OTHERS = re.compile(r"\b(?:substitute|replace|instead of)\b", re.IGNORECASE)


def _fitting_recipes(seed: int, wanted: str) -> list[Recipe]:
    """Recipes with all that a sentence names: foods, dishes, cuisines, courses and diets."""
    text = wanted.lower().replace("-", " ")
    names = [*DIETS, *_COURSES, *map(str.lower, all_cuisines())]
    spoken = [wanted[start:end] for _, start, end in find_spans(wanted, food_names())]
    asked = dict.fromkeys((*(name for name in names if f" {name} " in f" {text} "), *spoken))
    return search(seed, " ".join(asked) or wanted)


def _quick_reply(world: World, text: str) -> str:
    """The answer to a question about nutrients, substitutes or wine; nothing to all else."""
    named = next(find_ingredients(text), None)
    try:
        if find_nutrient(text) and re.search(r"\bhow (?:much|many)\b", text, re.IGNORECASE):
            return quick_answer(world, q=text)["answer"]
        if named and _OTHERS.search(text):
            return f"Instead of {named.ingredient.name} you can take: {'; '.join(substitutes_for(named.ingredient))}."
        if asked := _WINE.search(text):
            return f"You could drink: {', '.join(wine_pairing(world, food=asked[1])['pairedWines'])}."
    except ToolFault:
        pass
    return ""


def _chatbot_reply(world: World, text: str, memory: dict[str, object]) -> tuple[str, list[Recipe], str]:
    """What the chatbot says, the recipes it offers, and the query to remember."""
    lower = text.lower()
    query, shown = str(memory.get("query", "")), int(str(memory.get("shown", 0)))
    for kind in ("joke", "trivia"):
        if kind in lower:
            return world.draw("chat").choice(food_lore(kind)), [], query
    if answer := _GREETINGS.get(lower.strip(" .!?")) or _quick_reply(world, text):
        return answer, [], query
    more = lower.strip(" .!?") in ("more", "show me more", "next", "others")
    if more and not query:
        return "Tell me first what you would like to cook.", [], query
    wanted, start = (query, shown) if more else (text, 0)
    found = _fitting_recipes(world.seed, wanted)[start : start + 3] if wanted.strip() else []
    if not found and more:
        return "That is all I know of this kind. What else would you like to cook?", [], query
    if not found:
        return "I know no recipe like that. Try an ingredient or a dish.", [], query
    said = "Here is more:" if more else "You could cook:"
    return f"{said} {', '.join(row.title for row in found)}.", found, wanted


@GROUP.tool(
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
    answer, offered, query = _chatbot_reply(world, text[:300], memory)
    shown = int(str(memory.get("shown", 0))) if query == memory.get("query") else 0
    turn = int(str(memory.get("turn", 0))) + 1
    view[contextId] = {"query": query, "shown": shown + len(offered), "turn": turn, "last": text[:300]}
    return {
        "answerText": answer,
        "contextId": contextId,
        "turn": turn,
        "media": [{"number": n, "id": row.id, "title": row.title} for n, row in enumerate(offered, 1)],
    }


@GROUP.tool(
    examples=[{"query": "tell"}, {"query": "chicken", "number": 3}],
    phrase=(
        "suggest sentences I could say to the food chatbot that contain {query}[, returning at most {number} "
        "sentences]"
    ),
    noun="the chatbot sentence suggestions",
)
def conversation_suggests(*, query: str, number: FewCount = 5) -> Suggestions:
    """Sentences that one could say to the chatbot and that hold what was typed.

    query: Part of a sentence, a word or its first letters.
    number: How many sentences at most.
    """
    spoken(query, "query", "tell")
    names = [row.ingredient.name for row in find_ingredients(query)] or ["chicken", "salmon", "tofu"]
    sentences = [
        "Tell me a joke",
        "Tell me some food trivia",
        "Show me more",
        *(f"Suggest a dish with {name}" for name in names),
        *(f"What can I use instead of {name}?" for name in names),
        *(f"Find a substitute for {name}" for name in names),
        *(f"Show me {cuisine} recipes" for cuisine in all_cuisines()),
        *(f"Suggest a {diet} dish" for diet in DIETS),
        *(f"Suggest a {wish}{course}" for wish in ("", "quick ", "vegan ") for course in _COURSES),
        *(f"Give me a recipe for {dish}" for dish in dict.fromkeys(row.dish for row in all_dishes())),
        *(f"How do I cook {dish}?" for dish in dict.fromkeys(row.dish for row in all_dishes())),
    ]
    wanted = query.strip().lower()
    found = [text for text in sentences if f" {wanted}" in f" {text.lower()}"]
    return {"suggests": found[:number]}
