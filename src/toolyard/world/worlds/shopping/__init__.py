"""Shops and media: goods with offers and reviews, apps, games, books, films and songs."""
