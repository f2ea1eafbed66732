"""Programming contests and their blogs."""
