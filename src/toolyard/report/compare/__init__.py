"""Runs beside each other and beside the published rows."""
