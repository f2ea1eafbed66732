"""Flights, hotels, sights, cars and trains on one geography, with prices and rooms that depend on the day."""
