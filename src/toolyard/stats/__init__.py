"""Intervals, significance, agreement, summaries of scores. Pure."""
