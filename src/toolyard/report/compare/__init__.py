"""Comparison of runs with each other and with the published rows."""
