"""Offline twins of sources: deterministic, editable, served over MCP."""
