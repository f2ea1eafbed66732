"""What ToolEyes asks of a model: prompts, episodes, variations."""
