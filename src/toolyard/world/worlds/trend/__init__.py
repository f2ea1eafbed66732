"""Trends: how often people search for something."""
