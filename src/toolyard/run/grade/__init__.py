"""From answers to scores; checks of scorers and data."""
