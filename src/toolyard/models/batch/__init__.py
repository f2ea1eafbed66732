"""Requests as a provider's batch files."""
