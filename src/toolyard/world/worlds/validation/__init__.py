"""Validation: scans of websites, checks of texts and phone numbers."""
