"""Entities: items of the encyclopaedia with their properties, by name, by id and by query."""
