"""Processes and connections: how they are stopped, and that none outlives its use."""
