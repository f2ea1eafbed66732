"""What MTU-Bench asks of a model: prompts, episodes, variations."""
