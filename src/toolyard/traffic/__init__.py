"""Recorded traffic: what agents did in earnest, read from logs, and what can be said about it without gold."""
