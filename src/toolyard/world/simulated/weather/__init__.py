"""The weather of a place and a day."""
