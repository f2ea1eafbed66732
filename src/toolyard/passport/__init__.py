"""Runs that others can check: one file with all that scoring needs, and its verification without a model."""
