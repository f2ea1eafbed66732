"""Translation between a few languages, by lexicon."""
