"""Probes of a model with the user's own tools: suites made from documents and mirror, gold proven by execution."""
