"""Requests: what a person asks of one tool, and how the talk about it goes on."""
