"""Data construction: linear stages over rows that can be stopped anywhere and go on where they were."""
