"""The properties by which vehicles are described: id, name, group, meaning, and the values of those that have a list."""

from toolyard.world.kernel.tables import values_of

VARIABLES: tuple[tuple[str, str, str, str, tuple[str, ...]], ...] = tuple(
    values_of("variables.variables").values()
)

# The numbers that the catalogue of the road safety administration gives to values; lists without them are counted.
NUMBERS: dict[str, tuple[int, ...]] = values_of("variables.numbers")

# Properties whose values are names.
TEXTS = frozenset(("Engine Model", "Make", "Model"))
