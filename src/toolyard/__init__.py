"""Toolyard measures how well language models use tools."""

__version__ = "0.1.0"
