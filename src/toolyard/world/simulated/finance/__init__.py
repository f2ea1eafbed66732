"""Prices, statements, rates and opinions."""
