"""Flights, hotels, sights, cars and trains on one geography, with prices and rooms that depend on the day."""

from toolyard.world.categories import ALL, Category

CATEGORY = Category(kinds=("places",), takes=("places",), fields={ALL: {"trip": 1}})
