"""Zapier: actions on mail, files and calendar in one sentence."""
