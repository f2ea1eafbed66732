"""Random: numbers, texts and draws."""
