"""Outcome checks on a world's diff; they need no world, so that they live in `core.checks`."""

from toolyard.core.checks import Change, Check, Verdict, matches, untouched, verify

__all__ = ["Change", "Check", "Verdict", "matches", "untouched", "verify"]
