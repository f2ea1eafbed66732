"""Flights, rooms and destinations."""
