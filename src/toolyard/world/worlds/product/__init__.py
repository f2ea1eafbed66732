"""Products: goods with offers and reviews in several shops."""
