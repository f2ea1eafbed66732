"""Entries about who and what exists, under one shape."""
