"""News: articles by topic and outlet, and the press on space flight."""
