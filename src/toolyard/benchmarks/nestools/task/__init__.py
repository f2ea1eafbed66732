"""What NesTools asks of a model: prompts, episodes, variations."""
