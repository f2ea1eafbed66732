"""The self-contained pages."""
