"""Food/spoonacular_misc, second half: questions, text, jokes, trivia and a chatbot that remembers."""

from __future__ import annotations

import functools
import re
from typing import Annotated, Literal, NotRequired, TypedDict

from toolyard.world.faults import ToolFault, invalid
from toolyard.world.reference import wordnet
from toolyard.world.registry import tool
from toolyard.world.shared.geography import read_table
from toolyard.world.state import Store, World
from toolyard.world.types import IngredientName, Prose, Range, RecipeId, Semantic
from toolyard.world.worlds.food.asked import said as spoken
from toolyard.world.worlds.food.cards import all_cuisines
from toolyard.world.worlds.food.dishes import dish_rows
from toolyard.world.worlds.food.food_lore import JOKES, TRIVIA
from toolyard.world.worlds.food.ingredients import (
    NUTRIENTS,
    NutrientKind,
    find_ingredient,
    mentions,
    nutrient_kind,
    singular,
)
from toolyard.world.worlds.food.meanings import DishName, FewCount, NutrientName
from toolyard.world.worlds.food.measures import Line, read_line
from toolyard.world.worlds.food.recipes import Recipe, more_recipes, recipes, search
from toolyard.world.worlds.food.substitutes import substitutes_for

GROUP = "Food/spoonacular_misc"
CONVERSATIONS = Store("food_conversations")
ContextId = Annotated[str, Semantic("food_conversation_id"), Range(1, 100)]
_ASKED = {"calorie": "Calories", "kcal": "Calories", "energy": "Calories", "fattening": "Calories", "nutrition": "Calories",
          "nutrient": "Calories", "carb": "Carbohydrates", "fibre": "Fiber",
          "saturated": "Saturated Fat", "salt": "Sodium"}  # fmt: skip
_COUNT = re.compile(r"\d+(?:[./]\d+)?|\b(?:an?|one|two|three|four|five|six|ten|half)\b", re.IGNORECASE)


_FOOD = re.compile(r"\b(?:of|in|has|have) (?!\d)([^\W\d][\w' -]+?)\??$")


class Answer(TypedDict):
    answer: Prose
    type: Literal["AMOUNT", "COMPARISON", "DISH"]
    nutrient: NutrientName
    amount: float
    unit: str
    ingredient: NotRequired[IngredientName]


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


def _asked(question: str) -> NutrientKind | None:
    """The nutrient that a question names; None where it asks for something else."""
    text = question.lower()
    for kind in sorted(NUTRIENTS, key=lambda kind: -len(kind.name)):
        if kind.name.lower().rstrip("s") in text:
            return kind
    name = next((name for word, name in _ASKED.items() if word in text), None)
    return nutrient_kind(name) if name else None


def _line_about(question: str, start: int) -> Line | None:
    """The amount that a question speaks of: from the last number before the ingredient on, else one of it."""
    before = [match.start() for match in _COUNT.finditer(question[:start])]
    amounts = (read_line(question[place:]) for place in reversed(before[-2:]))
    return next((line for line in amounts if line), None) or read_line(question[start:])


def _sentence(line: Line, kind: NutrientKind) -> tuple[float, str]:
    value = round(line.ingredient.per_100g[kind.key] * line.grams / 100, 2)
    name = line.ingredient.name
    several = line.amount > 1 and not line.unit
    shown = f"{name}s" if several and not name.endswith("s") else name
    what = f"{line.amount:g} {line.unit + ' of ' if line.unit else ''}{shown} ({line.grams:g} g)"
    amount = (
        f"{value:g} {kind.unit}"
        if kind.key == "calories"
        else f"{value:g} {kind.unit} of {kind.name.lower()}"
    )
    return value, f"{what} {'have' if several else 'has'} {amount}"


@tool(
    GROUP,
    examples=[
        {"q": "How much vitamin c is in 2 apples?"},
        {"q": "Which has more protein, 100 g tofu or 100 g egg?"},
    ],
    phrase="answer this nutrition question: {q}",
    noun="the quick nutrition answer",
    jobs=("answers to questions",),
    stands_in_for=("Food", "Health"),
    general=True,
)
def quick_answer(world: World, *, q: str) -> Answer:
    """The answer to a question about nutrients in foods or dishes.

    q: A question such as "How much iron is in 100 g of spinach?".
    """
    question = spoken(q, "q", "How much iron is in 100 g of spinach?")[:300].rstrip(" ?!.")
    kind = _asked(question)
    if kind is None:
        known = ", ".join(kind.name for kind in NUTRIENTS)
        raise ToolFault("not_found", f"no known nutrient in {q[:80]!r}; ask for one of {known}, such as: How much "
                        "iron is in 100 g of spinach?")  # fmt: skip
    # "fat" and "salt" name nutrients here, so what the question calls the nutrient is no food.
    foods = [mention for mention in mentions(question) if mention.ingredient.name not in ("salt", "sugar")]
    lines = [line for line in (_line_about(question, mention.start) for mention in foods[:2]) if line]
    if not foods and (named := _FOOD.search(question)):
        lines = [line for line in [_line_about(question, named.start(1))] if line]
    if len(lines) == 2 and re.search(r"\b(more|less|or|than)\b", question):
        (one, first), (other, second) = (_sentence(line, kind) for line in lines)
        more = lines[0] if one >= other else lines[1]
        verb = "have" if more.ingredient.name.endswith("s") else "has"
        text = f"{first}; {second}. {more.ingredient.name.capitalize()} {verb} more."
        return {"answer": text, "type": "COMPARISON", "nutrient": kind.name, "amount": round(abs(one - other), 2),
                "unit": kind.unit, "ingredient": more.ingredient.name}  # fmt: skip
    if lines:
        value, text = _sentence(lines[0], kind)
        return {"answer": f"{text}.", "type": "AMOUNT", "nutrient": kind.name, "amount": value, "unit": kind.unit,
                "ingredient": lines[0].ingredient.name}  # fmt: skip
    dish = next(iter(search(world.seed, question)), None) if question.strip() else None
    if dish is None:
        raise ToolFault(
            "not_found", f"no known food in {q[:80]!r}; ask such as: How much iron is in 100 g of spinach?"
        )
    value = round(dish.nutrients[kind.key], 1)
    text = f"One serving of {dish.title} has {value:g} {kind.unit} of {kind.name.lower()}."
    return {"answer": text, "type": "DISH", "nutrient": kind.name, "amount": value, "unit": kind.unit}


@functools.cache
def _dishes() -> re.Pattern[str]:
    tables = ("food_recipes.tsv", "food_recipe_patterns.tsv")
    names = {row["dish"] for table in tables for row in read_table(table)}
    names |= {row["dish"] for row in dish_rows()}
    foods = {"pasta", "spaghetti", "steak", "salmon", "cod", "roast"}
    longest_first = sorted(names - foods, key=lambda name: (-len(name), name))
    return re.compile(rf"\b({'|'.join(map(re.escape, longest_first))})s?\b", re.IGNORECASE)


# The dictionary's field of foods; meals and what one calls any food are in it, too.
_FOOD_FIELD = 13
_NO_FOOD = frozenset(
    "food meal breakfast lunch dinner supper brunch snack dish course drink beverage feast treat diet menu fare".split()
)


def _other_foods(text: str) -> list[Annotation]:
    """Words beyond the tables that name a food above all else: bisque, sorbet, Riesling."""
    found: list[Annotation] = []
    for match in re.finditer(r"[^\W\d_]{4,}", text):
        name = singular(match.group())
        senses = [sense for sense in wordnet.senses(name) if sense.part in "na"][:1]
        if name not in _NO_FOOD and senses and senses[0].part == "n" and senses[0].field == _FOOD_FIELD:
            found.append({"annotation": match.group(), "tag": "ingredient", "start": match.start(), "end": match.end(),
                          "ingredient": name})  # fmt: skip
    return found


@tool(
    GROUP,
    examples=[{"text": "I like to eat delicious tacos. Only a cheeseburger with cheddar is better."}],
    phrase="detect every dish and ingredient mentioned in this text: {text}",
    noun="the detected food mentions",
)
def detect_food_in_text(*, text: Prose) -> Detected:
    """Every mention of a dish or an ingredient in a text, with its place.

    text: The text to look through; the first 6,000 characters count.
    """
    text = spoken(text, "text", "I ate two tacos.")[:6000]
    found: list[Annotation] = [
        {"annotation": match.group(), "tag": "dish", "start": match.start(), "end": match.end(),
         "dish": match.group(1).lower()}
        for match in _dishes().finditer(text)
    ]  # fmt: skip
    taken = [(row["start"], row["end"]) for row in found]
    for mention in mentions(text):
        if not any(mention.start < end and start < mention.end for start, end in taken):
            place = slice(mention.start, mention.end)
            found.append({"annotation": text[place], "tag": "ingredient", "start": mention.start, "end": mention.end,
                          "ingredient": mention.ingredient.name})  # fmt: skip
            taken.append((mention.start, mention.end))
    found += [
        row
        for row in _other_foods(text)
        if not any(row["start"] < end and start < row["end"] for start, end in taken)
    ]
    return {"annotations": sorted(found, key=lambda row: row["start"])[:100]}


@tool(
    GROUP,
    examples=[{}],
    phrase="tell me a random joke about food",
    noun="the food joke",
    jobs=("jokes",),
    stands_in_for=("Food/spoonacular_misc/talk_to_chatbot",),
)
def random_food_joke(world: World) -> Joke:
    """A joke about food, another one each time."""
    return {"text": world.draw_anew(JOKES, "food joke"), "kind": "joke"}


@tool(
    GROUP,
    examples=[{}],
    phrase="tell me a random piece of food trivia",
    noun="the food trivia",
    stands_in_for=("Food/spoonacular_misc/talk_to_chatbot",),
)
def random_food_trivia(world: World) -> Trivia:
    """A fact about food that few people know, another one each time."""
    return {"text": world.draw_anew(TRIVIA, "food trivia"), "kind": "trivia"}


_DIETS = ("vegan", "vegetarian", "gluten free", "dairy free", "pescatarian", "ketogenic")
_COURSES = ("dessert", "breakfast", "soup", "salad", "snack")


def _fitting(seed: int, wanted: str) -> list[Recipe]:
    """Recipes for a sentence; those alone that keep to the diets and courses it names."""
    said = wanted.lower().replace("-", " ")
    diets = [diet for diet in _DIETS if diet in said]
    courses = [course for course in _COURSES if course in said]
    found = search(seed, wanted)
    if not diets and not courses:
        return found
    every = [*found, *(row for row in (*recipes(seed), *more_recipes(seed)) if row not in found)]
    return [
        row
        for row in every
        if all(row.suits(diet) for diet in diets) and all(one in row.types for one in courses)
    ]


def _said(world: World, text: str, memory: dict[str, object]) -> tuple[str, list[Recipe], str]:
    """What the chatbot says, the recipes it offers, and the query to remember."""
    lower = text.lower()
    query, shown = str(memory.get("query", "")), int(str(memory.get("shown", 0)))
    if "joke" in lower:
        return world.draw("chat").choice(JOKES), [], query
    if "trivia" in lower or "fact" in lower:
        return world.draw("chat").choice(TRIVIA), [], query
    named = list(mentions(text))
    if named and re.search(r"\bhow (much|many)\b", lower) and _asked(lower):
        return quick_answer(world, q=text)["answer"], [], query
    if re.search(r"substitute|replace|instead of", lower) and named:
        row = find_ingredient(named[0].ingredient.name)
        rules, kin = substitutes_for(row)
        taken = "; ".join(rules) or ", ".join(other.name for other in kin)
        said = (
            f"Instead of {row.name} you can take: {taken}."
            if taken
            else f"I know no substitute for {row.name}."
        )
        return said, [], query
    more = lower.strip(" .!?") in ("more", "show me more", "next", "others")
    if more and not query:
        return "Tell me first what you would like to cook.", [], query
    wanted, start = (query, shown) if more else (text, 0)
    found = _fitting(world.seed, wanted)[start : start + 3] if wanted.strip() else []
    if not found:
        return "I know no recipe like that. Try an ingredient or a dish.", [], query
    said = "Here is more:" if more else "You could cook:"
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
    names = [row.ingredient.name for row in mentions(query)] or ["chicken", "salmon", "tofu"]
    sentences = [
        "Tell me a joke",
        "Tell me some food trivia",
        "Show me more",
        *(f"Suggest a dish with {name}" for name in names),
        *(f"What can I use instead of {name}?" for name in names),
        *(f"Show me {cuisine} recipes" for cuisine in all_cuisines(world)),
        *(f"Suggest a {diet} dish" for diet in _DIETS),
        *(f"Suggest a {course}" for course in _COURSES),
        *(f"How do I cook {dish}?" for dish in dict.fromkeys(row.dish for row in recipes(world.seed))),
    ]
    wanted = query.strip().lower()
    found = [text for text in sentences if f" {wanted}" in f" {text.lower()}"]
    return {"suggests": found[:number]}
