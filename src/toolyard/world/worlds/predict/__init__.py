"""Predictions about a person from a first name."""
