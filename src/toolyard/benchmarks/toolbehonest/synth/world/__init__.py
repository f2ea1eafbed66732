"""Pairs from the world: executed plans, and what breaks them."""
