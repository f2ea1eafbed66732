"""Jokes, by number, by kind or by chance."""
