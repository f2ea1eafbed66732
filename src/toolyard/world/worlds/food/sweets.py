"""How sweet dishes are made: dough, choux, cakes and pies, meringue, creams."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from toolyard.world.worlds.food.kitchen import dough, joined, of, rest_of


def dessert(plain: str, names: Sequence[str]) -> list[str]:
    """The steps of a dessert."""
    if "yeast" in names:
        return list(dough(plain, names))
    if "water" in names and {"flour", "egg", "butter"} <= set(names):
        return list(_choux(names))
    if set(names) & {"flour", "oats", "crackers"}:
        return list(_cake(plain, names))
    if "egg white" in names:
        return list(_meringue(names))
    frozen = "gelato" in plain or "ice cream" in names
    if "ice cream" in names or "salad" in plain:
        return ["Cut the fruit and put everything into a bowl" if "salad" in plain else
                f"Put the {joined(names)} into a glass in layers", "Serve at once"]  # fmt: skip
    warm = [name for name in names if name not in ("strawberry", "mango", "almonds", "ladyfingers", "coffee")]
    served = rest_of(names, warm)
    found = [f"Stir the {joined(warm)} in a saucepan over low heat until smooth and thickened"]
    found.append(
        "Freeze for at least four hours, stirring now and then"
        if frozen
        else "Pour into a bowl and chill for some hours"
    )
    return [*found, f"Serve with the {joined(served)}" if served else "Serve cold"]


def _choux(names: Sequence[str]) -> Iterator[str]:
    filling = rest_of(names, ("water", "flour", "egg", "butter"))
    yield "Boil the water with the butter in a saucepan, add the flour at once and stir until the dough leaves the pan"
    yield "Take it off the heat and beat in the eggs one by one"
    yield "Pipe it onto a baking sheet and bake in the oven at 200 °C for 25 minutes without opening the door"
    yield f"Let it cool, then cut open and finish with the {joined(filling)}"


def _cake(plain: str, names: Sequence[str]) -> Iterator[str]:
    pie = any(word in plain for word in ("pie", "tart", "strudel", "baklava", "nata", "cannoli"))
    if pie and "flour" in names:
        filling = rest_of(names, ("flour", "butter"))
        yield f"Rub the {joined(of(names, ('flour', 'butter')))} together, add a little cold water and knead to a dough"
        yield f"Prepare the {joined(filling)} and mix them for the filling"
        yield "Line a pie dish with the dough and fill it"
    elif "crackers" in names:
        yield f"Crush the crackers, mix with the {joined(of(names, ('butter',)))} and press into a baking pan"
        yield f"Beat the {joined(rest_of(names, ('crackers', 'butter')))} until smooth and spread on top"
    else:
        creamed = of(names, ("butter", "sugar", "brown sugar", "egg", "egg yolk", "honey"))
        served = of(names, ("cream", "strawberry", "cherry", "cream cheese"))
        rest = rest_of(names, creamed, served)
        if creamed:
            yield f"Beat the {joined(creamed)} in a bowl until light"
        yield f"Fold in the {joined(rest)}"
        yield "Bake in the oven at 180 °C until a stick comes out clean"
        yield f"Finish with the {joined(served)}" if served else "Let it cool before serving"
        return
    yield "Bake in the oven at 180 °C until golden and let it cool"


def _meringue(names: Sequence[str]) -> Iterator[str]:
    rest = rest_of(names, ("egg white", "sugar"))
    yield "Beat the egg white with the sugar in a bowl until stiff"
    if "almonds" in rest:
        yield "Grind the almonds finely and fold them in"
    yield "Pipe onto a baking sheet and bake slowly in the oven at 140 °C until dry"
    served = rest_of(rest, ("almonds",))
    yield f"Finish with the {joined(served)}" if served else "Let it cool"
