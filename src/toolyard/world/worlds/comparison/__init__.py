"""Comparison: how alike two texts are."""
