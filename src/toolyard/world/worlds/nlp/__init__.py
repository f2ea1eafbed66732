"""Text analysis: topics, sentiment, structure and language of a text, by rules."""
