"""Advice: slips of advice, and things to do against boredom."""
