"""Runs for other programs and other readers."""
